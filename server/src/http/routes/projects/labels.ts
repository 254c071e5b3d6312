import * as contract from '@atelier/contract';
import { defaultLabelColor, type Label, listLabels } from '../../../projects/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const presentLabel = ({ id, label, isOutline, color }: Label): contract.Label => ({
  id,
  label,
  is_outline: isOutline,
  color,
});

export function labelBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.listLabels, async ({ viewer, params, query: { query: part = '', limit, offset } }) => {
      const search = { projectId: params.id, part, limit, offset };
      const { items, size } = await listLabels(database, viewer, search);
      return { body: { labels: items.map(presentLabel) }, page: { limit, offset, size } };
    }),
    bind(contract.createLabel, async ({ viewer, params, body }) => {
      const { label, is_outline: isOutline = false, color = defaultLabelColor } = body;
      const created = await operations.createLabel(viewer, { projectId: params.id, label, isOutline, color });
      return { body: presentLabel(created) };
    }),
    bind(contract.patchLabel, async ({ viewer, params, body }) => {
      const { label, is_outline: isOutline, color } = body;
      const address = { id: params.label_id, projectId: params.id };
      return {
        body: presentLabel(await operations.changeLabel(viewer, { ...address, label, isOutline, color })),
      };
    }),
    bind(contract.deleteLabel, async ({ viewer, params }) => {
      await operations.deleteLabel(viewer, { id: params.label_id, projectId: params.id });
      return {};
    }),
  ];
}
