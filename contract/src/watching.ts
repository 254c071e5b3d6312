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

export const watchingRoutes = [
  getArtifactWatching,
  putArtifactWatching,
  getTrackerWatching,
  putTrackerWatching,
] as const;
