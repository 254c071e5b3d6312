import { invalid } from '../kernel/errors.ts';
import { delegation } from '../kernel/viewer.ts';
import { type Reader, statement, type Transaction } from '../storage/index.ts';
import { administrationProjectId } from './model.ts';

/**
 * Site administrators are the administrators of the administration project and the holders of the delegation
 * "Platform administration". This and the common space of names are all that identity reads of projects.
 */
const siteAdministratorById = statement((sql, p: { accountId: number }) =>
  sql
    .selectFrom('project_member')
    .select('account_id')
    .where('project_id', '=', administrationProjectId)
    .where('is_admin', '=', 1)
    .where('account_id', '=', p.accountId)
    .union(
      sql
        .selectFrom('platform_group_member as member')
        .innerJoin('platform_group_permission as granted', 'granted.group_id', 'member.group_id')
        .select('member.account_id')
        .where('granted.permission', '=', delegation.platformAdministration)
        .where('member.account_id', '=', p.accountId),
    ),
);

export async function isSiteAdministrator(reader: Reader, accountId: number): Promise<boolean> {
  return (await reader.first(siteAdministratorById, { accountId })) !== undefined;
}

export async function setSiteAdministrator(
  tx: Transaction,
  account_id: number,
  isAdmin: boolean,
): Promise<void> {
  const project_id = administrationProjectId;
  const membership = tx.sql.deleteFrom('project_member').where('project_id', '=', project_id);
  await tx.run(membership.where('account_id', '=', account_id));
  if (isAdmin)
    await tx.run(tx.sql.insertInto('project_member').values({ project_id, account_id, is_admin: 1 }));
}

/** To be called after every change that may have taken the last one away. */
export async function requireSiteAdministratorLeft(tx: Transaction): Promise<void> {
  const byProject = tx.sql
    .selectFrom('project_member')
    .innerJoin('account', 'account.id', 'project_member.account_id')
    .select('account.id')
    .where('project_id', '=', administrationProjectId)
    .where('is_admin', '=', 1)
    .where('status', '=', 'A');
  const byGroup = tx.sql
    .selectFrom('platform_group_member as member')
    .innerJoin('platform_group_permission as granted', 'granted.group_id', 'member.group_id')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select('account.id')
    .where('granted.permission', '=', delegation.platformAdministration)
    .where('status', '=', 'A');
  const left = await tx.first(byProject.union(byGroup));
  if (left === undefined) throw invalid('The last administrator of the platform cannot be removed.');
}

export async function isProjectName(reader: Reader, key: string): Promise<boolean> {
  const query = reader.sql.selectFrom('project').select('id').where('shortname_key', '=', key);
  return (await reader.first(query)) !== undefined;
}
