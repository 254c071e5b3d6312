import * as contract from '@atelier/contract';
import { forecastMove, type MoveForecast, move } from '../../../artifacts/index.ts';
import type { Field } from '../../../trackers/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const presentField = ({ id, label, name }: Field) => ({ field_id: id, label, name });

const presentForecast = ({ migrated, lost, partly }: MoveForecast): contract.ArtifactMove => ({
  dry_run: {
    fields: {
      fields_migrated: migrated.map(presentField),
      fields_not_migrated: lost.map(presentField),
      fields_partially_migrated: partly.map(presentField),
    },
  },
});

export function artifactMoveBindings({ database, keeper, operations, trackers }: Services): RouteBinding[] {
  return [
    bind(contract.patchArtifact, async ({ viewer, params, body: { move: request } }) => {
      const input = { id: params.id, trackerId: request.tracker_id };
      if (request.dry_run)
        return { body: presentForecast(await forecastMove(database, viewer, trackers, input)) };
      await keeper.erase(await move(operations, viewer, input));
      return { body: { dry_run: null } };
    }),
  ];
}
