import Type from '@bundled/typebox';
import { colorNames } from './labels.ts';
import { groupIds, mostItems } from './request-parts.ts';
import { choice, defineRoute, idParams, nullable } from './route.ts';
import {
  AllSemantics,
  DoneSemantic,
  FieldSemantic,
  ProgressSemantic,
  StatusSemantic,
  TimeframeSemantic,
  TooltipSemantic,
} from './tracker-semantics.ts';
import { FieldPermissions, FormElement, TrackerPermissions } from './trackers.ts';

const color = Type.Union([
  choice(colorNames),
  Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'A colour of the old palette' }),
]);

const newValue = Type.Object({
  label: Type.String(),
  description: Type.Optional(Type.String()),
  color: Type.Optional(nullable(color)),
  is_hidden: Type.Optional(Type.Boolean()),
  is_default: Type.Optional(Type.Boolean()),
});

const listBind = Type.Object(
  {
    type: choice(['static', 'users', 'ugroups']),
    is_alphabetic: Type.Optional(Type.Boolean({ description: 'Show the values by label' })),
    values: Type.Optional(Type.Array(newValue, { description: 'For static: the values' })),
    groups: groupIds(
      'For users: the groups they come from, 0 for submitters, project members unless given. For ugroups: the values, all groups of the project unless given',
    ),
  },
  { description: 'Where a list takes its values from' },
);

export const createField = defineRoute({
  method: 'POST',
  path: '/trackers/{id}/fields',
  kind: 'protected',
  own: true,
  summary: 'Add a form element to a tracker, for its administrators',
  description:
    'Everybody may read a new field, registered users submit it and project members update it, as far as its type allows.',
  example: {
    params: { id: 5 },
    body: {
      type: 'sb',
      label: 'Environment',
      required: false,
      bind: {
        type: 'static',
        values: [{ label: 'Test' }, { label: 'Production', color: 'fiesta-red', is_default: true }],
      },
    },
  },
  params: idParams,
  argument: 'field',
  body: Type.Object({
    type: Type.String({ description: 'A type such as string, text, sb or fieldset' }),
    label: Type.String(),
    name: Type.Optional(Type.String({ description: 'Short name; made from the label unless given' })),
    description: Type.Optional(Type.String()),
    parent_id: Type.Optional(nullable(Type.Integer({ description: 'The container it stands in' }))),
    rank: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Position among the elements of the same parent',
      }),
    ),
    next_sibling_id: Type.Optional(
      nullable(Type.Integer({ description: 'The element before which it stands, instead of a rank' })),
    ),
    required: Type.Optional(Type.Boolean()),
    has_notifications: Type.Optional(
      Type.Boolean({ description: 'People chosen in the list are notified; for lists of users and groups' }),
    ),
    specific_properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    bind: Type.Optional(listBind),
    default_values: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: mostItems,
        description: 'Labels of static values, ids of users, or ids of groups',
      }),
    ),
  }),
  status: 201,
  response: FormElement,
});

export const createListValues = defineRoute({
  method: 'POST',
  path: '/tracker_fields/{id}/values',
  kind: 'protected',
  own: true,
  summary: 'Add values to the end of a list, for administrators of the tracker',
  description: 'They stand behind those that are there.',
  example: { params: { id: 200 }, body: { values: [{ label: 'Not known yet', color: 'chrome-silver' }] } },
  params: idParams,
  argument: 'list_values',
  body: Type.Object({
    values: Type.Optional(Type.Array(newValue, { description: 'For static lists' })),
    groups: groupIds('For lists of user groups'),
  }),
  status: 201,
  response: FormElement,
});

export const patchListValue = defineRoute({
  method: 'PATCH',
  path: '/tracker_fields/{id}/values/{value_id}',
  kind: 'protected',
  own: true,
  summary: 'Change a value of a list, for administrators of the tracker',
  description:
    'What is not given stays. A hidden value stays where it is and cannot be chosen any more; `next_value_id` moves it before another, null to the end.',
  example: {
    params: { id: 200, value_id: 132 },
    body: { description: 'The lamp is dark', color: 'fiesta-red' },
  },
  params: Type.Object({ id: Type.Integer(), value_id: Type.Integer() }),
  argument: 'list_value',
  body: Type.Object({
    label: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    color: Type.Optional(nullable(color)),
    is_hidden: Type.Optional(Type.Boolean()),
    is_default: Type.Optional(Type.Boolean()),
    next_value_id: Type.Optional(
      nullable(Type.Integer({ description: 'The value before which it stands; null for the end' })),
    ),
  }),
  response: FormElement,
});

export const getTrackerPermissions = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/permissions',
  kind: 'protected',
  own: true,
  summary: 'The permissions of a tracker, for its administrators',
  description: 'By user groups: who sees which artifacts, and who administers the tracker.',
  params: idParams,
  response: TrackerPermissions,
});

export const putTrackerPermissions = defineRoute({
  method: 'PUT',
  path: '/trackers/{id}/permissions',
  kind: 'protected',
  own: true,
  summary: 'Replace all permissions of a tracker, for its administrators',
  description:
    'A list that is not given is emptied. Site administrators and project administrators need no permission.',
  example: { params: { id: 5 }, body: { can_access: ['1'], can_admin: ['101_4', '101'] } },
  params: idParams,
  argument: 'permissions',
  body: Type.Object(
    {
      can_access: groupIds('See all artifacts'),
      can_access_submitted_by_user: groupIds('See the artifacts that they submitted themselves'),
      can_access_assigned_to_group: groupIds('See artifacts assigned to somebody of the same group'),
      can_access_submitted_by_group: groupIds('See artifacts submitted by somebody of the same group'),
      can_admin: groupIds('Administer the tracker'),
    },
    { description: 'A list that is not given is empty' },
  ),
  response: TrackerPermissions,
});

export const getFieldPermissions = defineRoute({
  method: 'GET',
  path: '/tracker_fields/{id}/permissions',
  kind: 'protected',
  own: true,
  summary: 'The permissions of a field, for administrators of the tracker',
  description: 'By user groups: who reads, submits and updates its values.',
  params: idParams,
  response: FieldPermissions,
});

export const putFieldPermissions = defineRoute({
  method: 'PUT',
  path: '/tracker_fields/{id}/permissions',
  kind: 'protected',
  own: true,
  summary: 'Replace all permissions of a field, for administrators of the tracker',
  description: 'A list that is not given is emptied. Who may update may read as well.',
  example: { params: { id: 204 }, body: { can_read: ['1'], can_submit: ['101_3'], can_update: ['101_3'] } },
  params: idParams,
  argument: 'permissions',
  body: Type.Object(
    {
      can_read: groupIds('Read its values'),
      can_submit: groupIds('Give it a value in new artifacts'),
      can_update: groupIds('Read and change its values'),
    },
    { description: 'A list that is not given is empty' },
  ),
  response: FieldPermissions,
});

export const getSemantics = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/semantics',
  kind: 'protected',
  own: true,
  summary: 'All semantics of a tracker, for its administrators',
  description:
    'Which field is the title, the description, the status and so on, with those that the compatible answer leaves out.',
  params: idParams,
  response: AllSemantics,
});

const replaced = <Schema extends Parameters<typeof nullable>[0]>(schema: Schema) =>
  Type.Optional(nullable(schema));

export const putSemantics = defineRoute({
  method: 'PUT',
  path: '/trackers/{id}/semantics',
  kind: 'protected',
  own: true,
  summary: 'Change what the fields of a tracker mean, for its administrators',
  description: 'A member that is given replaces that semantic, null removes it, the others stay.',
  example: {
    params: { id: 5 },
    body: {
      title: { field_id: 195 },
      description: { field_id: 196 },
      status: { field_id: 199, value_ids: [123, 124, 125] },
      contributor: { field_id: 201 },
    },
  },
  params: idParams,
  argument: 'semantics',
  body: Type.Object({
    title: replaced(FieldSemantic),
    description: replaced(FieldSemantic),
    status: replaced(StatusSemantic),
    contributor: replaced(FieldSemantic),
    timeframe: replaced(TimeframeSemantic),
    progress: replaced(ProgressSemantic),
    initial_effort: replaced(FieldSemantic),
    done: replaced(DoneSemantic),
    tooltip: replaced(TooltipSemantic),
  }),
  response: AllSemantics,
});

export const trackerAdministrationRoutes = [
  createField,
  createListValues,
  patchListValue,
  getTrackerPermissions,
  putTrackerPermissions,
  getFieldPermissions,
  putFieldPermissions,
  getSemantics,
  putSemantics,
] as const;
