import {
  type Account,
  accountColumns,
  findAccount,
  findAccountByName,
  findAccountsByEmail,
  findAccountsByLdapId,
  lastTechnicalAccountId,
} from '../identity/index.ts';
import { forbidden, invalid, invalidMember, notFound } from '../kernel/errors.ts';
import { type Page, type Slice, slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';
import { endlessGroups, groupIds } from './groups.ts';
import type { Project } from './model.ts';
import { countsAsAdministrator } from './policy.ts';
import { requireUserGroup, type UserGroup } from './user-groups.ts';

/** Suspended people stay visible where the project itself keeps them. */
export const listedStatuses = { system: [], dynamic: ['A', 'R', 'S'], static: ['A', 'R'] } as const;

/** Ids of the accounts in a group of a project, whatever their status. */
export function accountIdsIn(
  reader: Reader,
  { id, project }: { readonly id: number; readonly project: { readonly id: number } | null },
) {
  const projectId = project?.id ?? 0;
  const members = reader.sql.selectFrom('project_member').select('account_id');
  const ofProject = members.where('project_id', '=', projectId);
  switch (id) {
    case groupIds.projectMembers:
      return ofProject;
    case groupIds.projectAdmins:
      return ofProject.where('is_admin', '=', 1);
    case groupIds.wikiAdmins:
      return ofProject.where('is_wiki_admin', '=', 1);
    case groupIds.fileManagerAdmins:
      return ofProject.where((row) => row.lit(false));
    default:
      return reader.sql.selectFrom('user_group_member').select('account_id').where('group_id', '=', id);
  }
}

/** Ids of everybody in one of the groups, whatever their status; groups that hold everybody hold nobody here. */
export async function findMembersOfGroups(
  reader: Reader,
  projectId: number,
  groups: readonly number[],
): Promise<number[]> {
  const found = new Set<number>();
  for (const id of new Set(groups)) {
    if (endlessGroups.includes(id)) continue;
    for (const { account_id } of await reader.all(accountIdsIn(reader, { id, project: { id: projectId } })))
      found.add(account_id);
  }
  return [...found];
}

/** Whether the project lets the viewer manage its members without being an administrator. */
async function isDelegate(reader: Reader, viewer: Viewer, projectId: number): Promise<boolean> {
  const query = reader.sql
    .selectFrom('membership_delegation')
    .innerJoin('user_group_member', 'user_group_member.group_id', 'membership_delegation.group_id')
    .select('account_id')
    .where('project_id', '=', projectId)
    .where('account_id', '=', viewer.userId);
  return (await reader.first(query)) !== undefined;
}

/** Members are seen and changed by administrators; the group of all members also by those it is delegated to. */
export async function requireMemberManagement(
  reader: Reader,
  viewer: Viewer,
  id: number,
  project: Project,
): Promise<void> {
  if (countsAsAdministrator(viewer, project)) return;
  if (id === groupIds.projectMembers && (await isDelegate(reader, viewer, project.id))) return;
  throw forbidden('You may not see or change the members of this user group.');
}

/** Whether a group shows this member of it. */
export const isListed = ({ kind }: UserGroup, { status }: Account): boolean =>
  listedStatuses[kind].some((listed) => listed === status);

export function membersListedIn(reader: Reader, group: UserGroup) {
  return reader.sql
    .selectFrom('account')
    .where('id', 'in', accountIdsIn(reader, group))
    .where('status', 'in', listedStatuses[group.kind]);
}

/** One user, given as id, as user name, or as `Real Name (username)`. */
async function findByIdentifier(reader: Reader, identifier: string): Promise<Account> {
  const text = identifier.trim();
  const byId = /^\d{1,15}$/.test(text) ? await findAccount(reader, Number(text)) : undefined;
  const inBrackets = /\(([^()]+)\)$/.exec(text)?.[1];
  const account =
    byId ??
    (await findAccountByName(reader, text)) ??
    (inBrackets === undefined ? undefined : await findAccountByName(reader, inBrackets.trim()));
  if (account === undefined) throw invalid(`There is no user "${identifier}".`);
  return account;
}

export interface MemberListing extends Page {
  /** The group as the API names it. */
  readonly id: string;
  /** Only this user, when a member. */
  readonly identifier: string | undefined;
}

export async function listGroupMembers(
  reader: Reader,
  viewer: Viewer,
  { id, identifier, limit, offset }: MemberListing,
): Promise<Slice<Account>> {
  const group = await requireUserGroup(reader, viewer, id, 'by-id');
  if (group.project === null) throw notFound('The members of this user group are not listed.');
  await requireMemberManagement(reader, viewer, group.id, group.project);
  const listed = membersListedIn(reader, group);
  if (identifier !== undefined) {
    const { id: accountId } = await findByIdentifier(reader, identifier);
    const found = await reader.all(listed.select(accountColumns).where('id', '=', accountId));
    return slice(found, { limit, offset });
  }
  const count = await reader.first(listed.select((account) => account.fn.countAll<number>().as('size')));
  const page = listed.select(accountColumns).orderBy('name_key').limit(limit).offset(offset);
  return { items: await reader.all(page), size: count?.size ?? 0 };
}

/** Names a user by exactly one of these. */
export interface UserReference {
  readonly id?: number;
  readonly username?: string;
  readonly email?: string;
  readonly ldap_id?: string;
}

const referenceKinds = ['id', 'username', 'email', 'ldap_id'] as const;
type ReferenceKind = (typeof referenceKinds)[number];

function kindOf(references: readonly UserReference[], member: string): ReferenceKind | undefined {
  const kinds = references.map((reference, index) => {
    const input = referenceKinds.filter((kind) => reference[kind] !== undefined);
    if (input.length === 1) return input[0];
    throw invalid(`\`${member}[${index}]\` needs exactly one of ${referenceKinds.join(', ')}.`);
  });
  if (new Set(kinds).size > 1) throw invalidMember(member, 'All of them must use the same member.');
  return kinds[0];
}

async function candidatesFor(
  reader: Reader,
  reference: UserReference,
  kind: ReferenceKind,
): Promise<Account[]> {
  const one = (account: Account | undefined) => (account === undefined ? [] : [account]);
  switch (kind) {
    case 'id':
      return one(await findAccount(reader, reference.id ?? 0));
    case 'username':
      return one(await findAccountByName(reader, reference.username ?? ''));
    case 'email':
      return findAccountsByEmail(reader, reference.email ?? '');
    case 'ldap_id':
      return findAccountsByLdapId(reader, reference.ldap_id ?? '');
  }
}

/** The accounts that the references name, each once. `member`: where in the request they stand. */
export async function resolveReferences(
  reader: Reader,
  references: readonly UserReference[],
  member = 'user_references',
): Promise<ReadonlyMap<number, Account>> {
  const kind = kindOf(references, member);
  const accounts = new Map<number, Account>();
  if (kind === undefined) return accounts;
  for (const [index, reference] of references.entries()) {
    const found = (await candidatesFor(reader, reference, kind)).filter(
      ({ id }) => id > lastTechnicalAccountId,
    );
    const [account] = found;
    if (account === undefined) throw invalid(`\`${member}[${index}]\` names no user.`);
    if (found.length > 1) throw invalid(`\`${member}[${index}]\` names more than one user.`);
    accounts.set(account.id, account);
  }
  return accounts;
}
