import type { Page, Slice } from '../../kernel/paging.ts';
import {
  countRanked,
  findRanked,
  type RankedTarget,
  type ReadContext,
  trackersWith,
  viewFor,
} from '../../search/index.ts';
import type { Reader } from '../../storage/index.ts';
import { readArtifacts } from '../several.ts';
import { type FoundPlace, type FurtherFilters, partsIn, places, rankedTarget } from './conditions.ts';
import { type Snippet, snippetsOf } from './snippets.ts';

export interface WordSearch extends Page, FurtherFilters {
  readonly words: string;
  /** Undefined: on the whole platform. */
  readonly projectId: number | undefined;
  /** Undefined: any of them. */
  readonly trackerIds?: readonly number[] | undefined;
  /** Milliseconds after which the search is given up. */
  readonly patience: number;
}

/** An artifact that has all words. */
export interface WordMatch {
  readonly id: number;
  /** The worst of the places that have all words together. */
  readonly place: FoundPlace;
  readonly snippets: readonly Snippet[];
}

/** With so few trackers nobody asks in which of them the words are. */
const fewTrackers = 10;

async function trackerIdsOf(
  reader: Reader,
  { projectId, trackerIds }: Pick<WordSearch, 'projectId' | 'trackerIds'>,
): Promise<number[]> {
  const all = reader.sql.selectFrom('tracker').select('id').where('deleted_at', 'is', null);
  const rows = await reader.all(projectId === undefined ? all : all.where('project_id', '=', projectId));
  const wanted = trackerIds && new Set(trackerIds);
  return rows.map(({ id }) => id).filter((id) => wanted?.has(id) ?? true);
}

/** Trackers in which the viewer may find something. */
async function targetsOf(
  readContext: ReadContext,
  search: Omit<WordSearch, keyof Page>,
  parts: readonly string[],
) {
  const { patience } = search;
  const ids = await trackerIdsOf(readContext.reader, search);
  const possible =
    ids.length <= fewTrackers ? undefined : await trackersWith(readContext, parts, { patience });
  const targets: RankedTarget[] = [];
  for (const id of ids) {
    const view = (possible?.has(id) ?? true) ? await viewFor(readContext, id) : undefined;
    if (view !== undefined) targets.push(rankedTarget(view, parts, search));
  }
  return targets;
}

/** Trackers with how many of their artifacts have all words; those without any are left out. Runs off the event loop. */
export async function countByWords(
  readContext: ReadContext,
  search: Omit<WordSearch, keyof Page>,
): Promise<readonly { readonly trackerId: number; readonly count: number }[]> {
  const parts = partsIn(search.words);
  const targets = await targetsOf(readContext, search, parts);
  const counts = await countRanked(readContext, targets, search);
  return targets
    .map(({ view }, index) => ({ trackerId: view.tracker.id, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0);
}

/** A page of the artifacts that have all words, with what was found in them. Runs off the event loop. */
export async function findByWords(readContext: ReadContext, search: WordSearch): Promise<Slice<WordMatch>> {
  const parts = partsIn(search.words);
  const { found, size } = await findRanked(readContext, await targetsOf(readContext, search, parts), search);
  const ranks = new Map(found.map(({ id, rank }) => [id, rank]));
  const items: WordMatch[] = [];
  // One after the other: each may have much text.
  for (const [id, rank] of ranks)
    for (const artifact of await readArtifacts(readContext, [id])) {
      const place = places[rank] ?? 'title';
      items.push({ id, place, snippets: await snippetsOf(readContext.reader, artifact, parts) });
    }
  return { items, size };
}
