import {
  getReportWatching,
  getTrackerWatching,
  putReportWatching,
  putTrackerWatching,
  type SearchWatching,
  type Watching,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client, keepStored, queries } from '../../store/index.ts';

const keyOf = (id: number) => [`trackers/${id}`, 'watching'] as const;
const keyOfSearch = (id: number | undefined) => [`tracker_reports/${id}`, 'watching'] as const;

/** Whether one is told of new artifacts of a tracker; asked when somebody wants to know. */
export function useTrackerWatching(id: number, isWanted: boolean): Watching | undefined {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => client.call(getTrackerWatching, { params: { id }, signal }),
    enabled: isWanted,
    staleTime: 0,
  }).data;
}

/** The same for what a saved view comes to find. */
export function useSearchWatching(id: number | undefined, isWanted: boolean): SearchWatching | undefined {
  return useQuery({
    queryKey: keyOfSearch(id),
    queryFn: ({ signal }) => client.call(getReportWatching, { params: { id: id ?? 0 }, signal }),
    enabled: isWanted && id !== undefined,
    staleTime: 0,
  }).data;
}

export async function watchSearch(id: number, isWatching: boolean): Promise<void> {
  const body = { is_watching: isWatching };
  keepStored(keyOfSearch(id), await client.call(putReportWatching, { params: { id }, body }));
}

export async function watchTracker(
  id: number,
  body: { is_watching?: boolean; is_muted?: boolean },
): Promise<void> {
  keepStored(keyOf(id), await client.call(putTrackerWatching, { params: { id }, body }));
  await queries.invalidateQueries({ queryKey: ['users/self', 'muted'] });
}
