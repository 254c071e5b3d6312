import { invalidMember } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';
import { requireProject } from './access.ts';
import type { ProjectExtension, ReferenceKeyword } from './extension.ts';
import type { Project } from './model.ts';
import { verdictOn } from './policy.ts';
import { findProjectsNamed } from './store.ts';

/** A part of a text that has the form of a reference, whether or not the keyword means something. */
export interface ReferenceCandidate {
  readonly text: string;
  /** In lower case. */
  readonly keyword: string;
  /** Short name or id of another project, when the text names one. */
  readonly project: string | undefined;
  readonly value: string;
  /** The word before it, empty when there is none. */
  readonly context: string;
}

/** `keyword #value` or `keyword #project:value`, with exactly one white space before the `#`. */
const form =
  /(?<![\p{L}\p{N}_])([A-Za-z0-9_]+)\s#(?:([A-Za-z0-9-]+):)?((?:[A-Za-z0-9_&.-]+\/)*[A-Za-z0-9_&.-]*[A-Za-z0-9_&])(?![\p{L}\p{N}_])/gu;

/** A word is looked for no further back than this. */
const longestContext = 255;

function wordBefore(text: string, index: number): string {
  return /([\p{L}\p{N}_-]+)\s+$/u.exec(text.slice(Math.max(0, index - longestContext), index))?.[1] ?? '';
}

export function findReferenceCandidates(text: string): ReferenceCandidate[] {
  return [...text.matchAll(form)].map((match) => ({
    text: match[0],
    keyword: (match[1] ?? '').toLowerCase(),
    project: match[2],
    value: match[3] ?? '',
    context: wordBefore(text, match.index),
  }));
}

const partsOf = (value: string) => value.split('/').length;
const isArtifact = (value: string) => partsOf(value) === 1;
/** `repository/revision`; a bare number is how revisions were written when a project had one repository. */
const isRevision = (value: string) => /^\d+$/.test(value) || /^.+\/\d+$/.test(value);

const platformKeywords: readonly ReferenceKeyword[] = [
  { keyword: 'art', description: 'Artifact', accepts: isArtifact },
  { keyword: 'artifact', description: 'Artifact', accepts: isArtifact },
  { keyword: 'svn', description: 'Subversion revision', accepts: isRevision },
  { keyword: 'rev', description: 'Subversion revision', accepts: isRevision },
  { keyword: 'revision', description: 'Subversion revision', accepts: isRevision },
];

/** The keywords of references to things in a project, by keyword. */
export async function referenceKeywords(
  reader: Reader,
  projectId: number,
  extensions: readonly ProjectExtension[],
): Promise<ReadonlyMap<string, ReferenceKeyword>> {
  const keywords = new Map(platformKeywords.map((keyword) => [keyword.keyword, keyword]));
  for (const extension of extensions) {
    const added = (await extension.referenceKeywords?.(reader, projectId)) ?? [];
    for (const keyword of added) keywords.set(keyword.keyword, keyword);
  }
  return keywords;
}

/** A reference to something in a project that the viewer may access. */
export interface Reference extends ReferenceCandidate {
  readonly projectId: number;
}

/** The projects that a text names; one that the viewer may not see is as good as none. */
async function namedProjects(
  reader: Reader,
  viewer: Viewer,
  names: readonly string[],
): Promise<ReadonlyMap<string, Project>> {
  const projects = await findProjectsNamed(reader, viewer, names);
  return new Map([...projects].filter(([, project]) => verdictOn(viewer, project) === 'granted'));
}

const longestSearched = 100_000;

/** The references in a text of a project, in the order in which they stand there. */
export async function extractReferences(
  reader: Reader,
  viewer: Viewer,
  { projectId, text }: { projectId: number; text: string },
  extensions: readonly ProjectExtension[],
): Promise<Reference[]> {
  const own = await requireProject(reader, viewer, projectId, 'A');
  if (text.length > longestSearched)
    throw invalidMember('text', `It must have at most ${longestSearched} characters.`);
  const candidates = findReferenceCandidates(text);
  const names = new Set(candidates.flatMap(({ project }) => project ?? []));
  const projects = await namedProjects(reader, viewer, [...names]);
  const keywords = new Map<number, ReadonlyMap<string, ReferenceKeyword>>();
  const references: Reference[] = [];
  for (const candidate of candidates) {
    const target = candidate.project === undefined ? own : projects.get(candidate.project);
    if (target === undefined) continue;
    const known = keywords.get(target.id) ?? (await referenceKeywords(reader, target.id, extensions));
    keywords.set(target.id, known);
    if (known.get(candidate.keyword)?.accepts(candidate.value))
      references.push({ ...candidate, projectId: target.id });
  }
  return references;
}
