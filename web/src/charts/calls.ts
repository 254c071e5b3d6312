import {
  type ArtifactCounts,
  type ArtifactTrends,
  countArtifacts,
  getTrends,
  type Tracker,
} from '@atelier/client/routes';
import { client, type Facet, listAddress, markOld, useThing } from '../store/index.ts';
import type { ViewProps } from '../tracker/index.ts';
import type { Span } from './settings.ts';

/** What was asked for, by tracker, so that it can be asked for again. */
const asked = new Map<number, Set<string>>();

function remember(id: number, address: string): string {
  asked.set(id, (asked.get(id) ?? new Set()).add(address));
  return address;
}

/** Numbers of a tracker are read anew by whoever looks at them. */
export function renew(id: number): void {
  for (const address of asked.get(id) ?? []) markOld(address);
  asked.delete(id);
}

/** What is looked for, maybe as a report keeps it. */
export type Search = ViewProps['search'] & { readonly report_id?: number | undefined };

/** How many artifacts of a search have what in common; nothing is asked for without names. */
export function useCounts(tracker: Tracker, search: Search, by: readonly string[], sum?: string) {
  const query = { ...search, by: [...by], ...(sum === undefined ? {} : { sum }) };
  const facet: Facet<ArtifactCounts> = {
    name: 'counts',
    read: async (_uri, signal) => ({
      body: await client.call(countArtifacts, { params: { id: tracker.id }, query, signal }),
    }),
  };
  const address = listAddress(`trackers/${tracker.id}/artifact_counts`, { ...search, by: by.join(','), sum });
  return useThing(by.length === 0 ? undefined : remember(tracker.id, address), facet);
}

export type TrendKind = 'states' | 'flow' | 'total' | 'effort';

/** How that came to be. */
export function useTrends(tracker: Tracker, search: Search, kind: TrendKind, span: Span, field?: string) {
  const { from, to, step } = span;
  const query = { ...search, kind, from, to, step, ...(field === undefined ? {} : { field }) };
  const facet: Facet<ArtifactTrends> = {
    name: 'trends',
    read: async (_uri, signal) => ({
      body: await client.call(getTrends, { params: { id: tracker.id }, query, signal }),
    }),
  };
  const address = listAddress(`trackers/${tracker.id}/artifact_trends`, { ...query });
  return useThing(remember(tracker.id, address), facet);
}
