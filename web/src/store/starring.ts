import { type Favorite, putFavorites } from '@atelier/client/routes';
import type { FetchQueryOptions } from '@tanstack/react-query';
import { client } from './client.ts';
import { keepStored, queries } from './queries.ts';

type Favorites = readonly Favorite[];
type FavoritesQuery = Pick<FetchQueryOptions<Favorites>, 'queryFn'> & {
  readonly queryKey: readonly string[];
};

/**
 * All favourites are sent, so they have to be those of now: they may not have come yet, or were changed on another device. Where they
 * cannot be read, because the session has ended for example, those that are shown are good enough.
 */
async function favoritesOfNow(query: FavoritesQuery): Promise<Favorites> {
  try {
    return await queries.fetchQuery({ ...query, staleTime: 0, retry: false });
  } catch (error) {
    const known = queries.getQueryData<Favorites>(query.queryKey);
    if (known === undefined) throw error;
    return known;
  }
}

async function change(query: FavoritesQuery, uri: string, is: boolean): Promise<void> {
  const now = await favoritesOfNow(query);
  const others = now.map((favorite) => favorite.uri).filter((other) => other !== uri);
  const body = { uris: is ? [...others, uri] : others };
  const favorites = await client.call(putFavorites, { params: { id: 'self' }, body });
  keepStored(query.queryKey, favorites);
}

let last: Promise<void> = Promise.resolve();

/** Puts a thing into the favourites, or takes it out; one after the other, as each stands on what the one before it left. */
export function changeFavorites(query: FavoritesQuery, uri: string, is: boolean): Promise<void> {
  const next = () => change(query, uri, is);
  last = last.then(next, next);
  return last;
}
