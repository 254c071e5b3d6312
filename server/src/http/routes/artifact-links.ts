import * as contract from '@atelier/contract';
import type { Artifact, Nature, Sight } from '../../artifacts/index.ts';
import { gather, listLinked, listNatures, readArtifact } from '../../artifacts/index.ts';
import { flatText } from '../present/flat-artifacts.ts';
import { bind, Json, type RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { collectionText, mannerOf, written } from './artifacts.ts';

const presentNature = (artifactId: number, { type, direction, label }: Nature): contract.LinkNature => ({
  shortname: type,
  direction,
  label,
  uri: `artifacts/${artifactId}/linked_artifacts?nature=${encodeURIComponent(type)}&direction=${direction}`,
});

async function flatTexts(
  services: Services,
  sight: Sight,
  artifacts: readonly Artifact[],
  withJoinedLists: boolean,
): Promise<Json> {
  const manner = await mannerOf(services, sight);
  const surroundings = await gather(sight, artifacts);
  const text = await written(sight, manner, () =>
    artifacts.map((artifact) => flatText(artifact, surroundings, manner, withJoinedLists)).join(','),
  );
  return new Json(`[${text}]`);
}

export function artifactLinkBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.listLinkNatures, async ({ viewer, params }) => {
      const { sight, artifact } = await readArtifact(database, viewer, trackers, params.id);
      const natures = await listNatures(sight, artifact);
      return { body: { natures: natures.map((nature) => presentNature(params.id, nature)) } };
    }),
    bind(contract.listLinkedArtifacts, async ({ viewer, params, query }) => {
      const { direction, nature: type = '', output_format: format = 'nested', limit, offset } = query;
      const { sight, artifact } = await readArtifact(database, viewer, trackers, params.id);
      const { items, size } = await listLinked(sight, artifact, { direction, type, limit, offset });
      const body =
        format === 'nested'
          ? await collectionText(services, sight, items)
          : await flatTexts(services, sight, items, format !== 'flat');
      return { body, page: { limit, offset, size } };
    }),
  ];
}
