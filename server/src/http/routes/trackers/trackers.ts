import * as contract from '@atelier/contract';
import { readTemplateTracker } from '../../../archive/index.ts';
import { second } from '../../../kernel/clock.ts';
import { invalid, invalidMember } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import type { XmlElement } from '../../../kernel/xml.ts';
import {
  fingerprintOf,
  presentMinimalTracker,
  presentOverviews,
  presentTrackerSettings,
} from '../../../present/index.ts';
import {
  listTrackers,
  reasonsAgainstTitleOnly,
  requireTrackerAdministrator,
  type TrackerSettings,
  type TrackerView,
} from '../../../trackers/index.ts';
import { describeTracker } from '../../forms/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { parseQueryObject } from '../artifacts/index.ts';

function isForAdministrators(query: string): boolean {
  if (query.trim() === '') return false;
  const criteria = parseQueryObject(query);
  if (criteria === undefined) throw invalid('parameter "query" must be a JSON object');
  const { is_tracker_admin: input } = criteria;
  if (input === undefined || input === null)
    throw invalid('parameter "query" must have the member "is_tracker_admin"');
  if (input !== true) throw invalid('parameter "query": "is_tracker_admin" can only be true');
  return true;
}

type SettingsBody = contract.BodyOf<typeof contract.patchTrackerSettings>;

const settingsIn = (body: SettingsBody): Partial<TrackerSettings> => ({
  label: body.label,
  itemName: body.item_name,
  description: body.description,
  color: body.color_name,
  notificationLevel: body.notification_level,
  parentId: body.parent_id,
  hasPrivateComments: body.has_private_comments,
});

function listBinding(services: Services): RouteBinding {
  const { database, trackers } = services;
  return bind(contract.listProjectTrackers, async ({ viewer, params, query }) => {
    const { representation = 'full', with_creation_semantic_check: check, limit, offset } = query;
    if (representation === 'full' && check !== undefined)
      throw invalid('`with_creation_semantic_check` needs `representation=minimal`.');
    const listing = {
      projectId: params.id,
      isForAdministrators: isForAdministrators(query.query ?? ''),
      limit,
      offset,
    };
    const revisions = await database.revisions();
    const { items, size } = await listTrackers(database, viewer, listing, { trackers, revisions });
    const page = { limit, offset, size };
    if (representation === 'minimal') {
      const reasons = check === undefined ? () => [] : reasonsAgainstTitleOnly;
      return { body: items.map((view) => presentMinimalTracker(view.tracker, reasons(view))), page };
    }
    const body: contract.Tracker[] = [];
    for (const view of items) body.push(await describeTracker(services, viewer, view, revisions));
    return { body, page };
  });
}

/** The tracker of a template that a new one shall be like; what else the request may say of it comes with the template. */
async function templateTrackerIn(body: contract.BodyOf<typeof contract.createTracker>): Promise<XmlElement> {
  const { from_template: wanted, from_tracker_id: sourceId } = body;
  if (sourceId !== undefined)
    throw invalidMember('from_tracker_id', 'A tracker is a copy, or like a template: not both.');
  if (body.notification_level !== undefined)
    throw invalidMember('notification_level', 'It comes with the template, and can be changed afterwards.');
  if (body.has_private_comments !== undefined)
    throw invalidMember('has_private_comments', 'It comes with the template, and can be changed afterwards.');
  const element = wanted && (await readTemplateTracker(wanted.name, wanted.item_name));
  if (element === undefined) throw invalidMember('from_template', 'There is no such tracker in a template.');
  return element;
}

export function trackerBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers } = services;
  const shown = async (viewer: Viewer, id: number) => {
    const revisions = await database.revisions();
    const view = await trackers.require(database, viewer, id, revisions);
    return { body: await describeTracker(services, viewer, view, revisions), view };
  };
  const whole = async (viewer: Viewer, id: number) => ({ body: (await shown(viewer, id)).body });
  return [
    listBinding(services),
    bind(contract.listTrackerOverviews, async ({ viewer, params }) => {
      const patience = services.config.searchSeconds * second;
      const overviews = await services.searches.findTrackerOverviews(viewer, {
        projectId: params.id,
        patience,
      });
      const revisions = await database.revisions();
      const views = new Map<number, TrackerView>();
      const ids = overviews.map(({ trackerId }) => trackerId);
      for (const tracker of await trackers.findAll(database, ids, revisions))
        views.set(tracker.id, await trackers.view(database, viewer, tracker, revisions));
      return { body: presentOverviews(overviews, views) };
    }),
    bind(contract.getTracker, async ({ viewer, params }) => {
      const { body, view } = await shown(viewer, params.id);
      const version = { tag: `tracker_${params.id}`, madeFrom: fingerprintOf(body, view) };
      return { body, version };
    }),
    bind(contract.createTracker, async ({ viewer, params, body }) => {
      const { label, item_name: itemName } = body;
      const { from_tracker_id: sourceId } = body;
      const tracker = { ...settingsIn(body), projectId: params.id, label, itemName };
      if (body.from_template === undefined)
        return whole(viewer, await operations.createTracker(viewer, { ...tracker, sourceId }));
      const element = await templateTrackerIn(body);
      const { id } = await operations.createTrackerFromTemplate(viewer, { tracker, element });
      return whole(viewer, id);
    }),
    bind(contract.getTrackerSettings, async ({ viewer, params }) => {
      const view = await trackers.require(database, viewer, params.id, await database.revisions());
      requireTrackerAdministrator(view);
      return { body: presentTrackerSettings(view.tracker) };
    }),
    bind(contract.patchTrackerSettings, async ({ viewer, params, body }) => {
      await operations.changeTracker(viewer, { id: params.id, ...settingsIn(body) });
      return whole(viewer, params.id);
    }),
  ];
}
