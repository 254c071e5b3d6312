import {
  type Artifact,
  type ArtifactCounts,
  type ArtifactRow,
  countArtifacts,
  listRows,
  patchArtifactRanks,
  type RowColumn,
  type Tracker,
} from '@atelier/client/routes';
import { useQueries, useQuery } from '@tanstack/react-query';
import { artifactFacet, client, feed, queries } from '../store/index.ts';
import type { AskedSearch } from '../tracker/index.ts';

/** Cards of a column that are asked for at once. */
export const cardsOfRequest = 50;

/** All that a board of a tracker reads: it begins as lists do, so that whatever makes these old makes this old. */
const boardKey = (tracker: Tracker) => ['list', `trackers/${tracker.id}/board`] as const;

interface CardPage {
  readonly rows: readonly ArtifactRow[];
  readonly size: number;
  readonly columns: readonly RowColumn[];
}

/** What is read of one column: its search, and how many pages. */
export interface AskedColumn {
  readonly id: string;
  readonly search: AskedSearch;
  readonly pages: number;
}

export interface ReadColumn {
  readonly rows: readonly ArtifactRow[];
  /** Exact; undefined until the first answer. */
  readonly size: number | undefined;
}

async function readPage(
  { id }: Tracker,
  search: AskedSearch,
  columns: string,
  page: number,
  signal: AbortSignal,
): Promise<CardPage> {
  const { body, page: told } = await client.send(listRows, {
    params: { id },
    query: {
      ...search,
      columns: [columns],
      sort: ['@rank'],
      limit: cardsOfRequest,
      offset: page * cardsOfRequest,
    },
    signal,
  });
  return { rows: body.rows, size: told?.size ?? body.rows.length, columns: body.columns };
}

const noColumns: readonly RowColumn[] = [];

/** The cards of all columns, each in the order of ranks. */
export function useCards(tracker: Tracker, names: readonly string[], asked: readonly AskedColumn[]) {
  const columns = names.join(',');
  const wishes = asked.flatMap(({ search, pages }) =>
    Array.from({ length: pages }, (_, page) => ({ search, page })),
  );
  const answers = useQueries({
    queries: wishes.map(({ search, page }) => ({
      queryKey: [...boardKey(tracker), 'cards', search, columns, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => readPage(tracker, search, columns, page, signal),
    })),
  });
  let at = 0;
  const read = new Map(
    asked.map(({ id, pages }): [string, ReadColumn] => {
      const own = answers.slice(at, at + pages).map(({ data }) => data);
      at += pages;
      return [id, { rows: own.flatMap((page) => page?.rows ?? []), size: own[0]?.size }];
    }),
  );
  return {
    read,
    told: answers.find(({ data }) => data !== undefined)?.data?.columns ?? noColumns,
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    isComing: answers.some(({ isPending }) => isPending),
  };
}

/** How many there are by each value, exactly. */
export function useCounts(tracker: Tracker, search: AskedSearch, by: readonly string[]) {
  return useQuery<ArtifactCounts>({
    queryKey: [...boardKey(tracker), 'counts', search, by.join(',')],
    queryFn: ({ signal }) =>
      client.call(countArtifacts, { params: { id: tracker.id }, query: { ...search, by: [...by] }, signal }),
    enabled: by.length > 0,
  });
}

/** Everything that is seen of the board is read anew; done when it is there. */
export const askBoardAgain = (tracker: Tracker): Promise<void> =>
  queries.invalidateQueries({ queryKey: boardKey(tracker) });

/** Puts cards next to another in the order that people give them. */
export async function rankCards(
  ids: readonly number[],
  direction: 'before' | 'after',
  comparedTo: number,
): Promise<void> {
  await client.call(patchArtifactRanks, { body: { ids: [...ids], direction, compared_to: comparedTo } });
}

/** An artifact with all its values, as it is now. */
export async function readArtifact(uri: string): Promise<{ artifact: Artifact; etag: string | undefined }> {
  const read = await artifactFacet.read?.(uri, new AbortController().signal);
  if (read === undefined) throw new Error('Artifacts can be read.');
  feed(uri, artifactFacet, read);
  return { artifact: read.body, etag: read.etag };
}
