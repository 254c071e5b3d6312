import Type, { type Static } from '@bundled/typebox';
import { defineRoute, idParams } from './route.ts';

export const LinkType = Type.Object(
  {
    shortname: Type.String(),
    forward_label: Type.String(),
    reverse_label: Type.String(),
    is_system: Type.Boolean({ description: 'Belongs to the platform and stays as it is' }),
  },
  { $id: 'LinkType' },
);
export type LinkType = Static<typeof LinkType>;

export const listLinkTypes = defineRoute({
  method: 'GET',
  path: '/link_types',
  kind: 'protected',
  own: true,
  summary: 'Types of links between artifacts; a link without type is always possible',
  description: 'Those of the system cannot be changed.',
  response: Type.Array(LinkType),
});

export const createLinkType = defineRoute({
  method: 'POST',
  path: '/link_types',
  kind: 'protected',
  own: true,
  summary: 'Define a type of links, for site administrators',
  description: 'Every project can use it unless it switches it off.',
  example: { body: { shortname: 'depends_on', forward_label: 'Depends on', reverse_label: 'Is needed by' } },
  argument: 'link_type',
  body: Type.Object({
    shortname: Type.String({ description: 'Letters and underscores, beginning with a letter' }),
    forward_label: Type.String(),
    reverse_label: Type.String(),
  }),
  status: 201,
  response: LinkType,
});

export const patchLinkType = defineRoute({
  method: 'PATCH',
  path: '/link_types/{shortname}',
  kind: 'protected',
  own: true,
  summary: 'Change the labels of a type of links, for site administrators',
  description: 'What is not given stays. Types of the system cannot be changed.',
  example: { params: { shortname: 'custom' }, body: { forward_label: 'Belongs to', reverse_label: 'Has' } },
  params: Type.Object({ shortname: Type.String() }),
  argument: 'link_type',
  body: Type.Object({
    forward_label: Type.Optional(Type.String()),
    reverse_label: Type.Optional(Type.String()),
  }),
  response: LinkType,
});

export const deleteLinkType = defineRoute({
  method: 'DELETE',
  path: '/link_types/{shortname}',
  kind: 'protected',
  own: true,
  summary: 'Delete a type of links that no link has, for site administrators',
  description: 'Types of the system cannot be deleted.',
  params: Type.Object({ shortname: Type.String() }),
});

const DisabledLinkTypes = Type.Object({ shortnames: Type.Array(Type.String(), { maxItems: 1000 }) });

export const getDisabledLinkTypes = defineRoute({
  method: 'GET',
  path: '/projects/{id}/disabled_link_types',
  kind: 'protected',
  own: true,
  summary: 'Types of links that the project does not use',
  description: 'Links that have such a type stay; new ones cannot be made in the project.',
  params: idParams,
  response: DisabledLinkTypes,
});

export const putDisabledLinkTypes = defineRoute({
  method: 'PUT',
  path: '/projects/{id}/disabled_link_types',
  kind: 'protected',
  own: true,
  summary: 'Replace the types of links that the project does not use, for its administrators',
  description: 'Types that are not named can be used again.',
  example: { params: { id: 101 }, body: { shortnames: ['_covered_by'] } },
  params: idParams,
  argument: 'link_types',
  body: DisabledLinkTypes,
  response: DisabledLinkTypes,
});

export const linkTypeRoutes = [
  listLinkTypes,
  createLinkType,
  patchLinkType,
  deleteLinkType,
  getDisabledLinkTypes,
  putDisabledLinkTypes,
] as const;
