import Type, { type Static } from '@bundled/typebox';
import { Artifact } from './artifacts.ts';
import { choice, defineRoute, idParams, nullable } from './route.ts';

export const LinkNature = Type.Object(
  {
    shortname: Type.String({ description: 'Empty for links without type' }),
    direction: choice(['forward', 'reverse']),
    label: Type.String(),
    uri: Type.String(),
  },
  { $id: 'LinkNature' },
);
export type LinkNature = Static<typeof LinkNature>;

export const listLinkNatures = defineRoute({
  method: 'GET',
  path: '/artifacts/{id}/links',
  kind: 'hybrid',
  summary: 'Types of the links that an artifact has',
  description: 'One entry for each type and direction, with the address of the artifacts behind it.',
  params: idParams,
  response: Type.Object({ natures: Type.Array(LinkNature) }),
});

export const FlatArtifact = Type.Record(
  Type.String(),
  nullable(Type.Union([Type.String(), Type.Number(), Type.Array(Type.String())])),
  { $id: 'FlatArtifact', description: 'One simple value for each field, by its short name' },
);
export type FlatArtifact = Static<typeof FlatArtifact>;

export const listLinkedArtifacts = defineRoute({
  method: 'GET',
  path: '/artifacts/{id}/linked_artifacts',
  kind: 'hybrid',
  summary: 'Artifacts that are linked with a type and in a direction',
  description: 'Without `direction` both. `nature` is the short name of a type, empty for links without one.',
  params: idParams,
  query: Type.Object({
    direction: Type.Optional(
      choice(['forward', 'reverse'], {
        description: 'Without it, both: what the artifact links to, then what links to it',
      }),
    ),
    nature: Type.Optional(
      Type.String({
        description:
          'Short name of the type; none for links without type. Without a direction, none means links of every type',
      }),
    ),
    output_format: Type.Optional(
      choice(['nested', 'flat', 'flat_with_semicolon_string_array'], {
        description:
          'flat: a bare array of objects with one simple value for each field; the third format joins lists with ;',
      }),
    ),
  }),
  paging: { default: 10, maximum: 50, minimum: 1 },
  response: Type.Union([Type.Object({ collection: Type.Array(Artifact) }), Type.Array(FlatArtifact)]),
});

export const artifactLinkRoutes = [listLinkNatures, listLinkedArtifacts] as const;
