import { preferredFirst, type QuickSearch } from '../../kernel/quick-search.ts';
import { fold } from '../../kernel/text.ts';
import { findNewest, type ReadContext, viewFor } from '../../search/index.ts';
import { titledTrackers } from '../../trackers/index.ts';
import type { Artifact } from '../model.ts';
import { readArtifacts } from '../several.ts';
import { titleIn } from '../title.ts';
import { searchedFields } from './conditions.ts';

/** An artifact as a look for titles finds it. */
export interface TitledArtifact {
  readonly id: number;
  readonly title: string;
  /** `bug #42`. */
  readonly xref: string;
  readonly color: string;
  readonly projectLabel: string;
}

export interface TitleSearch extends QuickSearch {
  /** What was typed: `42`, `#42` and `bug #42` name an artifact. */
  readonly text: string;
  /** Milliseconds after which the search is given up. */
  readonly patience: number;
}

/** Trackers that are looked at, and artifacts of one's own that are. */
const mostTrackers = 200;
const mostPreferred = 50;

/** The artifact that a text names by its number. */
function namedIn(text: string): { id: number; keyword: string | undefined } | undefined {
  const [, keyword, id] = /^(?:([\w-]+)\s*(?=#))?#?(\d{1,15})$/.exec(text.trim()) ?? [];
  return id === undefined ? undefined : { id: Number(id), keyword: keyword?.toLowerCase() };
}

/** Nothing where the viewer may not read titles. */
function titleOf({ view, document }: Artifact): string {
  return searchedFields(view).title === undefined ? '' : (titleIn(view.tracker, document) ?? '');
}

function presented(artifact: Artifact): TitledArtifact {
  const { id } = artifact.row;
  const { itemName, color, project } = artifact.view.tracker;
  return { id, title: titleOf(artifact), xref: `${itemName} #${id}`, color, projectLabel: project.label };
}

/** The one whose number was typed, with the word of its tracker or none. */
async function findNamed(readContext: ReadContext, { text, projectId }: TitleSearch): Promise<Artifact[]> {
  const named = namedIn(text);
  if (named === undefined) return [];
  const { keyword } = named;
  const isMeant = ({ view: { tracker } }: Artifact) =>
    (projectId === undefined || tracker.project.id === projectId) &&
    (keyword === undefined || ['art', 'artifact', tracker.itemName.toLowerCase()].includes(keyword));
  return (await readArtifacts(readContext, [named.id])).filter(isMeant);
}

/** What the viewer likes or visited, as far as it has all words. */
async function findPreferred(readContext: ReadContext, search: TitleSearch): Promise<Artifact[]> {
  const { words, projectId, preferred } = search;
  const known = await readArtifacts(readContext, preferred.slice(0, mostPreferred));
  return known.filter((artifact) => {
    if (projectId !== undefined && artifact.view.tracker.project.id !== projectId) return false;
    const title = fold(titleOf(artifact));
    return words.every((word) => title.includes(word));
  });
}

async function findOthers(readContext: ReadContext, search: TitleSearch): Promise<Artifact[]> {
  const { words: parts, projectId, limit, patience } = search;
  if (parts.length === 0) return [];
  const { reader, viewer } = readContext;
  const places = [];
  for (const id of await titledTrackers(reader, viewer, { projectId, limit: mostTrackers })) {
    const view = await viewFor(readContext, id);
    const title = view && searchedFields(view).title;
    if (view !== undefined && title !== undefined) places.push({ view, fieldId: title.id });
  }
  const ids = await findNewest(readContext, places, { parts, most: limit, enough: 3 * limit, patience });
  const found = await readArtifacts(readContext, ids);
  // Those that begin with what was typed are likelier meant.
  const begins = (artifact: Artifact) => (fold(titleOf(artifact)).startsWith(parts[0] ?? '') ? 0 : 1);
  return found.toSorted((left, right) => begins(left) - begins(right));
}

/**
 * A few artifacts whose titles have all words, which may be parts of longer ones: first the one whose number was typed, then
 * what the viewer likes or visited, then those of their own projects, the newest first. Runs off the event loop.
 */
export async function searchTitles(readContext: ReadContext, search: TitleSearch): Promise<TitledArtifact[]> {
  const preferred = await findPreferred(readContext, search);
  const liked = preferredFirst(
    preferred.map((artifact) => ({ id: artifact.row.id, artifact })),
    search.preferred,
  );
  const all = [
    ...(await findNamed(readContext, search)),
    ...liked.map(({ artifact }) => artifact),
    ...(liked.length < search.limit ? await findOthers(readContext, search) : []),
  ];
  const once = new Map(all.map((artifact) => [artifact.row.id, artifact]));
  return [...once.values()].slice(0, search.limit).map(presented);
}
