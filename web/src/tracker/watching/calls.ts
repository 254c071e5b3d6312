import { getTrackerWatching, putTrackerWatching, type Watching } from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client, queries } from '../../store/index.ts';

const keyOf = (id: number) => [`trackers/${id}`, 'watching'] as const;

/** Whether one is told of new artifacts of a tracker; asked when somebody wants to know. */
export function useTrackerWatching(id: number, isWanted: boolean): Watching | undefined {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => client.call(getTrackerWatching, { params: { id }, signal }),
    enabled: isWanted,
    staleTime: 0,
  }).data;
}

export async function watchTracker(
  id: number,
  body: { is_watching?: boolean; is_muted?: boolean },
): Promise<void> {
  queries.setQueryData(keyOf(id), await client.call(putTrackerWatching, { params: { id }, body }));
  await queries.invalidateQueries({ queryKey: ['users/self', 'muted'] });
}
