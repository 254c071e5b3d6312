import { type Favorite, getFavorites, putFavorites, recordVisit } from '@atelier/client/routes';
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

export function useFavorites(): readonly Favorite[] {
  const { user } = useStanding();
  const { data } = useQuery({
    queryKey: favoritesKey,
    enabled: user !== null,
    queryFn: ({ signal }) => client.call(getFavorites, { params: self, signal }),
  });
  return data ?? [];
}

/** Puts a thing into the favourites, or takes it out. */
export async function setFavorite(uri: string, is: boolean): Promise<void> {
  const now = queries.getQueryData<readonly Favorite[]>(favoritesKey) ?? [];
  const others = now.map((favorite) => favorite.uri).filter((other) => other !== uri);
  const uris = is ? [...others, uri] : others;
  queries.setQueryData(favoritesKey, await client.call(putFavorites, { params: self, body: { uris } }));
  channel?.postMessage('changed');
}

/** Notes that a page about a thing was opened, for the lists of what was visited. That it fails is nobody's concern. */
export function useVisit(uri: string | undefined): void {
  const { user } = useStanding();
  const isKnown = user !== null;
  useEffect(() => {
    if (uri === undefined || !isKnown) return;
    whenIdle(() => void client.call(recordVisit, { params: self, body: { uri } }).catch(() => undefined));
  }, [uri, isKnown]);
}
