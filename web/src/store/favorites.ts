import { type Favorite, getFavorites, recordVisit } from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from './client.ts';
import { queries, whenIdle } from './queries.ts';
import { useStanding } from './session.ts';

export type { Favorite };

const favoritesKey = ['users/self', 'favorites'] as const;
const self = { id: 'self' };

/** Other tabs of this browser show the same. */
const channel =
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('atelier.favorites');
if (channel !== undefined)
  channel.onmessage = () => void queries.invalidateQueries({ queryKey: favoritesKey });

const favoritesQuery = {
  queryKey: favoritesKey,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<readonly Favorite[]> =>
    client.call(getFavorites, { params: self, signal }),
};

export function useFavorites(): readonly Favorite[] {
  const { user } = useStanding();
  return useQuery({ ...favoritesQuery, enabled: user !== null }).data ?? [];
}

/** Puts a thing into the favourites, or takes it out. */
export async function setFavorite(uri: string, is: boolean): Promise<void> {
  await (await import('./starring.ts')).changeFavorites(favoritesQuery, uri, is);
  channel?.postMessage('changed');
}

/** By whom, and which thing. */
let lastVisit = '';

/**
 * Notes that a page about a thing was opened, for the lists of what was visited: once for all of its pages, until another one is visited.
 * That it fails is nobody's concern.
 */
export function useVisit(uri: string | undefined): void {
  const { user } = useStanding();
  const visitor = user?.id;
  useEffect(() => {
    const visit = `${visitor} ${uri}`;
    if (uri === undefined || visitor === undefined || visit === lastVisit) return;
    lastVisit = visit;
    whenIdle(() => void client.call(recordVisit, { params: self, body: { uri } }).catch(() => undefined));
  }, [uri, visitor]);
}
