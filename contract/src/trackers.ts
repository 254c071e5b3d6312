import Type, { type Static } from '@bundled/typebox';
import { colorNames } from './labels.ts';
import { MinimalUserGroup } from './projects.ts';
import { choice, date, defineRoute, idParams, nullable } from './route.ts';
import { Semantics } from './tracker-semantics.ts';

export const ProjectReference = Type.Object(
  { id: Type.Integer(), uri: Type.String(), label: Type.String(), icon: Type.String() },
  { $id: 'ProjectReference' },
);
export type ProjectReference = Static<typeof ProjectReference>;

export const TrackerReference = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    color: Type.String(),
    project: ProjectReference,
  },
  { $id: 'TrackerReference' },
);
export type TrackerReference = Static<typeof TrackerReference>;

export const MinimalTracker = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    color_name: Type.String(),
    project: ProjectReference,
    cannot_create_reasons: nullable(Type.Array(Type.String())),
  },
  { $id: 'MinimalTracker' },
);
export type MinimalTracker = Static<typeof MinimalTracker>;

const groups = Type.Array(MinimalUserGroup);

export const FieldPermissions = Type.Object(
  { can_submit: groups, can_read: groups, can_update: groups },
  { $id: 'FieldPermissions' },
);
export type FieldPermissions = Static<typeof FieldPermissions>;

export const TrackerPermissions = Type.Object(
  {
    can_access: groups,
    can_access_submitted_by_user: groups,
    can_access_assigned_to_group: groups,
    can_access_submitted_by_group: groups,
    can_admin: groups,
  },
  { $id: 'TrackerPermissions' },
);
export type TrackerPermissions = Static<typeof TrackerPermissions>;

export const LinkTypeLabels = Type.Object(
  { shortname: Type.String(), forward_label: Type.String(), reverse_label: Type.String() },
  { $id: 'LinkTypeLabels' },
);
export type LinkTypeLabels = Static<typeof LinkTypeLabels>;

export const FormElement = Type.Object(
  {
    field_id: Type.Integer(),
    label: Type.String(),
    name: Type.String(),
    type: Type.String(),
    values: Type.Unknown({
      description: 'Possible values of a list; what they look like depends on the bind',
    }),
    required: Type.Boolean(),
    collapsed: Type.Boolean(),
    bindings: Type.Object({
      type: nullable(choice(['static', 'users', 'ugroups'])),
      list: Type.Array(
        Type.Object({ id: Type.Union([Type.Integer(), Type.String()]), label: Type.String() }),
      ),
    }),
    permissions: Type.Array(choice(['read', 'update', 'create'])),
    permissions_for_groups: nullable(FieldPermissions),
    default_value: Type.Unknown(),
    has_notifications: Type.Boolean(),
    is_used: Type.Boolean(),
    description: Type.String(),
    specific_properties: Type.Union(
      [Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown(), { maxItems: 0 })],
      { description: 'An empty array when there are none' },
    ),
    label_decorators: Type.Array(Type.Unknown()),
    is_time_displayed: Type.Optional(Type.Boolean()),
    hint: Type.Optional(Type.String()),
    file_creation_uri: Type.Optional(Type.String()),
    max_size_upload: Type.Optional(Type.Integer()),
    allowed_types: Type.Optional(Type.Array(LinkTypeLabels)),
    is_hidden: Type.Optional(Type.Boolean({ description: 'Fieldsets inside the answer about an artifact' })),
  },
  { $id: 'FormElement' },
);
export type FormElement = Static<typeof FormElement>;

/** A place in the form: `content` is null for what cannot hold anything, else a list of the same. */
export const StructureElement = Type.Object(
  { id: Type.Integer(), content: nullable(Type.Array(Type.Unknown())) },
  { $id: 'StructureElement' },
);
export type StructureElement = Static<typeof StructureElement>;

export const DateRule = Type.Object(
  {
    source_field_id: Type.Integer(),
    target_field_id: Type.Integer(),
    comparator: choice(['<', '≤', '=', '≥', '>', '≠'], {
      'x-enum-varnames': ['before', 'beforeOrEqual', 'equal', 'afterOrEqual', 'after', 'different'],
    }),
  },
  { $id: 'DateRule', description: 'The source must compare like this with the target' },
);

export const ListRule = Type.Object(
  {
    source_field_id: Type.Integer(),
    source_value_id: Type.Integer(),
    target_field_id: Type.Integer(),
    target_value_id: Type.Integer(),
  },
  { $id: 'ListRule', description: 'The target may have its value while the source has its' },
);

export const Workflow = Type.Object(
  {
    field_id: Type.Integer({ description: '0: there is no workflow' }),
    is_used: Type.String({ description: '1, 0, or empty when there is no workflow' }),
    is_legacy: Type.Boolean(),
    is_advanced: Type.Boolean(),
    rules: Type.Object({ dates: Type.Array(DateRule), lists: Type.Array(ListRule) }),
    transitions: Type.Array(
      Type.Object({
        id: Type.Integer(),
        from_id: nullable(Type.Integer()),
        to_id: Type.Integer(),
        not_empty_field_ids: Type.Array(Type.Integer(), { description: 'Fields that it needs filled' }),
        is_comment_required: Type.Boolean(),
      }),
    ),
  },
  { $id: 'Workflow' },
);
export type Workflow = Static<typeof Workflow>;

export const Tracker = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String(),
    project: ProjectReference,
    label: Type.String(),
    description: Type.String(),
    item_name: Type.String(),
    fields: Type.Array(FormElement, { description: 'What you may read' }),
    structure: Type.Array(StructureElement, { description: 'All that is used, readable or not' }),
    semantics: Semantics,
    workflow: nullable(Workflow),
    permissions_for_groups: nullable(TrackerPermissions),
    parent: nullable(TrackerReference),
    resources: Type.Array(Type.Object({ type: Type.String(), uri: Type.String() })),
    color_name: Type.String(),
    notifications: Type.Object({ enabled: Type.Boolean() }),
    may_submit: Type.Boolean({ description: 'Whether you may create artifacts' }),
    is_administrator: Type.Boolean({ description: 'Whether you administer it' }),
    has_private_comments: Type.Boolean(),
  },
  { $id: 'Tracker' },
);
export type Tracker = Static<typeof Tracker>;

export const listProjectTrackers = defineRoute({
  method: 'GET',
  path: '/projects/{id}/trackers',
  kind: 'hybrid',
  summary: 'Trackers of a project that you may see, by name',
  description:
    'The full representation has the whole form of each tracker, the minimal one its name and project.',
  params: idParams,
  query: Type.Object({
    representation: Type.Optional(choice(['full', 'minimal'])),
    query: Type.Optional(
      Type.String({ description: '{"is_tracker_admin": true}: only trackers that you administer' }),
    ),
    with_creation_semantic_check: Type.Optional(
      Type.Array(choice(['title']), {
        description: 'Fills cannot_create_reasons; with the minimal representation only',
      }),
    ),
  }),
  paging: { default: 10, maximum: 50 },
  response: Type.Union([Type.Array(Tracker), Type.Array(MinimalTracker)]),
});

export const TrackerOverview = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    item_name: Type.String(),
    description: Type.String(),
    color_name: Type.String(),
    parent_id: nullable(Type.Integer({ description: 'The parent tracker, where you may see it' })),
    open_count: Type.Integer(),
    total_count: Type.Integer(),
    last_update_date: nullable(date({ description: 'When something in it last changed' })),
    may_submit: Type.Boolean(),
    is_administrator: Type.Boolean(),
    default_report_id: nullable(Type.Integer()),
  },
  { $id: 'TrackerOverview' },
);
export type TrackerOverview = Static<typeof TrackerOverview>;

export const listTrackerOverviews = defineRoute({
  method: 'GET',
  path: '/projects/{id}/tracker_overviews',
  kind: 'hybrid',
  own: true,
  summary: 'Trackers of a project with how much is in them, by name',
  description: 'Exact numbers of what you may see. All trackers at once, without pages.',
  params: idParams,
  response: Type.Array(TrackerOverview),
});

export const getTracker = defineRoute({
  method: 'GET',
  path: '/trackers/{id}',
  kind: 'hybrid',
  summary: 'A tracker with its whole structure',
  description:
    'Its fields with the values that they may have, the layout of the form, semantics, workflow, rules and, for those who administer it, permissions. Fields that you may not read are not in it.',
  params: idParams,
  isRevalidated: 'by-tag',
  response: Tracker,
});

const settings = {
  description: Type.Optional(Type.String()),
  color_name: Type.Optional(choice(colorNames)),
  notification_level: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2, description: '0 usual, 1 disabled, 2 on status changes only' }),
  ),
  parent_id: Type.Optional(
    nullable(Type.Integer({ description: 'The parent tracker, of the same project' })),
  ),
  has_private_comments: Type.Optional(Type.Boolean()),
};
const itemName = Type.String({ description: 'At most 25 letters, digits and underscores' });

export const createTracker = defineRoute({
  method: 'POST',
  path: '/projects/{id}/trackers',
  kind: 'protected',
  own: true,
  summary: 'Create a tracker without any field, as a copy of another, or as a template has it',
  description:
    'For project administrators. Everybody who may see the project sees the new tracker; a copy has the permissions of the original.',
  example: {
    params: { id: 101 },
    body: {
      label: 'Ideas',
      item_name: 'idea',
      description: 'What might be done one day',
      color_name: 'teddy-brown',
    },
  },
  params: idParams,
  argument: 'tracker',
  body: Type.Object({
    label: Type.String(),
    item_name: itemName,
    from_tracker_id: Type.Optional(
      Type.Integer({ description: 'A tracker that you administer, of this project or another' }),
    ),
    from_template: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'Of a template of `GET /platform/templates`' }),
          item_name: Type.String({ description: 'Of one of its trackers' }),
        },
        { description: 'In place of `from_tracker_id`: the tracker that a template brings' },
      ),
    ),
    ...settings,
  }),
  status: 201,
  response: Tracker,
});

export const TrackerSettings = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    project: ProjectReference,
    label: Type.String(),
    item_name: Type.String(),
    description: Type.String(),
    color_name: Type.String(),
    notification_level: Type.Integer(),
    parent_id: nullable(Type.Integer()),
    has_private_comments: Type.Boolean(),
  },
  { $id: 'TrackerSettings' },
);
export type TrackerSettings = Static<typeof TrackerSettings>;

export const getTrackerSettings = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/settings',
  kind: 'protected',
  own: true,
  summary: 'The settings of a tracker, for its administrators',
  description:
    'Label, short name, description, colour, parent, how mails are sent, and whether comments may be private.',
  params: idParams,
  response: TrackerSettings,
});

export const patchTrackerSettings = defineRoute({
  method: 'PATCH',
  path: '/trackers/{id}/settings',
  kind: 'protected',
  own: true,
  summary: 'Change the settings of a tracker, for its administrators',
  description: 'What is not given stays.',
  example: {
    params: { id: 5 },
    body: { description: 'What does not work as it should', notification_level: 0 },
  },
  params: idParams,
  argument: 'settings',
  body: Type.Object({
    label: Type.Optional(Type.String()),
    item_name: Type.Optional(itemName),
    ...settings,
  }),
  response: Tracker,
});

export const trackerRoutes = [
  listProjectTrackers,
  listTrackerOverviews,
  getTracker,
  createTracker,
  getTrackerSettings,
  patchTrackerSettings,
] as const;
