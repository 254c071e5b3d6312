import Type, { type Static } from '@bundled/typebox';
import { defineRoute, nullable } from './route.ts';

export const QuickResult = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String(),
    label: Type.String(),
    detail: Type.String({ description: 'What tells it apart from others of the same name' }),
    color: nullable(Type.String({ description: 'That of its tracker' })),
    icon: nullable(
      Type.String({ description: 'The emoji of a project, the address of the picture of a person' }),
    ),
  },
  { $id: 'QuickResult' },
);
export type QuickResult = Static<typeof QuickResult>;

export const quickKinds = [
  'projects',
  'trackers',
  'reports',
  'dashboards',
  'artifacts',
  'people',
  'repositories',
] as const;

const results = () => Type.Array(QuickResult);

export const quickSearch = defineRoute({
  method: 'GET',
  path: '/quick_search',
  kind: 'hybrid',
  own: true,
  summary: 'A few things of every kind by their names, for palettes',
  description:
    'At most 8 of each kind whose name has all words, anywhere inside longer ones and without regard to case and accents. `#42`, `42` and `bug #42` find the artifact ' +
    'of that id first. Favourites and what you visited come first, then what is in your own projects. Artifacts are found by their titles, the newest first. Without ' +
    'words: what you like, visited and belong to. Kinds that are not asked for are empty.',
  query: Type.Object({
    words: Type.Optional(Type.String()),
    project_id: Type.Optional(Type.Integer({ description: 'Only what is in this project' })),
    kinds: Type.Optional(
      Type.Array(Type.String(), { description: `Of ${quickKinds.join(', ')}; commas or repeated` }),
    ),
  }),
  response: Type.Object(
    {
      projects: results(),
      trackers: results(),
      reports: results(),
      dashboards: results(),
      artifacts: results(),
      people: results(),
      repositories: results(),
    },
    { $id: 'QuickResults' },
  ),
});

export const quickSearchRoutes = [quickSearch] as const;
