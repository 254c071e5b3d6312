import * as contract from '@atelier/contract';
import { findAccount } from '../../../identity/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { presentMinimalTracker, presentMinimalUser } from '../../../present/index.ts';
import { type DeletedTracker, listDeletedTrackers } from '../../../trackers/index.ts';
import { describeTracker } from '../../forms/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

async function present(
  { database, publicUrl }: Services,
  viewer: Viewer,
  { tracker, deletedOn, deletedBy }: DeletedTracker,
): Promise<contract.DeletedTracker> {
  const account = deletedBy === 0 ? undefined : await findAccount(database, deletedBy);
  const { id, label, color_name, project } = presentMinimalTracker(tracker);
  const uri = `deleted_trackers/${id}`;
  return {
    id,
    uri,
    label,
    item_name: tracker.itemName,
    color_name,
    project,
    deleted_on: formatInstant(deletedOn),
    deleted_by: account === undefined ? null : presentMinimalUser(publicUrl, viewer, account),
  };
}

export function deletedTrackerBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers } = services;
  return [
    bind(contract.deleteTracker, async ({ viewer, params }) => {
      await operations.deleteTracker(viewer, { id: params.id });
      return {};
    }),
    bind(contract.listDeletedTrackers, async ({ viewer, params, query }) => {
      const { items, size } = await listDeletedTrackers(database, viewer, { projectId: params.id, ...query });
      const body = await Array.fromAsync(items, (item) => present(services, viewer, item));
      return { body, page: { ...query, size } };
    }),
    bind(contract.restoreTracker, async ({ viewer, params, body }) => {
      await operations.restoreTracker(viewer, { id: params.id, itemName: body.item_name });
      const revisions = await database.revisions();
      const view = await trackers.require(database, viewer, params.id, revisions);
      return { body: await describeTracker(services, viewer, view, revisions) };
    }),
  ];
}
