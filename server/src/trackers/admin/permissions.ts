import { invalid, invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { groupIds } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import type { FieldType } from '../field-type.ts';
import { requireGroups } from '../groups.ts';
import {
  type Field,
  type FieldPermission,
  fieldPermissions,
  type Tracker,
  type TrackerPermission,
  trackerPermissions,
} from '../model.ts';
import { requireFieldForWriting, requireTrackerForWriting } from '../policy.ts';

/** What the API calls the permissions. */
const trackerPermissionNames: Readonly<Record<TrackerPermission, string>> = {
  full: 'can_access',
  submitter_only: 'can_access_submitted_by_user',
  assignee: 'can_access_assigned_to_group',
  submitter: 'can_access_submitted_by_group',
  admin: 'can_admin',
};
const fieldPermissionNames: Readonly<Record<FieldPermission, string>> = {
  submit: 'can_submit',
  read: 'can_read',
  update: 'can_update',
};

/** Groups by permission, as ids of the API; a permission that is not there is given to nobody. */
type GrantsInput<Permission extends string> = Readonly<Partial<Record<Permission, readonly string[]>>>;

function grantsIn<Permission extends string>(
  tracker: Tracker,
  permissions: readonly Permission[],
  names: Readonly<Record<Permission, string>>,
  input: GrantsInput<Permission>,
): { permission: Permission; group_id: number }[] {
  return permissions.flatMap((permission) =>
    requireGroups(tracker, names[permission], input[permission] ?? []).map((group_id) => ({
      permission,
      group_id,
    })),
  );
}

/** Replaces all that is granted in a tracker. */
export async function setTrackerPermissions(
  tx: Transaction,
  viewer: Viewer,
  { id, grants: input }: { id: number; grants: GrantsInput<TrackerPermission> },
): Promise<void> {
  const { tracker } = await requireTrackerForWriting(tx, viewer, id);
  const grants = grantsIn(tracker, trackerPermissions, trackerPermissionNames, input);
  await tx.run(tx.sql.deleteFrom('tracker_grant').where('tracker_id', '=', id));
  const rows = grants.map((grant) => ({ ...grant, tracker_id: id }));
  if (rows.length > 0) await tx.run(tx.sql.insertInto('tracker_grant').values(rows));
  await trackerChanged(tx, viewer, tracker);
}

/** What can be granted on elements of a type. */
export function grantable(type: FieldType): readonly FieldPermission[] {
  if (type.kind !== 'field') return [];
  return [
    'read',
    ...(type.isSubmittable ? ['submit' as const] : []),
    ...(type.isUpdatable ? ['update' as const] : []),
  ];
}

/** Names as they stand inside a member of a request. */
const within = <Name extends string>(member: string, names: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries<string>(names).map(([name, text]) => [name, `${member}[${text}]`]),
  ) as Record<Name, string>;

/** `member`: where the input stands in the request, when it is not all of it. */
function checkGrantable({ type, label }: Field, input: GrantsInput<FieldPermission>, member?: string): void {
  if (type.kind !== 'field') {
    const words = `"${label}" is not a field: everybody reads it who sees the tracker.`;
    throw member === undefined ? invalid(words) : invalidMember(member, words);
  }
  const wrong = fieldPermissions.find((name) => !grantable(type).includes(name) && input[name]?.length);
  if (wrong !== undefined)
    throw invalidMember(
      (member === undefined ? fieldPermissionNames : within(member, fieldPermissionNames))[wrong],
      `Fields of the type ${type.code} are filled by the platform.`,
    );
}

async function insertFieldGrants(
  tx: Transaction,
  field_id: number,
  grants: readonly { permission: FieldPermission; group_id: number }[],
): Promise<void> {
  const rows = grants.map((grant) => ({ ...grant, field_id }));
  if (rows.length > 0) await tx.run(tx.sql.insertInto('field_grant').values(rows));
}

/** Replaces all that is granted on a field; gives the id of its tracker. */
export async function setFieldPermissions(
  tx: Transaction,
  viewer: Viewer,
  { id, grants: input }: { id: number; grants: GrantsInput<FieldPermission> },
): Promise<number> {
  const { field, tracker } = await requireFieldForWriting(tx, viewer, id);
  checkGrantable(field, input);
  const grants = grantsIn(tracker, fieldPermissions, fieldPermissionNames, input);
  await tx.run(tx.sql.deleteFrom('field_grant').where('field_id', '=', id));
  await insertFieldGrants(tx, id, grants);
  await trackerChanged(tx, viewer, tracker);
  return tracker.id;
}

/** As `setFieldPermissions`, for several fields of a tracker at once: all of them, or none. */
export async function setAllFieldPermissions(
  tx: Transaction,
  viewer: Viewer,
  { id, fields: input }: { id: number; fields: Readonly<Record<string, GrantsInput<FieldPermission>>> },
): Promise<void> {
  const { tracker } = await requireTrackerForWriting(tx, viewer, id);
  const changes = Object.entries(input).map(([key, wanted]) => {
    const field = /^\d+$/.test(key) ? tracker.elementById.get(Number(key)) : undefined;
    const member = `fields[${key}]`;
    if (field === undefined) throw invalidMember(member, 'There is no such field in this tracker.');
    checkGrantable(field, wanted, member);
    const names = within(member, fieldPermissionNames);
    return { field, grants: grantsIn(tracker, fieldPermissions, names, wanted) };
  });
  for (const { field, grants } of changes) {
    await tx.run(tx.sql.deleteFrom('field_grant').where('field_id', '=', field.id));
    await insertFieldGrants(tx, field.id, grants);
  }
  await trackerChanged(tx, viewer, tracker);
}

const usualGrants: Readonly<Record<FieldPermission, number>> = {
  read: groupIds.everybody,
  submit: groupIds.registered,
  update: groupIds.projectMembers,
};

/** Grants what a new field grants, as far as its type allows. */
export async function grantUsual(tx: Transaction, fieldId: number, type: FieldType): Promise<void> {
  const grants = grantable(type).map((permission) => ({ permission, group_id: usualGrants[permission] }));
  await insertFieldGrants(tx, fieldId, grants);
}
