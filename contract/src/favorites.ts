import Type, { type Static } from '@bundled/typebox';
import { choice, defineRoute, nullable } from './route.ts';

const userParams = Type.Object({ id: Type.String({ description: 'User id, or self for the caller' }) });

/** What pages can be about, in the words of `uri`. */
export const placeKinds = ['project', 'tracker', 'report', 'dashboard', 'artifact'] as const;

const placeUri = () =>
  Type.String({
    maxLength: 64,
    description:
      'The `uri` of a project, a tracker, a report of a tracker, a dashboard or an artifact, such as artifacts/42',
  });

export const recordVisit = defineRoute({
  method: 'POST',
  path: '/users/{id}/history',
  kind: 'protected',
  own: true,
  summary: 'Note that you visited something',
  description:
    'Only one’s own, and only what one may see. The last 200 are kept. Artifacts that a web session reads are noted by themselves.',
  example: { params: { id: 'self' }, body: { uri: 'trackers/5' } },
  params: userParams,
  body: Type.Object({ uri: placeUri() }),
  status: 204,
});

export const Favorite = Type.Object(
  {
    uri: Type.String(),
    kind: choice(placeKinds),
    label: Type.String({ description: 'Its name; of an artifact its title, or its reference without one' }),
    xref: nullable(Type.String({ description: 'The reference of an artifact, such as bug #42' })),
    html_url: Type.String(),
    color: nullable(Type.String({ description: 'The colour of the tracker that it is, or lies in' })),
    icon: nullable(Type.String({ description: 'The icon of a project' })),
  },
  { $id: 'Favorite' },
);
export type Favorite = Static<typeof Favorite>;

export const getFavorites = defineRoute({
  method: 'GET',
  path: '/users/{id}/favorites',
  kind: 'protected',
  own: true,
  summary: 'Your favourites',
  description: 'Only one’s own, in the order that was chosen. What is gone or hidden from you is left out.',
  params: userParams,
  response: Type.Array(Favorite),
});

export const putFavorites = defineRoute({
  method: 'PUT',
  path: '/users/{id}/favorites',
  kind: 'protected',
  own: true,
  summary: 'Choose your favourites',
  description:
    'Only one’s own: replaces them, in this order. Those that are hidden from you at the moment stay for a month, in case they come back.',
  example: { params: { id: 'self' }, body: { uris: ['trackers/5', 'artifacts/142'] } },
  params: userParams,
  body: Type.Object({ uris: Type.Array(placeUri(), { maxItems: 100 }) }),
  response: Type.Array(Favorite),
});

export const favoriteRoutes = [recordVisit, getFavorites, putFavorites] as const;
