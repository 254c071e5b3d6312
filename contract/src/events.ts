import Type from '@bundled/typebox';
import { defineRoute } from './route.ts';

export const streamEvents = defineRoute({
  method: 'GET',
  path: '/events',
  kind: 'hybrid',
  own: true,
  summary: 'What happens, as it happens',
  description:
    'A stream of server-sent events that stays open. `topics` says what about: `user` (what is yours), `projects/{id}`, `trackers/{id}`, `imports/{id}`, and `platform` for site ' +
    'administrators; those that you may not hear about are told by `refused` and left out. First comes `hello`, then `artifact`, `tracker`, `project`, `report`, `dashboard`, `svn`, `import`, ' +
    '`notification` and `standing` as things happen, in the order in which they were stored. No values travel: read what you may with your own rights. After a cut, `Last-Event-ID` or ' +
    '`after` tells what was missed, up to 1000 events of the last ten minutes; `reset` says that more was, so that what is shown should be read again. `signed_out` ends the stream of a ' +
    'session or key that is over. A comment comes every 20 seconds. The `X-Client-Uuid` of a change comes back as `client`.',
  query: Type.Object({
    topics: Type.Array(Type.String(), { description: 'At most 30; commas or repeated' }),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The id of the last event that you got; stronger than `Last-Event-ID`',
      }),
    ),
    since: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Without `after`: tells what happened since that time of the server, in milliseconds; at most ten minutes',
      }),
    ),
  }),
  produces: ['text/event-stream'],
});

export const eventRoutes = [streamEvents] as const;
