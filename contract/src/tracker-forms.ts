import Type, { type Static } from '@bundled/typebox';
import { groupIds, mostItems } from './request-parts.ts';
import { defineRoute, idParams, nullable } from './route.ts';
import { FieldPermissions, FormElement } from './trackers.ts';

export const patchField = defineRoute({
  method: 'PATCH',
  path: '/tracker_fields/{id}',
  kind: 'protected',
  summary: 'Change a form element, for administrators of the tracker',
  description: 'What is not given, or null, stays as it is. Everything is changed or nothing.',
  example: { params: { id: 204 }, body: { label: 'Found in version' } },
  params: idParams,
  body: Type.Object({
    label: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ description: 'Short name' })),
    use_it: Type.Optional(Type.Boolean({ description: 'Take it out of the form, or put it back' })),
    new_values: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: mostItems,
        description: 'Labels of values for the end of a list of one value',
      }),
    ),
    move: Type.Optional(
      Type.Object({
        parent_id: Type.Optional(Type.Integer({ description: 'The container; null for the root' })),
        next_sibling_id: Type.Optional(
          Type.Integer({ description: 'The element behind it; null for the end' }),
        ),
      }),
    ),
  }),
  response: FormElement,
});

export const deleteField = defineRoute({
  method: 'DELETE',
  path: '/tracker_fields/{id}',
  kind: 'protected',
  summary: 'Remove a form element, for administrators of the tracker',
  description:
    'It leaves the form with its values; `POST /tracker_fields/{id}/restore` brings both back. A field that a semantic, the workflow or a rule needs is refused.',
  params: idParams,
  status: 204,
});

const ListValueSettings = Type.Object(
  {
    id: Type.Integer(),
    label: Type.String(),
    description: Type.String(),
    color: nullable(Type.String()),
    is_hidden: Type.Boolean(),
    is_default: Type.Boolean(),
    ugroup_id: nullable(Type.String({ description: 'In lists of user groups' })),
  },
  { $id: 'ListValueSettings' },
);

const BindSettings = Type.Object(
  {
    type: Type.String(),
    is_alphabetic: Type.Boolean(),
    groups: Type.Array(Type.String(), { description: 'Where people come from; 0 for submitters' }),
    default_values: Type.Array(Type.String(), { description: 'Ids of values, of users or of groups' }),
    values: Type.Array(ListValueSettings, { description: 'In their own order, hidden ones too' }),
  },
  { $id: 'BindSettings' },
);

export const FieldSettings = Type.Object(
  {
    field_id: Type.Integer(),
    tracker: Type.Object({ id: Type.Integer(), uri: Type.String() }),
    type: Type.String(),
    name: Type.String(),
    label: Type.String(),
    description: Type.String(),
    parent_id: nullable(Type.Integer()),
    rank: Type.Integer(),
    required: Type.Boolean(),
    has_notifications: Type.Boolean(),
    is_used: Type.Boolean(),
    is_removed: Type.Boolean({ description: 'It was deleted and can be brought back' }),
    specific_properties: Type.Record(Type.String(), Type.Unknown()),
    permissions_for_groups: nullable(FieldPermissions),
    bind: nullable(BindSettings),
  },
  { $id: 'FieldSettings' },
);
export type FieldSettings = Static<typeof FieldSettings>;

export const listFormElements = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/form_elements',
  kind: 'protected',
  own: true,
  summary: 'Every element of the form with all its settings, unused and removed ones too, for administrators',
  description: 'Fields, fieldsets, columns and texts.',
  params: idParams,
  response: Type.Array(FieldSettings),
});

export const getFieldSettings = defineRoute({
  method: 'GET',
  path: '/tracker_fields/{id}/settings',
  kind: 'protected',
  own: true,
  summary: 'A form element with all its settings, for administrators of the tracker',
  description:
    'Also what the tracker does not tell those who only use it, such as whether it is used and who is notified.',
  params: idParams,
  response: FieldSettings,
});

export const patchFieldSettings = defineRoute({
  method: 'PATCH',
  path: '/tracker_fields/{id}/settings',
  kind: 'protected',
  own: true,
  summary: 'Change the settings of a form element, for administrators of the tracker',
  description: 'What is not given stays. The type of a field cannot be changed.',
  example: {
    params: { id: 204 },
    body: { description: 'The version in which it was seen first', required: false },
  },
  params: idParams,
  argument: 'settings',
  body: Type.Object({
    label: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ description: 'Short name' })),
    description: Type.Optional(Type.String()),
    required: Type.Optional(Type.Boolean()),
    has_notifications: Type.Optional(Type.Boolean()),
    specific_properties: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Those that are not given stay' }),
    ),
    is_alphabetic: Type.Optional(Type.Boolean({ description: 'Show the values of a list by label' })),
    groups: groupIds('The groups that the people of a list come from, 0 for submitters'),
    default_values: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: mostItems,
        description: 'Ids of values, of users or of groups',
      }),
    ),
    parent_id: Type.Optional(nullable(Type.Integer({ description: 'The container it stands in' }))),
    next_sibling_id: Type.Optional(
      nullable(Type.Integer({ description: 'The element before which it stands; null for the end' })),
    ),
  }),
  response: FieldSettings,
});

export const restoreField = defineRoute({
  method: 'POST',
  path: '/tracker_fields/{id}/restore',
  kind: 'protected',
  own: true,
  summary: 'Bring a removed form element back with its values, for administrators of the tracker',
  description: 'If another field has taken its short name meanwhile, give another one.',
  example: { params: { id: 205 }, body: { name: 'fixed_in' } },
  params: idParams,
  argument: 'field',
  body: Type.Object({
    name: Type.Optional(Type.String({ description: 'Another short name, when its own was taken' })),
  }),
  response: FieldSettings,
});

export const deleteListValue = defineRoute({
  method: 'DELETE',
  path: '/tracker_fields/{id}/values/{value_id}',
  kind: 'protected',
  own: true,
  summary: 'Remove a value that no artifact has from a list, for administrators of the tracker',
  description: 'A value that an artifact has is refused: hide it instead.',
  params: Type.Object({ id: Type.Integer(), value_id: Type.Integer() }),
  response: FormElement,
});

export const trackerFormRoutes = [
  patchField,
  deleteField,
  listFormElements,
  getFieldSettings,
  patchFieldSettings,
  restoreField,
  deleteListValue,
] as const;
