import {
  type Account,
  accountColumns,
  isUsable,
  readAccount,
  requireMembershipReading,
  requireMembershipReadingOfAll,
} from '../identity/index.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { AccessMode, Viewer } from '../kernel/viewer.ts';
import { type Reader, statement } from '../storage/index.ts';
import { groupIds } from './groups.ts';
import { lastBuiltInProjectId, type Project, shortnameKey } from './model.ts';
import { isShutOut, openAccesses } from './policy.ts';
import { projectColumns, projectsWithOwn, toProject } from './store.ts';
import type { UserGroup } from './user-groups.ts';

/** Everything a user belongs to: projects by id, each with its administrators' group, then static groups by id. */
export interface Memberships {
  readonly account: Account;
  readonly groups: readonly UserGroup[];
}

const activeProjectsOf = statement((sql, p: { accountId: number }) =>
  projectsWithOwn(sql, p.accountId)
    .select(projectColumns)
    .where('own.account_id', '=', p.accountId)
    .where('project.status', '=', 'active')
    .orderBy('project.id'),
);

const staticGroupsOf = statement((sql, p: { accountId: number }) =>
  projectsWithOwn(sql, p.accountId)
    .innerJoin('user_group', 'user_group.project_id', 'project.id')
    .innerJoin('user_group_member', 'user_group_member.group_id', 'user_group.id')
    .select([...projectColumns, 'user_group.id as group_id', 'user_group.name as group_name'])
    .select('user_group.description as group_description')
    .where('user_group_member.account_id', '=', p.accountId)
    .where('project.status', '=', 'active')
    .orderBy('user_group.id'),
);

const membersGroup = (project: Project): UserGroup => ({
  id: groupIds.projectMembers,
  kind: 'dynamic',
  name: 'project_members',
  project,
});
const adminsGroup = (project: Project): UserGroup => ({
  id: groupIds.projectAdmins,
  kind: 'dynamic',
  name: 'project_admins',
  project,
});

/** The projects whose members somebody manages because a project left it to a group of theirs. */
export async function delegatedMemberships(reader: Reader, accountId: number): Promise<ReadonlySet<number>> {
  const query = reader.sql
    .selectFrom('membership_delegation')
    .innerJoin('user_group_member', 'user_group_member.group_id', 'membership_delegation.group_id')
    .select('membership_delegation.project_id')
    .where('user_group_member.account_id', '=', accountId);
  return new Set((await reader.all(query)).map(({ project_id }) => project_id));
}

/** Of how many projects each of some accounts is a member; those of none are left out. */
export async function countMemberships(
  reader: Reader,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (accountIds.length === 0) return new Map();
  const query = reader.sql
    .selectFrom('project_member')
    .innerJoin('project', 'project.id', 'project_member.project_id')
    .select(['account_id as id', (row) => row.fn.countAll<number>().as('size')])
    .where('account_id', 'in', accountIds)
    .where('project.status', '=', 'active')
    .where('project.id', '>', lastBuiltInProjectId)
    .groupBy('account_id');
  return new Map((await reader.all(query)).map(({ id, size }) => [id, size]));
}

async function groupsOfAccount(
  reader: Reader,
  { id: accountId, status }: Account,
  accessMode: AccessMode,
): Promise<UserGroup[]> {
  if (!isUsable(status)) return [];
  const account = { isRestricted: status === 'R', accessMode };
  const counts = ({ membership, access }: Project) =>
    membership === 'none' ? openAccesses(account).includes(access) : !isShutOut(account, access);
  const projects = (await reader.all(activeProjectsOf, { accountId })).map(toProject).filter(counts);
  const groups = (await reader.all(staticGroupsOf, { accountId })).map(
    (row): UserGroup & { project: Project } => ({
      id: row.group_id,
      kind: 'static',
      name: row.group_name,
      description: row.group_description,
      project: toProject(row),
    }),
  );
  return [
    ...projects.flatMap((project) =>
      project.membership === 'administrator'
        ? [membersGroup(project), adminsGroup(project)]
        : [membersGroup(project)],
    ),
    ...groups.filter(({ project }) => counts(project)),
  ];
}

export async function readMemberships(
  reader: Reader,
  viewer: Viewer,
  accountId: number,
): Promise<Memberships> {
  const account = await readAccount(reader, accountId);
  requireMembershipReading(viewer, accountId);
  return { account, groups: await groupsOfAccount(reader, account, viewer.accessMode) };
}

const siteGroups: Readonly<Record<string, string>> = { A: 'site_active', R: 'site_restricted' };

function groupWord({ id, kind, project }: UserGroup): string {
  if (kind === 'static' || project === null) return `ug_${id}`;
  const suffix = id === groupIds.projectAdmins ? 'project_admin' : 'project_members';
  return `${shortnameKey(project.shortname)}_${suffix}`;
}

/** The groups as words; with those of the platform first unless only projects are asked for. */
export function membershipWords(
  { account, groups }: Memberships,
  { withSite }: { withSite: boolean },
): string[] {
  const site = withSite ? siteGroups[account.status] : undefined;
  return [...(site === undefined ? [] : [site]), ...groups.map(groupWord)];
}

export interface NamedMemberships {
  readonly username: string;
  readonly words: readonly string[];
}

/** The groups of all users in good standing who have an SSH key, by user name. */
export async function listMemberships(
  reader: Reader,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<Slice<NamedMemberships>> {
  requireMembershipReadingOfAll(viewer);
  const withKey = reader.sql
    .selectFrom('account')
    .where('status', 'in', ['A', 'R'])
    .where('id', 'in', (keys) => keys.selectFrom('ssh_key').select('account_id'));
  const count = await reader.first(withKey.select((account) => account.fn.countAll<number>().as('size')));
  const page = withKey.select(accountColumns).orderBy('name_key').limit(limit).offset(offset);
  const items: NamedMemberships[] = [];
  for (const account of await reader.all(page)) {
    const groups = await groupsOfAccount(reader, account, viewer.accessMode);
    items.push({ username: account.name, words: membershipWords({ account, groups }, { withSite: true }) });
  }
  return { items, size: count?.size ?? 0 };
}
