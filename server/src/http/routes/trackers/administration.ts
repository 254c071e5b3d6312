import * as contract from '@atelier/contract';
import type { Viewer } from '../../../kernel/viewer.ts';
import {
  presentAllSemantics,
  presentFieldPermissions,
  presentTrackerPermissions,
} from '../../../present/index.ts';
import {
  type NewField,
  type NewListValue,
  requireTrackerAdministrator,
  type SemanticChanges,
} from '../../../trackers/index.ts';
import { groupPresenter, presentFormElement } from '../../forms/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { administeredTrackerOf, fieldWithId, viewAfter } from './forms.ts';

type FieldBody = contract.BodyOf<typeof contract.createField>;
type ValueInput = NonNullable<contract.BodyOf<typeof contract.createListValues>['values']>[number];

const newValue = ({ is_hidden: isHidden, is_default: isDefault, ...value }: ValueInput): NewListValue => ({
  ...value,
  isHidden,
  isDefault,
});

function newField(trackerId: number, body: FieldBody): NewField {
  const { bind: input } = body;
  return {
    trackerId,
    type: body.type,
    label: body.label,
    name: body.name,
    description: body.description,
    parentId: body.parent_id,
    rank: body.rank,
    nextSiblingId: body.next_sibling_id,
    isRequired: body.required,
    hasNotifications: body.has_notifications,
    properties: body.specific_properties,
    bind: input && {
      kind: input.type,
      isAlphabetic: input.is_alphabetic,
      values: input.values?.map(newValue),
      groups: input.groups,
    },
    defaults: body.default_values,
  };
}

function formBindings(services: Services): RouteBinding[] {
  const { operations } = services;
  const element = async (viewer: Viewer, trackerId: number, fieldId: number) => {
    const view = await viewAfter(services, viewer, trackerId);
    return { body: await presentFormElement(services, viewer, view, fieldWithId(view, fieldId)) };
  };
  return [
    bind(contract.createField, async ({ viewer, params, body }) => {
      const fieldId = await operations.createField(viewer, newField(params.id, body));
      return element(viewer, params.id, fieldId);
    }),
    bind(contract.createListValues, async ({ viewer, params, body }) => {
      const { values, groups } = body;
      const additions = { id: params.id, values: values?.map(newValue), groups };
      return element(viewer, await operations.addListValues(viewer, additions), params.id);
    }),
    bind(contract.patchListValue, async ({ viewer, params, body }) => {
      const { is_hidden: isHidden, is_default: isDefault, next_value_id: nextValueId, ...texts } = body;
      const place = { fieldId: params.id, valueId: params.value_id, nextValueId };
      const change = { ...place, ...texts, isHidden, isDefault };
      return element(viewer, await operations.changeListValue(viewer, change), params.id);
    }),
  ];
}

function permissionBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers } = services;
  return [
    bind(contract.getTrackerPermissions, async ({ viewer, params }) => {
      const view = await trackers.require(database, viewer, params.id, await database.revisions());
      requireTrackerAdministrator(view);
      const group = await groupPresenter(services, view.tracker);
      return { body: presentTrackerPermissions(view.tracker, group) };
    }),
    bind(contract.getFieldPermissions, async ({ viewer, params }) => {
      const view = await administeredTrackerOf(services, viewer, params.id);
      const group = await groupPresenter(services, view.tracker);
      return { body: presentFieldPermissions(fieldWithId(view, params.id), group) };
    }),
    bind(contract.putTrackerPermissions, async ({ viewer, params, body }) => {
      const grants = {
        full: body.can_access,
        submitter_only: body.can_access_submitted_by_user,
        assignee: body.can_access_assigned_to_group,
        submitter: body.can_access_submitted_by_group,
        admin: body.can_admin,
      };
      await operations.setTrackerPermissions(viewer, { id: params.id, grants });
      const { tracker } = await viewAfter(services, viewer, params.id);
      return { body: presentTrackerPermissions(tracker, await groupPresenter(services, tracker)) };
    }),
    bind(contract.putFieldPermissions, async ({ viewer, params, body }) => {
      const grants = { read: body.can_read, submit: body.can_submit, update: body.can_update };
      const trackerId = await operations.setFieldPermissions(viewer, { id: params.id, grants });
      const view = await viewAfter(services, viewer, trackerId);
      const group = await groupPresenter(services, view.tracker);
      return { body: presentFieldPermissions(fieldWithId(view, params.id), group) };
    }),
  ];
}

type SemanticsBody = contract.BodyOf<typeof contract.putSemantics>;

const oneField = (input: { field_id: number } | null | undefined) => input && { fieldId: input.field_id };

function semanticChanges(body: SemanticsBody): SemanticChanges {
  const { status, timeframe, progress, done, tooltip } = body;
  return {
    title: oneField(body.title),
    description: oneField(body.description),
    status: status && { fieldId: status.field_id, openIds: status.value_ids },
    contributor: oneField(body.contributor),
    timeframe: timeframe && {
      startFieldId: timeframe.start_date_field_id,
      durationFieldId: timeframe.duration_field_id,
      endFieldId: timeframe.end_date_field_id,
      impliedFromTrackerId: timeframe.implied_from_tracker?.id,
    },
    progress: progress && {
      totalFieldId: progress.total_effort_field_id,
      remainingFieldId: progress.remaining_effort_field_id,
      linkType: progress.artifact_link_type,
    },
    initial_effort: oneField(body.initial_effort),
    done: done && { valueIds: done.value_ids },
    tooltip: tooltip && { fieldIds: tooltip.field_ids },
  };
}

function semanticsBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers } = services;
  return [
    bind(contract.getSemantics, async ({ viewer, params }) => {
      const view = await trackers.require(database, viewer, params.id, await database.revisions());
      requireTrackerAdministrator(view);
      return { body: presentAllSemantics(view.tracker.semantics) };
    }),
    bind(contract.putSemantics, async ({ viewer, params, body }) => {
      await operations.changeSemantics(viewer, { id: params.id, ...semanticChanges(body) });
      const { tracker } = await viewAfter(services, viewer, params.id);
      return { body: presentAllSemantics(tracker.semantics) };
    }),
  ];
}

export function trackerAdministrationBindings(services: Services): RouteBinding[] {
  return [...formBindings(services), ...permissionBindings(services), ...semanticsBindings(services)];
}
