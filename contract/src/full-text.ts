import Type, { type Static } from '@bundled/typebox';
import { Status } from './artifacts.ts';
import { choice, defineRoute, nullable } from './route.ts';
import { MinimalTracker, ProjectReference } from './trackers.ts';

const place = (words: string) => choice(['title', 'text', 'comment', 'file'], { description: words });

export const FoundArtifact = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String(),
    xref: Type.String(),
    tracker: MinimalTracker,
    project: ProjectReference,
    title: nullable(Type.String()),
    full_status: nullable(Status),
    found_in: place('The worst of the places that it takes to have all words; results are sorted by it'),
    snippets: Type.Array(
      Type.Object({
        place: place('Where the snippet is from'),
        field_id: nullable(Type.Integer({ description: 'Null for comments' })),
        text: Type.String({ description: 'Plain text around what was found' }),
        highlights: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }), {
          description: 'What was found, by its place in `text`, counted in UTF-16 code units',
        }),
        html: Type.String({ description: 'The same as safe HTML, with `mark` around what was found' }),
      }),
    ),
  },
  { $id: 'FoundArtifact' },
);
export type FoundArtifact = Static<typeof FoundArtifact>;

const criteria = {
  words: Type.String({ description: 'At most ten' }),
  is_open: Type.Optional(Type.Boolean({ description: 'Only open artifacts, or only closed ones' })),
  updated_after: Type.Optional(Type.String({ description: 'ISO 8601; changed after that' })),
};

export const searchArtifacts = defineRoute({
  method: 'GET',
  path: '/search',
  kind: 'hybrid',
  own: true,
  summary: 'Artifacts that have all of some words, on the platform or in a project',
  description:
    'Words are looked for in titles, texts, comments and names of files, in this order of importance, anywhere inside ' +
    'other words and without regard to case and accents. Words in quotes must stand together. Newer artifacts come first ' +
    'among those that are found in the same places.',
  query: Type.Object({
    ...criteria,
    project_id: Type.Optional(Type.Integer()),
    tracker_id: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Only in these trackers', maxItems: 100 }),
    ),
  }),
  paging: { default: 10, maximum: 50, minimum: 1 },
  response: Type.Array(FoundArtifact),
});

export const countFoundArtifacts = defineRoute({
  method: 'GET',
  path: '/search/trackers',
  kind: 'hybrid',
  own: true,
  summary: 'In which trackers some words are, and how often',
  description:
    'Exact numbers of what GET /search finds with the same words; trackers without any are left out.',
  query: Type.Object(criteria),
  response: Type.Array(Type.Object({ tracker: MinimalTracker, count: Type.Integer() })),
});

export const fullTextRoutes = [searchArtifacts, countFoundArtifacts] as const;
