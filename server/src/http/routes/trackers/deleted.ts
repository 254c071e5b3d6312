import * as contract from '@atelier/contract';
import { formatInstant } from '../../../kernel/clock.ts';
import { presentMinimalTracker } from '../../../present/index.ts';
import { type DeletedTracker, listDeletedTrackers } from '../../../trackers/index.ts';
import { describeTracker } from '../../forms/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

function present({ tracker, deletedOn }: DeletedTracker): contract.DeletedTracker {
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
      const deleted = await listDeletedTrackers(database, viewer, { projectId: params.id, ...query });
      return pageOf(query, deleted, present);
    }),
    bind(contract.restoreTracker, async ({ viewer, params, body }) => {
      await operations.restoreTracker(viewer, { id: params.id, itemName: body.item_name });
      const revisions = await database.revisions();
      const view = await trackers.require(database, viewer, params.id, revisions);
      return { body: await describeTracker(services, viewer, view, revisions) };
    }),
  ];
}
