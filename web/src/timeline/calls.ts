import { type ArtifactRow, listRows, type Tracker } from '@atelier/client/routes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { bothQueries } from '../kernel/filters.ts';
import { type ChangeEvent, client, onChangeEvent, queries, useLive } from '../store/index.ts';
import { type ViewProps, withPending } from '../tracker/index.ts';
import { type Day, textOf } from './days.ts';
import type { Timing } from './timing.ts';

type Search = ViewProps['search'];

/** It begins as lists do, so that whatever makes these old makes this old. */
const keyOf = ({ id }: Tracker) => ['list', `trackers/${id}/days`] as const;

const rowsOfRequest = 500;
/** More than these nobody can tell apart. */
export const mostItems = 2000;

interface Rows {
  readonly rows: readonly ArtifactRow[];
  readonly size: number;
}

async function readRows(
  { id }: Tracker,
  query: Search & { readonly overlaps?: string },
  columns: readonly string[],
  sort: string | undefined,
  most: number,
  signal: AbortSignal,
): Promise<Rows> {
  const rows: ArtifactRow[] = [];
  let size = 0;
  do {
    const { body, page } = await client.send(listRows, {
      params: { id },
      query: {
        ...query,
        columns: [columns.join(',')],
        ...(sort === undefined ? {} : { sort: [sort] }),
        limit: Math.min(rowsOfRequest, most),
        offset: rows.length,
      },
      signal,
    });
    rows.push(...body.rows);
    size = page?.size ?? rows.length;
    if (body.rows.length === 0) break;
  } while (rows.length < Math.min(size, most));
  return { rows, size };
}

/** The search with one more condition that must hold, too. */
const narrowed = (search: Search, condition: string): Search => ({
  ...search,
  expert_query: bothQueries(search.expert_query ?? '', condition),
});

/** The columns that days and bars are drawn from. */
export function columnsFor(timing: Timing, more: readonly (string | undefined)[]): readonly string[] {
  const names = timing.isFrame ? ['@start', '@end', timing.start?.name, timing.end?.name] : [timing.name];
  return [...new Set([...names, ...more].filter((name) => name !== undefined))];
}

/** What is there on some days. */
export function useDated(
  tracker: Tracker,
  search: Search,
  timing: Timing | undefined,
  { first, last, columns }: { readonly first: Day; readonly last: Day; readonly columns: readonly string[] },
) {
  const days = [textOf(first), textOf(last)] as const;
  return useQuery<Rows>({
    queryKey: [...keyOf(tracker), 'dated', search, timing?.name, days, columns],
    enabled: timing !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      if (timing === undefined) return { rows: [], size: 0 };
      const query = timing.isFrame
        ? { ...search, overlaps: days.join('/') }
        : narrowed(search, `${timing.name} BETWEEN("${days[0]}", "${days[1]}")`);
      return readRows(tracker, query, columns, timing.start?.name, mostItems, signal);
    },
  });
}

const trayRows = 50;

/** What has no days yet, the first of them. */
export function useUndated(
  tracker: Tracker,
  search: Search,
  timing: Timing | undefined,
  columns: readonly string[],
) {
  const fields = [timing?.start, timing?.end].filter((field) => field !== undefined);
  return useQuery({
    queryKey: [...keyOf(tracker), 'undated', search, timing?.name, columns],
    enabled: timing !== undefined && !timing.isImplied,
    queryFn: ({ signal }) =>
      readRows(
        tracker,
        narrowed(search, fields.map(({ name }) => `${name} = ""`).join(' AND ')),
        columns,
        undefined,
        trayRows,
        signal,
      ),
  });
}

/** What was stored stays where it was put until the rows are read anew. */
function follow(tracker: Tracker, { kind, change }: ChangeEvent): void {
  const stored = (row: ArtifactRow) => (row.uri === change.uri ? withPending(row, [change]) : row);
  if (kind === 'stored')
    queries.setQueriesData<Rows>(
      { queryKey: keyOf(tracker) },
      (known) => known && { ...known, rows: known.rows.map(stored) },
    );
  void queries.invalidateQueries({ queryKey: keyOf(tracker) });
}

/** Days follow what anybody does. */
export function useRenewal(tracker: Tracker): void {
  useLive(`trackers/${tracker.id}`, () => void queries.invalidateQueries({ queryKey: keyOf(tracker) }));
  useEffect(() => onChangeEvent((event) => follow(tracker, event)), [tracker]);
}
