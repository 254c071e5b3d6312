import Type, { type Static } from '@bundled/typebox';
import { choice, defineRoute, idParams } from './route.ts';

export const RankedArtifact = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    rank: Type.Integer({ description: 'Only the order of ranks means something' }),
  },
  { $id: 'RankedArtifact' },
);
export type RankedArtifact = Static<typeof RankedArtifact>;

export const listRankedArtifacts = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/artifact_ranks',
  kind: 'hybrid',
  own: true,
  summary: 'Artifacts of a tracker that you may see, in the order of their ranks',
  description: 'Ranks are changed by `PATCH /artifact_ranks`.',
  params: idParams,
  paging: { default: 100, maximum: 1000, minimum: 1 },
  response: Type.Array(RankedArtifact),
});

export const patchArtifactRanks = defineRoute({
  method: 'PATCH',
  path: '/artifact_ranks',
  kind: 'protected',
  own: true,
  summary: 'Move artifacts before or after another',
  description:
    'For whoever may change a field of each of them. They then stand one after the other, in the order in which they are listed.',
  example: { body: { ids: [12, 13], direction: 'after', compared_to: 14 } },
  argument: 'order',
  isRepeatable: true,
  body: Type.Object({
    ids: Type.Array(Type.Integer(), { minItems: 1, maxItems: 500 }),
    direction: choice(['before', 'after']),
    compared_to: Type.Integer({ description: 'The artifact next to which they shall stand' }),
  }),
  response: Type.Array(RankedArtifact),
});

export const artifactRankRoutes = [listRankedArtifacts, patchArtifactRanks] as const;
