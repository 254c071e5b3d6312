import * as contract from '@atelier/contract';
import { isObject } from '../../../kernel/values.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { presentActions, presentRules, presentTransition, presentTrigger } from '../../../present/index.ts';
import {
  requireTrackerAdministrator,
  requireTrackerOfTransition,
  requireTransition,
  type Tracker,
} from '../../../trackers/index.ts';
import { describeTracker } from '../../forms/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

/** What a text means as JSON; undefined when it is none, which is told once it is clear who may know of it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The change that a request asks for: in the query string or, without one, in the body. */
function inputIn(query: string, body: contract.BodyOf<typeof contract.patchTracker>): unknown {
  if (query.trim() !== '') return parsed(query);
  const { query: wrapped } = body;
  return typeof wrapped === 'string' ? parsed(wrapped) : (wrapped ?? body);
}

/** A tracker that the viewer administers. */
async function administered({ database, trackers }: Services, viewer: Viewer, id: number): Promise<Tracker> {
  const view = await trackers.require(database, viewer, id, await database.revisions());
  requireTrackerAdministrator(view);
  return view.tracker;
}

function transitionBindings(services: Services): RouteBinding[] {
  const { database, operations } = services;
  const read = async (viewer: Viewer, id: number) => {
    const tracker = await administered(services, viewer, await requireTrackerOfTransition(database, id));
    return { tracker, transition: requireTransition(tracker, id) };
  };
  return [
    bind(contract.createTransition, async ({ viewer, body }) => {
      const { tracker_id: trackerId, from_id: fromId, to_id: toId } = body;
      const id = await operations.createTransition(viewer, { trackerId, fromId, toId });
      return { body: { id, uri: `tracker_workflow_transitions/${id}` } };
    }),
    bind(contract.getTransition, async ({ viewer, params }) => {
      const { tracker, transition } = await read(viewer, params.id);
      return { body: presentTransition(tracker, transition) };
    }),
    bind(contract.patchTransition, async ({ viewer, params, body }) => {
      await operations.changeConditions(viewer, {
        id: params.id,
        groups: body.authorized_user_group_ids,
        notEmptyIds: body.not_empty_field_ids,
        isCommentRequired: body.is_comment_required,
      });
      return {};
    }),
    bind(contract.deleteTransition, async ({ viewer, params }) => {
      await operations.deleteTransition(viewer, params);
      return {};
    }),
    bind(contract.listPostActions, async ({ viewer, params }) => {
      const { tracker, transition } = await read(viewer, params.id);
      return { body: presentActions(tracker, transition) };
    }),
    bind(contract.putPostActions, async ({ viewer, params, body, isXml }) => {
      const actions = isXml ? body.post_actions.map(withEmptyText) : body.post_actions;
      await operations.changePostActions(viewer, { id: params.id, actions });
      return {};
    }),
  ];
}

/** What empties a date is an empty text, for which XML has nothing but an empty element. */
const withEmptyText = (action: unknown): unknown =>
  isObject(action) && action['value'] === null ? { ...action, value: '' } : action;

type RulesBody = contract.BodyOf<typeof contract.putRules>;

const dateRule = (rule: NonNullable<RulesBody['dates']>[number]) => ({
  sourceFieldId: rule.source_field_id,
  targetFieldId: rule.target_field_id,
  comparator: rule.comparator,
});

const listRule = (rule: NonNullable<RulesBody['lists']>[number]) => ({
  sourceFieldId: rule.source_field_id,
  sourceValueId: rule.source_value_id,
  targetFieldId: rule.target_field_id,
  targetValueId: rule.target_value_id,
});

const fieldValue = (input: { field_id: number; value_id: number }) => ({
  fieldId: input.field_id,
  valueId: input.value_id,
});

function ruleBindings(services: Services): RouteBinding[] {
  const { operations } = services;
  const rules = async (viewer: Viewer, id: number) => ({
    body: presentRules((await administered(services, viewer, id)).rules),
  });
  const triggers = async (viewer: Viewer, id: number) => ({
    body: (await administered(services, viewer, id)).triggers.own.map(presentTrigger),
  });
  return [
    bind(contract.getRules, ({ viewer, params }) => rules(viewer, params.id)),
    bind(contract.putRules, async ({ viewer, params, body }) => {
      const dates = body.dates?.map(dateRule);
      const lists = body.lists?.map(listRule);
      await operations.changeRules(viewer, { id: params.id, dates, lists });
      return rules(viewer, params.id);
    }),
    bind(contract.listTriggers, ({ viewer, params }) => triggers(viewer, params.id)),
    bind(contract.putTriggers, async ({ viewer, params, body }) => {
      const wanted = body.triggers.map(({ condition, target, children }) => ({
        needsAll: condition === 'all_of',
        target: fieldValue(target),
        children: children.map(fieldValue),
      }));
      await operations.changeTriggers(viewer, { id: params.id, triggers: wanted });
      return triggers(viewer, params.id);
    }),
  ];
}

export function workflowBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers } = services;
  return [
    bind(contract.patchTracker, async ({ viewer, params, query, body }) => {
      const input = inputIn(query.query ?? '', body);
      await operations.changeWorkflow(viewer, { id: params.id, input });
      const revisions = await database.revisions();
      const view = await trackers.require(database, viewer, params.id, revisions);
      return { body: await describeTracker(services, viewer, view, revisions) };
    }),
    ...transitionBindings(services),
    ...ruleBindings(services),
  ];
}
