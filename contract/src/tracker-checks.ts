import Type, { type Static } from '@bundled/typebox';
import { groupIds, mostItems } from './request-parts.ts';
import { choice, defineRoute, idParams, nullable } from './route.ts';
import { FieldPermissions } from './trackers.ts';

const obstacle = nullable(
  Type.String({ description: 'Why it cannot be removed now, in words; null where nothing is in the way' }),
);

const count = Type.Integer({ description: 'Artifacts that have a value of it now, whoever may see them' });

export const FieldUse = Type.Object(
  {
    field_id: Type.Integer(),
    artifact_count: count,
    semantics: Type.Array(Type.String(), { description: 'Names of the semantics that rest on it' }),
    workflow: Type.Array(choice(['states', 'needed', 'set', 'frozen', 'hidden']), {
      description:
        'Its values are the states; a transition needs it filled, sets it, freezes it or hides what is in it',
    }),
    rules: Type.Array(choice(['dates', 'lists'])),
    triggers: Type.Array(choice(['set', 'watched']), {
      description: 'A trigger of this tracker sets it; one of the parent tracker looks at it',
    }),
    reports: Type.Integer({ description: 'Reports that ask for it, show it or sort by it' }),
    obstacle,
    values: Type.Array(Type.Object({ id: Type.Integer(), artifact_count: count, obstacle }), {
      description: 'Of lists with values of their own, hidden ones too',
    }),
  },
  { $id: 'FieldUse' },
);
export type FieldUse = Static<typeof FieldUse>;

export const listFieldUses = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/field_uses',
  kind: 'protected',
  own: true,
  summary: 'What rests on each form element of a tracker, for its administrators',
  description:
    'Tells before anybody tries why an element or a value of a list cannot be removed, and how many artifacts have a value of it.',
  params: idParams,
  response: Type.Array(FieldUse),
});

const groups = Type.Array(Type.Object({ id: Type.String(), label: Type.String() }));

export const PermissionCheck = Type.Object(
  {
    may_view: Type.Boolean({ description: 'They see the tracker, or the artifact that was given' }),
    may_submit: Type.Boolean({ description: 'They may create artifacts' }),
    is_administrator: Type.Boolean({ description: 'They administer the tracker' }),
    groups,
    fields: Type.Array(
      Type.Object({
        field_id: Type.Integer(),
        read: Type.Boolean(),
        submit: Type.Boolean(),
        update: Type.Boolean(),
        because: Type.Object(
          {
            groups,
            is_site_administrator: Type.Boolean(),
            is_frozen: Type.Boolean({ description: 'The state of the artifact keeps it as it is' }),
          },
          { description: 'Groups that hold what they may, or what takes it away' },
        ),
      }),
      { description: 'Every used field of the tracker' },
    ),
  },
  { $id: 'PermissionCheck' },
);
export type PermissionCheck = Static<typeof PermissionCheck>;

export const checkPermissions = defineRoute({
  method: 'POST',
  path: '/trackers/{id}/permission_checks',
  kind: 'protected',
  own: true,
  summary:
    'What somebody, or whoever is in certain groups, sees and may do in a tracker, for its administrators',
  description:
    'Give `user_id` or `group_ids`. With `artifact_id` it is about that artifact: whether they see it, and which fields its state freezes. Nothing is stored.',
  example: { params: { id: 5 }, body: { group_ids: ['101_3'] } },
  params: idParams,
  body: Type.Object({
    user_id: Type.Optional(Type.Integer({ description: 'An account that can be used' })),
    group_ids: groupIds('What members of all these groups have; an empty list is an anonymous visitor'),
    artifact_id: Type.Optional(Type.Integer({ description: 'Of this tracker' })),
  }),
  response: PermissionCheck,
});

export const putAllFieldPermissions = defineRoute({
  method: 'PUT',
  path: '/trackers/{id}/field_permissions',
  kind: 'protected',
  own: true,
  summary: 'Replace the permissions of several fields of a tracker, all or nothing, for its administrators',
  description:
    'Fields that are not named stay as they are. Of those that are named, a list that is not given is emptied.',
  example: {
    params: { id: 5 },
    body: { fields: { '204': { can_read: ['1'], can_submit: ['101_3'], can_update: ['101_3'] } } },
  },
  params: idParams,
  argument: 'permissions',
  body: Type.Object({
    fields: Type.Record(
      Type.String(),
      Type.Object({
        can_read: groupIds('Read its values'),
        can_submit: groupIds('Give it a value in new artifacts'),
        can_update: groupIds('Read and change its values'),
      }),
      { description: 'By id of the field', minProperties: 1, maxProperties: mostItems, 'x-byId': true },
    ),
  }),
  response: Type.Object({
    fields: Type.Record(Type.String(), FieldPermissions, { description: 'Those that were named' }),
  }),
});

export const trackerCheckRoutes = [listFieldUses, checkPermissions, putAllFieldPermissions] as const;
