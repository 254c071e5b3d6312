import {
  type Account,
  accountColumns,
  administrationProjectId,
  isUsable,
  recordTask,
  requireSiteAdministratorLeft,
  taskTypes,
} from '../identity/index.ts';
import { invalid, invalidMember } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { logEvent, type Transaction } from '../storage/index.ts';
import { projectChanged } from './changed.ts';
import { type ProjectExtension, tellChange } from './extension.ts';
import {
  accountIdsIn,
  isListed,
  membersListedIn,
  requireMemberManagement,
  resolveReferences,
  type UserReference,
} from './group-members.ts';
import { groupIds } from './groups.ts';
import { recordInHistory } from './history.ts';
import { isPrivate, type Project } from './model.ts';
import { requireWritable } from './policy.ts';
import { lockProject } from './store.ts';
import { requireUserGroup, type UserGroup } from './user-groups.ts';

/** What must happen for a group to have exactly the wanted members. */
interface Difference {
  readonly added: readonly Account[];
  readonly removed: readonly number[];
}

type ProjectGroup = UserGroup & { readonly project: Project };

const mayJoin = ({ status }: Account, { access }: Project) =>
  isUsable(status) && !(status === 'R' && access === 'private-wo-restr');

/** Where nobody is skipped silently, everybody who is added must be able to join. */
function requireAllMayJoin(accounts: readonly Account[], project: Project): void {
  const refused = accounts.find((account) => !mayJoin(account, project));
  if (refused === undefined) return;
  const reason = isUsable(refused.status)
    ? 'is a restricted user, and this project is closed to them'
    : 'has an account that cannot be used';
  throw invalid(`Invalid value specified for \`user_references\`. ${refused.name} ${reason}.`);
}

async function addMember(tx: Transaction, project: Project, account: Account): Promise<void> {
  const row = { project_id: project.id, account_id: account.id, is_admin: 0 as const };
  const insert = tx.sql.insertInto('project_member').values(row);
  const added = await tx.run(insert.onConflict((conflict) => conflict.doNothing()));
  if (added > 0)
    await recordTask(tx, taskTypes.memberAdded, `${account.name} is a member of ${project.shortname}`);
}

/** Who leaves the project also leaves the groups that it defined. */
async function removeMember(tx: Transaction, project: Project, accountId: number): Promise<void> {
  const ownGroups = tx.sql.selectFrom('user_group').select('id').where('project_id', '=', project.id);
  const membership = tx.sql.deleteFrom('project_member').where('project_id', '=', project.id);
  await tx.run(membership.where('account_id', '=', accountId));
  const groups = tx.sql.deleteFrom('user_group_member').where('group_id', 'in', ownGroups);
  await tx.run(groups.where('account_id', '=', accountId));
  await recordTask(tx, taskTypes.memberRemoved, `User ${accountId} left ${project.shortname}`);
}

async function changeMembers(
  tx: Transaction,
  viewer: Viewer,
  { project }: ProjectGroup,
  { added, removed }: Difference,
  extensions: readonly ProjectExtension[],
): Promise<void> {
  for (const account of added) await addMember(tx, project, account);
  for (const accountId of removed) {
    await removeMember(tx, project, accountId);
    const { id: projectId, access } = project;
    await tellChange(tx, viewer, extensions, { kind: 'member-removed', projectId, accountId, access });
  }
}

/** Administrators of the administration project are those of the platform, which must not lock itself out. */
function requireSiteAdministrators(wanted: readonly Account[]): void {
  const restricted = wanted.find(({ status }) => status === 'R');
  if (restricted !== undefined)
    throw invalid(`${restricted.name} is restricted and cannot administer the platform.`);
  if (!wanted.some(({ status }) => status === 'A'))
    throw invalid('The last administrator of the platform cannot be removed.');
}

async function changeAdministrators(
  tx: Transaction,
  { project }: ProjectGroup,
  { added, removed }: Difference,
  wanted: readonly Account[],
): Promise<void> {
  if (!wanted.some(({ status }) => isUsable(status)))
    throw invalid('The last administrator of a project whose account can be used cannot be removed.');
  if (project.id === administrationProjectId) requireSiteAdministrators(wanted);
  requireAllMayJoin(added, project);
  const ofProject = (is_admin: 0 | 1) =>
    tx.sql.updateTable('project_member').set({ is_admin }).where('project_id', '=', project.id);
  for (const account of added) {
    await addMember(tx, project, account);
    await tx.run(ofProject(1).where('account_id', '=', account.id));
  }
  for (const id of removed) await tx.run(ofProject(0).where('account_id', '=', id));
  if (project.id === administrationProjectId) await requireSiteAdministratorLeft(tx);
  await recordTask(tx, taskTypes.groupChanged, `The administrators of ${project.shortname} changed`);
}

async function isSynchronised(tx: Transaction, { id }: Project): Promise<boolean> {
  const query = tx.sql.selectFrom('project').select('has_synchronised_membership').where('id', '=', id);
  return (await tx.first(query))?.has_synchronised_membership === 1;
}

async function changeStaticGroup(
  tx: Transaction,
  { id: group_id, name, project }: ProjectGroup,
  { added, removed }: Difference,
): Promise<void> {
  requireAllMayJoin(added, project);
  const becomeMembers = isPrivate(project.access) || (await isSynchronised(tx, project));
  for (const account of added) {
    if (becomeMembers) await addMember(tx, project, account);
    await tx.run(tx.sql.insertInto('user_group_member').values({ group_id, account_id: account.id }));
  }
  const ofGroup = tx.sql.deleteFrom('user_group_member').where('group_id', '=', group_id);
  for (const id of removed) await tx.run(ofGroup.where('account_id', '=', id));
  await recordTask(tx, taskTypes.groupChanged, `The members of ${name} of ${project.shortname} changed`);
}

async function requireChangeableGroup(tx: Transaction, viewer: Viewer, text: string): Promise<ProjectGroup> {
  const group = await requireUserGroup(tx, viewer, text, 'project');
  const { id, kind, project } = group;
  if (project === null) throw invalid('The members of this user group cannot be changed.');
  await requireMemberManagement(tx, viewer, id, project);
  requireWritable(project);
  if (kind === 'dynamic' && id !== groupIds.projectMembers && id !== groupIds.projectAdmins)
    throw invalid('The members of this user group cannot be changed.');
  return { ...group, project };
}

/** The group as it is now, which nobody else changes meanwhile, with who is in it. */
async function requireLockedGroup(tx: Transaction, viewer: Viewer, text: string) {
  const { project } = await requireChangeableGroup(tx, viewer, text);
  await lockProject(tx, project.id);
  if (project.id === administrationProjectId) await tx.alone('administrators');
  // What was decided before the lock may have changed while it was awaited.
  const group = await requireChangeableGroup(tx, viewer, text);
  const rows = await tx.all(accountIdsIn(tx, group));
  return { group, present: new Set(rows.map(({ account_id }) => account_id)) };
}

type LockedGroup = Awaited<ReturnType<typeof requireLockedGroup>>;

/** Who came and who went is told by name, for each group. */
async function noteMembers(
  tx: Transaction,
  viewer: Viewer,
  { id, name, project }: ProjectGroup,
  { added, removed }: Difference,
): Promise<void> {
  const left =
    removed.length === 0
      ? []
      : await tx.all(
          tx.sql
            .selectFrom('account')
            .select('name')
            .where('id', 'in', [...removed]),
        );
  const kind =
    id === groupIds.projectMembers
      ? 'member'
      : id === groupIds.projectAdmins
        ? 'administrator'
        : 'group_member';
  const of = kind === 'group_member' ? ` (${name})` : '';
  const note = (event: string, names: readonly string[]) =>
    recordInHistory(tx, viewer, project.id, {
      event: `${kind}_${event}`,
      subject: `${names.join(', ')}${of}`,
    });
  if (added.length > 0) await note('add', added.map((account) => account.name).sort());
  if (left.length > 0) await note('remove', left.map((account) => account.name).sort());
}

/** Of the members of a project, whoever cannot join is passed over, and administrators stay. */
async function differenceOf(
  tx: Transaction,
  { group, present }: LockedGroup,
  wanted: ReadonlyMap<number, Account>,
): Promise<Difference> {
  const added = [...wanted.values()].filter(({ id }) => !present.has(id));
  const removed = [...present].filter((id) => !wanted.has(id));
  if (group.id !== groupIds.projectMembers) return { added, removed };
  const { project } = group;
  const admins = await tx.all(accountIdsIn(tx, { id: groupIds.projectAdmins, project }));
  const kept = new Set(admins.map(({ account_id }) => account_id));
  return {
    added: added.filter((account) => mayJoin(account, project)),
    removed: removed.filter((id) => !kept.has(id)),
  };
}

/** Makes a group have exactly these members. */
async function storeMembers(
  tx: Transaction,
  viewer: Viewer,
  locked: LockedGroup,
  wanted: ReadonlyMap<number, Account>,
  extensions: readonly ProjectExtension[],
): Promise<void> {
  const { group } = locked;
  const difference = await differenceOf(tx, locked, wanted);
  const { added, removed } = difference;
  if (added.length === 0 && removed.length === 0) return;
  if (group.id === groupIds.projectMembers) await changeMembers(tx, viewer, group, difference, extensions);
  else if (group.id === groupIds.projectAdmins)
    await changeAdministrators(tx, group, difference, [...wanted.values()]);
  else await changeStaticGroup(tx, group, difference);
  await noteMembers(tx, viewer, group, difference);
  const people = [...added.map(({ id }) => id), ...removed];
  await projectChanged(tx, viewer, group.project.id);
  await logEvent(tx, 'standing.changed', { accountIds: people });
}

const accountsIn = (tx: Transaction, group: ProjectGroup) =>
  tx.all(tx.sql.selectFrom('account').select(accountColumns).where('id', 'in', accountIdsIn(tx, group)));

/** Replaces the members of a group of a project that it lists, all or nothing. Nobody can mean those whom they are not shown: they stay. */
export async function replaceGroupMembers(
  tx: Transaction,
  viewer: Viewer,
  { id: text, references }: { id: string; references: readonly UserReference[] },
  extensions: readonly ProjectExtension[],
): Promise<void> {
  const locked = await requireLockedGroup(tx, viewer, text);
  const wanted = new Map(await resolveReferences(tx, references));
  for (const account of await accountsIn(tx, locked.group))
    if (!isListed(locked.group, account)) wanted.set(account.id, account);
  await storeMembers(tx, viewer, locked, wanted, extensions);
}

export interface GroupMemberChanges {
  /** The group as the API names it. */
  readonly id: string;
  readonly add: readonly UserReference[];
  readonly remove: readonly UserReference[];
}

/** Adds some members to a group and removes others, all or nothing; gives how many are listed then. */
export async function changeGroupMembers(
  tx: Transaction,
  viewer: Viewer,
  { id: text, add, remove }: GroupMemberChanges,
  extensions: readonly ProjectExtension[],
): Promise<number> {
  const locked = await requireLockedGroup(tx, viewer, text);
  const added = await resolveReferences(tx, add, 'add');
  const removed = await resolveReferences(tx, remove, 'remove');
  const both = [...added.values()].find(({ id }) => removed.has(id));
  if (both !== undefined) throw invalidMember('remove', `${both.name} is among those to be added, too.`);
  const present = await accountsIn(tx, locked.group);
  const wanted = new Map(present.map((account) => [account.id, account]));
  for (const account of added.values()) wanted.set(account.id, account);
  for (const id of removed.keys()) wanted.delete(id);
  await storeMembers(tx, viewer, locked, wanted, extensions);
  const listed = membersListedIn(tx, locked.group).select((account) =>
    account.fn.countAll<number>().as('size'),
  );
  return (await tx.first(listed))?.size ?? 0;
}
