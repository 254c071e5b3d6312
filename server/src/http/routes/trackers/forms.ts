import * as contract from '@atelier/contract';
import { notFound } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { presentFieldSettings } from '../../../present/index.ts';
import {
  type FieldChange,
  type FieldPatch,
  findTrackerOf,
  loadRemovedElements,
  requireTrackerAdministrator,
  type TrackerView,
  unknownTracker,
} from '../../../trackers/index.ts';
import { groupPresenter, presentFormElement, presentPlainElement } from '../../forms/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

type PatchBody = contract.BodyOf<typeof contract.patchField>;

const patchIn = (id: number, { move, ...body }: PatchBody): FieldPatch => ({
  id,
  label: body.label,
  description: body.description,
  name: body.name,
  isUsed: body.use_it,
  newValues: body.new_values,
  move: move && { parentId: move.parent_id ?? null, nextSiblingId: move.next_sibling_id ?? null },
});

type SettingsBody = contract.BodyOf<typeof contract.patchFieldSettings>;

const changeIn = (id: number, body: SettingsBody): FieldChange => ({
  id,
  label: body.label,
  name: body.name,
  description: body.description,
  isRequired: body.required,
  hasNotifications: body.has_notifications,
  properties: body.specific_properties,
  isAlphabetic: body.is_alphabetic,
  groups: body.groups,
  defaults: body.default_values,
  parentId: body.parent_id,
  nextSiblingId: body.next_sibling_id,
});

/** A tracker after a change that the viewer was allowed to make, whatever they may see of it now. */
export async function viewAfter(
  { database, trackers }: Services,
  viewer: Viewer,
  id: number,
): Promise<TrackerView> {
  const revisions = await database.revisions();
  const tracker = await trackers.find(database, id, revisions);
  if (tracker === undefined) throw unknownTracker();
  return trackers.view(database, viewer, tracker, revisions);
}

export function fieldWithId({ tracker }: TrackerView, id: number) {
  const field = tracker.elementById.get(id);
  if (field === undefined) throw notFound('There is no such field.');
  return field;
}

/** The tracker of a form element, for those who administer it. */
export async function administeredTrackerOf(
  { database, trackers }: Services,
  viewer: Viewer,
  fieldId: number,
): Promise<TrackerView> {
  const id = await findTrackerOf(database, fieldId);
  if (id === undefined) throw notFound('There is no such field.');
  const view = await trackers.require(database, viewer, id, await database.revisions());
  requireTrackerAdministrator(view);
  return view;
}

async function settingsOf(services: Services, view: TrackerView, fieldId: number) {
  const group = await groupPresenter(services, view.tracker);
  return { body: presentFieldSettings(fieldWithId(view, fieldId), group, false) };
}

function readingBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.listFormElements, async ({ viewer, params }) => {
      const view = await trackers.require(database, viewer, params.id, await database.revisions());
      requireTrackerAdministrator(view);
      const group = await groupPresenter(services, view.tracker);
      const removed = await loadRemovedElements(database, params.id);
      return {
        body: [
          ...view.tracker.elements.map((field) => presentFieldSettings(field, group, false)),
          ...removed.map((field) => presentFieldSettings(field, group, true)),
        ],
      };
    }),
    bind(contract.getFieldSettings, async ({ viewer, params }) =>
      settingsOf(services, await administeredTrackerOf(services, viewer, params.id), params.id),
    ),
  ];
}

function changingBindings(services: Services): RouteBinding[] {
  const { operations } = services;
  return [
    bind(contract.patchField, async ({ viewer, params, body }) => {
      const trackerId = await operations.patchField(viewer, patchIn(params.id, body));
      const view = await viewAfter(services, viewer, trackerId);
      return { body: await presentPlainElement(services, viewer, view, fieldWithId(view, params.id)) };
    }),
    bind(contract.deleteField, async ({ viewer, params }) => {
      await operations.removeField(viewer, { id: params.id });
      return {};
    }),
    bind(contract.patchFieldSettings, async ({ viewer, params, body }) => {
      const trackerId = await operations.changeField(viewer, changeIn(params.id, body));
      return settingsOf(services, await viewAfter(services, viewer, trackerId), params.id);
    }),
    bind(contract.restoreField, async ({ viewer, params, body }) => {
      const trackerId = await operations.restoreField(viewer, { id: params.id, name: body.name });
      return settingsOf(services, await viewAfter(services, viewer, trackerId), params.id);
    }),
    bind(contract.deleteListValue, async ({ viewer, params }) => {
      const { id: fieldId, value_id: valueId } = params;
      const trackerId = await operations.removeListValue(viewer, { fieldId, valueId });
      const view = await viewAfter(services, viewer, trackerId);
      return { body: await presentFormElement(services, viewer, view, fieldWithId(view, fieldId)) };
    }),
  ];
}

export function trackerFormBindings(services: Services): RouteBinding[] {
  return [...readingBindings(services), ...changingBindings(services)];
}
