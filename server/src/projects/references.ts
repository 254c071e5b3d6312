import { invalidMember } from '../kernel/errors.ts';
import { commandLineViewer, type Viewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';
import type { ProjectExtension, ReferenceKeyword } from './extension.ts';
import type { Project } from './model.ts';
import { verdictOn } from './policy.ts';
import { requireProject } from './require-access.ts';
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

/**
 * `keyword #value` or `keyword #project:value`, with exactly one white space before the `#`. It starts at the `#`, of which
 * there are few, and looks back for the keyword.
 */
const form =
  /#(?<=(?<![\p{L}\p{N}_])([A-Za-z0-9_]+)\s#)(?:([A-Za-z0-9-]+):)?((?:[A-Za-z0-9_&.-]+\/)*[A-Za-z0-9_&.-]*[A-Za-z0-9_&])(?![\p{L}\p{N}_])/gu;
const contextBefore = /(?<=([\p{L}\p{N}_-]+)\s+)/uy;

function wordBefore(text: string, index: number): string {
  contextBefore.lastIndex = index;
  return contextBefore.exec(text)?.[1] ?? '';
}

export function findReferenceCandidates(text: string): ReferenceCandidate[] {
  const candidates: ReferenceCandidate[] = [];
  let end = 0;
  for (const match of text.matchAll(form)) {
    const [found, keyword = '', project, value = ''] = match;
    const start = match.index - 1 - keyword.length;
    // The value of one reference is not the keyword of the next.
    if (start < end) continue;
    end = match.index + found.length;
    const context = wordBefore(text, start);
    candidates.push({
      text: text.slice(start, end),
      keyword: keyword.toLowerCase(),
      project,
      value,
      context,
    });
  }
  return candidates;
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

/** The keywords of references to things in a project that the viewer may know of, by keyword. */
export async function referenceKeywords(
  reader: Reader,
  viewer: Viewer,
  projectId: number,
  extensions: readonly ProjectExtension[],
): Promise<ReadonlyMap<string, ReferenceKeyword>> {
  const keywords = new Map(platformKeywords.map((keyword) => [keyword.keyword, keyword]));
  for (const extension of extensions) {
    const added = (await extension.referenceKeywords?.(reader, viewer, projectId)) ?? [];
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

/**
 * Those of the candidates that are references, read from a text of this project. What is stored is one for all readers, so
 * every keyword counts; `knower`: only those that this viewer may know of.
 */
export async function resolveCandidates(
  reader: Reader,
  viewer: Viewer,
  own: number,
  candidates: readonly ReferenceCandidate[],
  extensions: readonly ProjectExtension[],
  knower: Viewer = commandLineViewer(viewer.accessMode),
): Promise<Reference[]> {
  const names = new Set(candidates.flatMap(({ project }) => project ?? []));
  const projects = await namedProjects(reader, viewer, [...names]);
  const keywords = new Map<number, ReadonlyMap<string, ReferenceKeyword>>();
  const references: Reference[] = [];
  for (const candidate of candidates) {
    const projectId = candidate.project === undefined ? own : projects.get(candidate.project)?.id;
    if (projectId === undefined) continue;
    const known = keywords.get(projectId) ?? (await referenceKeywords(reader, knower, projectId, extensions));
    keywords.set(projectId, known);
    if (known.get(candidate.keyword)?.accepts(candidate.value)) references.push({ ...candidate, projectId });
  }
  return references;
}

const longestSearched = 100_000;

/** The references in a text of a project, in the order in which they stand there. */
export async function extractReferences(
  reader: Reader,
  viewer: Viewer,
  { projectId, text }: { projectId: number; text: string },
  extensions: readonly ProjectExtension[],
): Promise<Reference[]> {
  await requireProject(reader, viewer, projectId, 'project');
  if (text.length > longestSearched)
    throw invalidMember('text', `It must have at most ${longestSearched} characters.`);
  return resolveCandidates(reader, viewer, projectId, findReferenceCandidates(text), extensions, viewer);
}
