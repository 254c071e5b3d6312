import { readImport } from '../archive/index.ts';
import { type ReadContext, viewFor } from '../artifacts/index.ts';
import { invalid, Refusal } from '../kernel/errors.ts';
import { isAnonymous } from '../kernel/viewer.ts';
import { requireProject } from '../projects/index.ts';

/** Topics of one stream. */
export const mostTopics = 30;

const topicForm = /^(?:user|platform|(projects|trackers|imports)\/([1-9]\d{0,15}))$/;

/** The topics that are asked for, each once. */
export function requireTopics(input: readonly string[]): string[] {
  const topics = [...new Set(input.flatMap((text) => text.split(',')).map((text) => text.trim()))];
  const wrong = topics.find((topic) => !topicForm.test(topic));
  const known = 'user, platform, projects/{id}, trackers/{id} or imports/{id}';
  if (wrong !== undefined)
    throw invalid(
      `Invalid value specified for \`topics\`. "${wrong.slice(0, 100)}" is none: expecting ${known}.`,
    );
  if (topics.length > mostTopics)
    throw invalid(`Invalid value specified for \`topics\`. Maximum ${mostTopics} items allowed.`);
  return topics;
}

/** Whether what is asked is allowed: refusals are a no, other faults are faults. */
export async function isAllowed(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'unavailable') return false;
    throw error;
  }
}

async function mayHear(readContext: ReadContext, topic: string): Promise<boolean> {
  const { reader, viewer } = readContext;
  if (topic === 'user') return !isAnonymous(viewer);
  if (topic === 'platform') return viewer.isSiteAdmin;
  const [, kind, digits] = topicForm.exec(topic) ?? [];
  const id = Number(digits);
  if (kind === 'trackers') return (await viewFor(readContext, id)) !== undefined;
  if (kind === 'projects') return isAllowed(requireProject(reader, viewer, id, 'project'));
  return isAllowed(readImport(reader, viewer, id));
}

/** Those of the topics that the viewer may hear about, and those that they may not. */
export async function permittedTopics(
  readContext: ReadContext,
  topics: readonly string[],
): Promise<{ permitted: string[]; refused: string[] }> {
  const permitted: string[] = [];
  const refused: string[] = [];
  for (const topic of topics) ((await mayHear(readContext, topic)) ? permitted : refused).push(topic);
  return { permitted, refused };
}
