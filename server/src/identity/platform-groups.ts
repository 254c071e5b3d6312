import { invalid, notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import { delegation, type Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { recordDifference, recordPlatformEvent } from './platform-events.ts';
import { requireSiteAdministrator } from './policy.ts';
import { requireSiteAdministratorLeft } from './site-administrators.ts';

export interface PlatformGroup {
  readonly id: number;
  readonly name: string;
  readonly permissions: readonly number[];
  readonly members: readonly { readonly id: number; readonly name: string }[];
}

/** Names of the delegated permissions, in the order of their ids. */
export const permissionNames: ReadonlyMap<number, string> = new Map([
  [delegation.projectApproval, 'Project approval'],
  [delegation.trackerAdministration, 'Global tracker administration'],
  [delegation.membershipInformation, 'Retrieve user membership information'],
  [delegation.userManagement, 'User management'],
  [delegation.systemEvents, 'Read system events'],
  [delegation.platformAdministration, 'Platform administration'],
  [delegation.projectManagement, 'REST projects management'],
  [delegation.readOnlyAdministration, 'REST read-only administrator'],
]);

async function withDetails(reader: Reader, group: { id: number; name: string }): Promise<PlatformGroup> {
  const permissions = await reader.all(
    reader.sql
      .selectFrom('platform_group_permission')
      .select('permission')
      .where('group_id', '=', group.id)
      .orderBy('permission'),
  );
  const members = await reader.all(
    reader.sql
      .selectFrom('platform_group_member')
      .innerJoin('account', 'account.id', 'platform_group_member.account_id')
      .select(['account.id', 'account.name'])
      .where('group_id', '=', group.id)
      .orderBy('account.name_key'),
  );
  return { ...group, permissions: permissions.map(({ permission }) => permission), members };
}

export async function findPlatformGroupByName(
  reader: Reader,
  viewer: Viewer,
  name: string,
): Promise<PlatformGroup | undefined> {
  requireSiteAdministrator(viewer);
  const query = reader.sql.selectFrom('platform_group').select(['id', 'name']);
  const group = await reader.first(query.where('name_key', '=', name.toLowerCase()));
  return group && withDetails(reader, group);
}

export async function listPlatformGroups(
  reader: Reader,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<Slice<PlatformGroup>> {
  requireSiteAdministrator(viewer);
  const all = reader.sql.selectFrom('platform_group');
  const count = await reader.first(all.select((group) => group.fn.countAll<number>().as('size')));
  const rows = await reader.all(all.select(['id', 'name']).orderBy('id').limit(limit).offset(offset));
  const items: PlatformGroup[] = [];
  for (const row of rows) items.push(await withDetails(reader, row));
  return { items, size: count?.size ?? 0 };
}

async function checkName(tx: Transaction, name: string, ownId?: number): Promise<void> {
  if (name.length > 100)
    throw invalid('Invalid value specified for `name`. It must have at most 100 characters.');
  const query = tx.sql.selectFrom('platform_group').select('id').where('name_key', '=', name.toLowerCase());
  const taken = await tx.first(query);
  if (taken !== undefined && taken.id !== ownId)
    throw invalid('There is already a platform group with this name.');
}

export async function createPlatformGroup(
  tx: Transaction,
  viewer: Viewer,
  { name }: { name: string },
): Promise<PlatformGroup> {
  requireSiteAdministrator(viewer);
  await checkName(tx, name);
  const row = { name, name_key: name.toLowerCase() };
  const [stored] = await tx.all(tx.sql.insertInto('platform_group').values(row).returning(['id', 'name']));
  if (stored === undefined) throw new Error('The new platform group has no id.');
  await recordPlatformEvent(tx, viewer.userId, { kind: 'platform_group_create', subject: name });
  return { ...stored, permissions: [], members: [] };
}

export interface PlatformGroupChanges {
  readonly id: number;
  readonly name?: string | undefined;
  readonly members?: readonly number[] | undefined;
  readonly permissions?: readonly number[] | undefined;
}

async function replaceMembers(tx: Transaction, group_id: number, members: readonly number[]): Promise<void> {
  await tx.run(tx.sql.deleteFrom('platform_group_member').where('group_id', '=', group_id));
  for (const account_id of new Set(members)) {
    const account = await tx.first(tx.sql.selectFrom('account').select('id').where('id', '=', account_id));
    if (account === undefined || account_id <= 100) {
      throw invalid(`Invalid value specified for \`user_ids\`. There is no user ${account_id}.`);
    }
    await tx.run(tx.sql.insertInto('platform_group_member').values({ group_id, account_id }));
  }
}

async function replacePermissions(
  tx: Transaction,
  group_id: number,
  permissions: readonly number[],
): Promise<void> {
  await tx.run(tx.sql.deleteFrom('platform_group_permission').where('group_id', '=', group_id));
  for (const permission of new Set(permissions)) {
    if (!permissionNames.has(permission)) {
      throw invalid(`Invalid value specified for \`permissions\`. There is no permission ${permission}.`);
    }
    await tx.run(tx.sql.insertInto('platform_group_permission').values({ group_id, permission }));
  }
}

const inWords = ({ name, members, permissions }: PlatformGroup) =>
  [
    name,
    members.map((member) => member.name).join(', '),
    permissions.map((id) => permissionNames.get(id) ?? id).join(', '),
  ].join('; ');

export async function changePlatformGroup(
  tx: Transaction,
  viewer: Viewer,
  { id, name, members, permissions }: PlatformGroupChanges,
): Promise<PlatformGroup> {
  requireSiteAdministrator(viewer);
  await tx.alone('administrators');
  const [group] = await tx.lock(
    tx.sql.selectFrom('platform_group').select(['id', 'name']).where('id', '=', id),
  );
  if (group === undefined) throw notFound('There is no such platform group.');
  const before = inWords(await withDetails(tx, group));
  if (name !== undefined) {
    await checkName(tx, name, id);
    await tx.run(
      tx.sql.updateTable('platform_group').set({ name, name_key: name.toLowerCase() }).where('id', '=', id),
    );
  }
  if (members !== undefined) await replaceMembers(tx, id, members);
  if (permissions !== undefined) await replacePermissions(tx, id, permissions);
  await requireSiteAdministratorLeft(tx);
  await tx.touch('identity');
  const changed = await withDetails(tx, { id, name: name ?? group.name });
  await recordDifference(tx, viewer.userId, {
    ...{ kind: 'platform_group_change', subject: group.name, details: { before, after: inWords(changed) } },
  });
  return changed;
}

export async function deletePlatformGroup(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<void> {
  requireSiteAdministrator(viewer);
  await tx.alone('administrators');
  const query = tx.sql.selectFrom('platform_group').select('name').where('id', '=', id);
  const group = await tx.first(query);
  if (group === undefined) throw notFound('There is no such platform group.');
  await tx.run(tx.sql.deleteFrom('platform_group').where('id', '=', id));
  await recordPlatformEvent(tx, viewer.userId, { kind: 'platform_group_delete', subject: group.name });
  await requireSiteAdministratorLeft(tx);
  await tx.touch('identity');
}
