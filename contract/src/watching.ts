import Type, { type Static } from '@bundled/typebox';
import { choice, defineRoute, idParams, nullable } from './route.ts';

export const Watching = Type.Object(
  {
    is_watching: Type.Boolean({
      description: 'Whether you are told of what happens to it, unless it is muted',
    }),
    reason: nullable(
      choice(['asked', 'assigned', 'chosen', 'commented', 'mentioned', 'submitted'], {
        description: 'Why: because you asked, or because of what you have to do with it',
      }),
    ),
    is_muted: Type.Boolean({ description: 'Whether you hear nothing of it whatever the reason' }),
    watcher_count: Type.Integer({ description: 'How many people are told of it, for whatever reason' }),
  },
  { $id: 'Watching' },
);
export type Watching = Static<typeof Watching>;

const WatchingRequest = Type.Object({
  is_watching: Type.Optional(
    Type.Boolean({ description: 'false takes back that you asked; other reasons stay' }),
  ),
  is_muted: Type.Optional(Type.Boolean()),
});

const about = (kind: 'trackers' | 'artifacts') =>
  ({ path: `/${kind}/{id}/watching`, kind: 'protected', own: true, params: idParams }) as const;

export const getArtifactWatching = defineRoute({
  method: 'GET',
  ...about('artifacts'),
  summary: 'Whether you are told of what happens to an artifact',
  description: 'For yourself: others are not concerned.',
  response: Watching,
});

export const putArtifactWatching = defineRoute({
  method: 'PUT',
  ...about('artifacts'),
  summary: 'Watch an artifact, or mute it',
  description: 'For yourself: others are not concerned. What is not given stays.',
  example: { params: { id: 142 }, body: { is_watching: true } },
  body: WatchingRequest,
  response: Watching,
});

export const getTrackerWatching = defineRoute({
  method: 'GET',
  ...about('trackers'),
  summary: 'Whether you are told of new artifacts of a tracker',
  description: 'For yourself: others are not concerned.',
  response: Watching,
});

export const putTrackerWatching = defineRoute({
  method: 'PUT',
  ...about('trackers'),
  summary: 'Watch a tracker, or mute it',
  description:
    'For yourself: others are not concerned. Who watches a tracker is told of every new artifact of it.',
  example: { params: { id: 5 }, body: { is_watching: true } },
  body: WatchingRequest,
  response: Watching,
});

export const SearchWatching = Type.Object(
  {
    is_watching: Type.Boolean({ description: 'Whether you are told of what it comes to find' }),
    watcher_count: Type.Integer({ description: 'How many people watch it' }),
  },
  { $id: 'SearchWatching' },
);
export type SearchWatching = Static<typeof SearchWatching>;

const aboutSearch = {
  path: '/tracker_reports/{id}/watching',
  kind: 'protected',
  own: true,
  params: idParams,
} as const;

export const getReportWatching = defineRoute({
  method: 'GET',
  ...aboutSearch,
  summary: 'Whether you are told of what a saved search comes to find',
  description: 'For yourself: others are not concerned.',
  response: SearchWatching,
});

export const putReportWatching = defineRoute({
  method: 'PUT',
  ...aboutSearch,
  summary: 'Watch a saved search',
  description:
    'For yourself: others are not concerned. Who watches a saved search is told of each artifact that it finds and did not find before, as they themselves may see it: at once where somebody changed the artifact, within ten minutes where time alone did. What it finds already is not told. One person watches at most 20, each of which may find 10 000 artifacts when it begins. After the search itself was changed it begins anew.',
  example: { params: { id: 5 }, body: { is_watching: true } },
  body: Type.Object({ is_watching: Type.Boolean() }),
  response: SearchWatching,
});

export const watchingRoutes = [
  getArtifactWatching,
  putArtifactWatching,
  getTrackerWatching,
  putTrackerWatching,
  getReportWatching,
  putReportWatching,
] as const;
