import * as contract from '@atelier/contract';
import { gather, listLinked, listNatures, type Nature, readArtifact } from '../../../artifacts/index.ts';
import { flatText, jsonArray } from '../../../present/index.ts';
import type { Field, TrackerView } from '../../../trackers/index.ts';
import { ArtifactParts, type Writing } from '../../in-parts.ts';
import { bind, JsonParts, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { asCollection, collectionFrame } from './artifacts.ts';

const presentNature = (artifactId: number, { type, direction, label }: Nature): contract.LinkNature => ({
  shortname: type,
  direction,
  label,
  uri: `artifacts/${artifactId}/linked_artifacts?nature=${encodeURIComponent(type)}&direction=${direction}`,
});

/** Artifacts as one simple value for each field. */
export const asFlat = (
  withJoinedLists: boolean,
  fieldsOf?: (view: TrackerView) => readonly Field[],
): Writing => ({
  gather: (readContext, artifacts) => gather(readContext, artifacts),
  text: (artifact, related, presentation) =>
    flatText(artifact, related, presentation, withJoinedLists, fieldsOf?.(artifact.view)),
});

export function artifactLinkBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.listLinkNatures, async ({ viewer, params, room }) => {
      const { readContext, artifact } = await readArtifact(database, viewer, trackers, params.id, { room });
      const natures = await listNatures(readContext, artifact);
      return { body: { natures: natures.map((nature) => presentNature(params.id, nature)) } };
    }),
    bind(contract.listLinkedArtifacts, async ({ viewer, params, query, room }) => {
      const { direction, nature: type, output_format: format = 'nested', limit, offset } = query;
      const { readContext, artifact } = await readArtifact(database, viewer, trackers, params.id, { room });
      const { items, size } = await listLinked(readContext, artifact, { direction, type, limit, offset });
      const [writing, frame] =
        format === 'nested' ? [asCollection, collectionFrame] : [asFlat(format !== 'flat'), jsonArray];
      const parts = new ArtifactParts(services, { viewer, room }, items, writing, frame);
      return { body: new JsonParts(parts), page: { limit, offset, size } };
    }),
  ];
}
