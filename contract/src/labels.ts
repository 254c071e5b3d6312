import Type, { type Static } from '@bundled/typebox';
import { choice, defineRoute, idParams } from './route.ts';

/** The colours of labels and trackers. */
export const colorNames = [
  'inca-silver',
  'chrome-silver',
  'firemist-silver',
  'red-wine',
  'fiesta-red',
  'coral-pink',
  'teddy-brown',
  'clockwork-orange',
  'graffiti-yellow',
  'army-green',
  'neon-green',
  'acid-green',
  'sherwood-green',
  'ocean-turquoise',
  'surf-green',
  'deep-blue',
  'lake-placid-blue',
  'daphne-blue',
  'plum-crazy',
  'ultra-violet',
  'lilac-purple',
  'panther-pink',
  'peggy-pink',
  'flamingo-pink',
] as const;

export const Label = Type.Object(
  { id: Type.Integer(), label: Type.String(), is_outline: Type.Boolean(), color: Type.String() },
  { $id: 'Label' },
);
export type Label = Static<typeof Label>;

export const listLabels = defineRoute({
  method: 'GET',
  path: '/projects/{id}/labels',
  kind: 'hybrid',
  summary: 'Labels of a project, by name',
  description: '`query` finds labels whose name contains a text.',
  params: idParams,
  query: Type.Object({ query: Type.Optional(Type.String({ description: 'Part of the name' })) }),
  paging: { default: 50, maximum: 50, minimum: 1 },
  response: Type.Object({ labels: Type.Array(Label) }),
});

export const createLabel = defineRoute({
  method: 'POST',
  path: '/projects/{id}/labels',
  kind: 'protected',
  own: true,
  summary: 'Add a label to a project, for its administrators',
  description: 'A name that the project has already, in whatever case, is refused.',
  example: { params: { id: 101 }, body: { label: 'urgent', color: 'fiesta-red' } },
  params: idParams,
  argument: 'label_representation',
  body: Type.Object({
    label: Type.String(),
    is_outline: Type.Optional(Type.Boolean()),
    color: Type.Optional(choice(colorNames)),
  }),
  status: 201,
  response: Label,
});

const labelParams = Type.Object({ id: Type.Integer(), label_id: Type.Integer() });

export const patchLabel = defineRoute({
  method: 'PATCH',
  path: '/projects/{id}/labels/{label_id}',
  kind: 'protected',
  own: true,
  summary: 'Change a label',
  description: 'For project administrators. What is not given stays.',
  example: { params: { id: 101, label_id: 1 }, body: { label: 'very urgent', is_outline: true } },
  params: labelParams,
  argument: 'label_representation',
  body: Type.Object({
    label: Type.Optional(Type.String()),
    is_outline: Type.Optional(Type.Boolean()),
    color: Type.Optional(choice(colorNames)),
  }),
  response: Label,
});

export const deleteLabel = defineRoute({
  method: 'DELETE',
  path: '/projects/{id}/labels/{label_id}',
  kind: 'protected',
  own: true,
  summary: 'Delete a label',
  description: 'For project administrators. It cannot be undone.',
  params: labelParams,
});

export const labelRoutes = [listLabels, createLabel, patchLabel, deleteLabel] as const;
