import * as contract from '@atelier/contract';
import { presentLinkTypeLabels } from '../../../present/index.ts';
import {
  isSystemType,
  type LinkType,
  listLinkTypes,
  readDisabledLinkTypes,
} from '../../../trackers/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const presentLinkType = (type: LinkType): contract.LinkType => ({
  ...presentLinkTypeLabels(type),
  is_system: isSystemType(type),
});

export function linkTypeBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.listLinkTypes, async () => ({
      body: (await listLinkTypes(database)).map(presentLinkType),
    })),
    bind(contract.createLinkType, async ({ viewer, body }) => {
      const { shortname, forward_label: forwardLabel, reverse_label: reverseLabel } = body;
      const type = await operations.createLinkType(viewer, { shortname, forwardLabel, reverseLabel });
      return { body: presentLinkType(type) };
    }),
    bind(contract.patchLinkType, async ({ viewer, params, body }) => {
      const { forward_label: forwardLabel, reverse_label: reverseLabel } = body;
      const change = { shortname: params.shortname, forwardLabel, reverseLabel };
      return { body: presentLinkType(await operations.changeLinkType(viewer, change)) };
    }),
    bind(contract.deleteLinkType, async ({ viewer, params }) => {
      await operations.deleteLinkType(viewer, { shortname: params.shortname });
      return {};
    }),
    bind(contract.getDisabledLinkTypes, async ({ viewer, params }) => ({
      body: { shortnames: await readDisabledLinkTypes(database, viewer, params.id) },
    })),
    bind(contract.putDisabledLinkTypes, async ({ viewer, params, body }) => {
      const { shortnames } = body;
      await operations.setDisabledLinkTypes(viewer, { projectId: params.id, shortnames });
      return { body: { shortnames: await readDisabledLinkTypes(database, viewer, params.id) } };
    }),
  ];
}
