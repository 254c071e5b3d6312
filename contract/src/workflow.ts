import Type, { type Static } from '@bundled/typebox';
import { choice, defineRoute, idParams, nullable } from './route.ts';
import { DateRule, ListRule, Tracker } from './trackers.ts';

const path = '/tracker_workflow_transitions';

export const patchTracker = defineRoute({
  method: 'PATCH',
  path: '/trackers/{id}',
  kind: 'protected',
  summary: 'Make, use, switch or remove the workflow of a tracker, for its administrators',
  description:
    'The change is JSON in the parameter `query` or, without one, in the body: `{"workflow": {...}}` with one of ' +
    '`"set_transitions_rules": {"field_id": 12}` (makes a workflow on that list), `"set_transitions_rules": {"is_used": true}`, ' +
    '`"delete_transitions_rules": true`, `"is_legacy": false`, and `"is_advanced": true` or `false`.',
  example: { params: { id: 5 }, body: { workflow: { set_transitions_rules: { is_used: true } } } },
  params: idParams,
  query: Type.Object({ query: Type.Optional(Type.String({ description: 'The change, as JSON' })) }),
  body: Type.Object({
    workflow: Type.Optional(Type.Unknown({ description: 'The change' })),
    query: Type.Optional(Type.Unknown({ description: 'The whole change as JSON text' })),
  }),
  response: Tracker,
});

export const createTransition = defineRoute({
  method: 'POST',
  path,
  kind: 'protected',
  summary: 'Add a transition to the workflow of a tracker, for its administrators',
  description:
    'From a value, or from nothing (0) for new artifacts, to another value of the list that the workflow is about.',
  example: { body: { tracker_id: 5, from_id: 123, to_id: 125 } },
  body: Type.Object({
    tracker_id: Type.Integer(),
    from_id: Type.Integer({ description: 'Id of a value of the list; 0 for new artifacts' }),
    to_id: Type.Integer({ description: 'Id of a value of the list' }),
  }),
  status: 201,
  refusals: [404],
  response: Type.Object({ id: Type.Integer(), uri: Type.String() }),
});

export const Transition = Type.Object(
  {
    id: Type.Integer(),
    from_id: nullable(Type.Integer({ description: 'Null: new artifacts' })),
    to_id: Type.Integer(),
    authorized_user_group_ids: Type.Array(Type.String()),
    not_empty_field_ids: Type.Array(Type.Integer()),
    is_comment_required: Type.Boolean(),
  },
  { $id: 'Transition' },
);
export type Transition = Static<typeof Transition>;

export const getTransition = defineRoute({
  method: 'GET',
  path: `${path}/{id}`,
  kind: 'protected',
  summary: 'A transition with its conditions, for administrators of the tracker',
  description: 'Who may use it, which fields must have a value, and whether a comment is needed.',
  params: idParams,
  response: Transition,
});

/** Items that one list of a request may have. */
const mostItems = 1000;

export const patchTransition = defineRoute({
  method: 'PATCH',
  path: `${path}/{id}`,
  kind: 'protected',
  summary: 'Replace the conditions of a transition, for administrators of the tracker',
  description:
    'In the simple mode of the workflow all transitions to the same value get them. New artifacts never need a comment.',
  example: {
    params: { id: 32 },
    body: { authorized_user_group_ids: ['101_3'], not_empty_field_ids: [200], is_comment_required: false },
  },
  params: idParams,
  body: Type.Object({
    authorized_user_group_ids: Type.Array(
      Type.String({ description: '104, or 101_3 for group 3 of project 101' }),
      { minItems: 1, maxItems: mostItems },
    ),
    not_empty_field_ids: Type.Array(Type.Integer(), { maxItems: mostItems }),
    is_comment_required: Type.Boolean(),
  }),
});

export const deleteTransition = defineRoute({
  method: 'DELETE',
  path: `${path}/{id}`,
  kind: 'protected',
  summary: 'Delete a transition with its conditions and actions, for administrators of the tracker',
  description: 'The change of the status that it allowed is refused from then on.',
  params: idParams,
});

export const PostAction = Type.Object(
  {
    id: Type.Integer({ description: 'Unique among actions of one type and field_type' }),
    type: choice(['set_field_value', 'run_job', 'frozen_fields', 'hidden_fieldsets']),
    field_id: Type.Optional(Type.Integer()),
    field_type: Type.Optional(choice(['date', 'int', 'float'])),
    value: Type.Optional(
      Type.Unknown({
        description: 'A number; of dates "" for none and "current" for the moment of the change',
      }),
    ),
    job_url: Type.Optional(Type.String()),
    field_ids: Type.Optional(Type.Array(Type.Integer())),
    fieldset_ids: Type.Optional(Type.Array(Type.Integer())),
  },
  { $id: 'PostAction', description: 'What a transition, or the value that it leads to, does by itself' },
);
export type PostAction = Static<typeof PostAction>;

export const listPostActions = defineRoute({
  method: 'GET',
  path: `${path}/{id}/actions`,
  kind: 'protected',
  summary: 'What a transition does by itself, for administrators of the tracker',
  description:
    'Fields that are set, jobs that are called, fields that are frozen and fieldsets that are hidden.',
  params: idParams,
  response: Type.Array(PostAction),
});

export const putPostActions = defineRoute({
  method: 'PUT',
  path: `${path}/{id}/actions`,
  kind: 'protected',
  summary: 'Replace what a transition does by itself, for administrators of the tracker',
  description:
    'In the simple mode of the workflow all transitions to the same value get it. `frozen_fields` and `hidden_fieldsets` exist in that mode only.',
  example: {
    params: { id: 38 },
    body: {
      post_actions: [{ type: 'set_field_value', field_id: 206, field_type: 'date', value: 'current' }],
    },
  },
  params: idParams,
  body: Type.Object({
    post_actions: Type.Array(Type.Unknown({ description: 'As they are read; ids are not looked at' })),
  }),
});

/** Pairs of values that may stand together, over all lists of a tracker. */
const mostPairs = 20_000;

export const Rules = Type.Object(
  {
    dates: Type.Array(DateRule),
    lists: Type.Array(ListRule, { description: 'One for each pair of values that may stand together' }),
  },
  { $id: 'Rules' },
);

export const getRules = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/rules',
  kind: 'protected',
  own: true,
  summary: 'Rules between the fields of a tracker, for its administrators',
  description: 'Between dates, and between values of lists.',
  params: idParams,
  response: Rules,
});

export const putRules = defineRoute({
  method: 'PUT',
  path: '/trackers/{id}/rules',
  kind: 'protected',
  own: true,
  summary: 'Replace the rules between the fields of a tracker, for its administrators',
  description:
    'A list that is given replaces all rules of its kind, the other stays. A list of values can depend on one other only. 100 is an empty list.',
  example: {
    params: { id: 1 },
    body: { dates: [{ source_field_id: 107, comparator: '<', target_field_id: 108 }] },
  },
  params: idParams,
  argument: 'rules',
  body: Type.Object({
    dates: Type.Optional(Type.Array(DateRule, { maxItems: mostItems })),
    lists: Type.Optional(Type.Array(ListRule, { maxItems: mostPairs })),
  }),
  response: Rules,
});

const value = Type.Object({ field_id: Type.Integer(), value_id: Type.Integer() });
const trigger = {
  condition: choice(['at_least_one', 'all_of'], {
    description: 'How many of the children must have a value',
  }),
  target: value,
  children: Type.Array(value, { maxItems: mostItems, description: 'Values of fields of child trackers' }),
};

export const Trigger = Type.Object({ id: Type.Integer(), ...trigger }, { $id: 'Trigger' });
export type Trigger = Static<typeof Trigger>;

export const listTriggers = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/triggers',
  kind: 'protected',
  own: true,
  summary: 'What children set in their parents of this tracker, for its administrators',
  description: 'When children have certain values, a field of their parent gets one too.',
  params: idParams,
  response: Type.Array(Trigger),
});

export const putTriggers = defineRoute({
  method: 'PUT',
  path: '/trackers/{id}/triggers',
  kind: 'protected',
  own: true,
  summary: 'Replace what children set in their parents of this tracker, for its administrators',
  description:
    'When at least one child, or all of them, have one of the values, the field of the parent gets the target value.',
  example: {
    params: { id: 3 },
    body: {
      triggers: [
        {
          condition: 'all_of',
          target: { field_id: 153, value_id: 114 },
          children: [{ field_id: 177, value_id: 122 }],
        },
      ],
    },
  },
  params: idParams,
  argument: 'triggers',
  body: Type.Object({ triggers: Type.Array(Type.Object(trigger), { maxItems: 200 }) }),
  response: Type.Array(Trigger),
});

export const workflowRoutes = [
  patchTracker,
  createTransition,
  getTransition,
  patchTransition,
  deleteTransition,
  listPostActions,
  putPostActions,
  getRules,
  putRules,
  listTriggers,
  putTriggers,
] as const;
