import * as contract from '@atelier/contract';
import type { Ranked } from '../../../artifacts/index.ts';
import { requestKeyOf } from '../../pipeline/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const present = ({ id, rank }: Ranked): contract.RankedArtifact => ({ id, uri: `artifacts/${id}`, rank });

export function artifactRankBindings({ operations, searches }: Services): RouteBinding[] {
  return [
    bind(contract.listRankedArtifacts, async ({ viewer, params, query }) => {
      const ranked = await searches.findRankedArtifacts(viewer, { trackerId: params.id, ...query });
      return pageOf(query, ranked, present);
    }),
    bind(contract.patchArtifactRanks, async ({ viewer, body, headers }) => {
      const { ids, direction, compared_to: comparedTo } = body;
      const moved = await operations.rankArtifacts(viewer, {
        ids,
        direction,
        comparedTo,
        requestKey: requestKeyOf(headers, 'PATCH ranks', body),
      });
      return { body: moved.map(present) };
    }),
  ];
}
