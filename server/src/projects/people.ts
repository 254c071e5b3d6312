import { type Account, accountColumns } from '../identity/index.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import { foldedWords } from '../kernel/text.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { contains, type Reader, sql } from '../storage/index.ts';
import type { ProjectExtension } from './extension.ts';
import { listedStatuses } from './group-members.ts';
import { countsAsMember } from './policy.ts';
import { requireProject } from './require-access.ts';
import type { UserGroup } from './user-groups.ts';

export interface PeopleSearch {
  readonly projectId: number;
  readonly query: string;
  readonly limit: number;
}

export interface ChosenPerson {
  readonly account: Account;
  readonly isMember: boolean;
}

/** People whom one can mention or choose in a project: its members first, then whoever wrote in it, each by user name. */
export async function listPeople(
  reader: Reader,
  viewer: Viewer,
  { projectId, query, limit }: PeopleSearch,
  extensions: readonly ProjectExtension[],
): Promise<ChosenPerson[]> {
  await requireProject(reader, viewer, projectId, 'project');
  const members = reader.sql
    .selectFrom('project_member')
    .select('account_id')
    .where('project_id', '=', projectId);
  const sources = [members];
  for (const extension of extensions) {
    const writers = await extension.writers?.(reader, viewer, projectId);
    if (writers !== undefined) sources.push(writers);
  }
  const isMember = sql<number>`case when id in (${members}) then 1 else 0 end`;
  const people = reader.sql
    .selectFrom('account')
    .select([...accountColumns, isMember.as('isMember')])
    .where('status', 'in', ['A', 'R'])
    .where((row) => row.or(sources.map((source) => row('id', 'in', source))))
    .where((row) => row.and(foldedWords(query).map((word) => contains('search_text', word))));
  const rows = await reader.all(people.orderBy(isMember, 'desc').orderBy('name_key').limit(limit));
  return rows.map(({ isMember: flag, ...account }) => ({ account, isMember: flag === 1 }));
}

export interface ProjectMember {
  readonly account: Account;
  readonly isAdministrator: boolean;
  /** Groups that the project made, by id; none where the viewer may not know. */
  readonly groups: readonly UserGroup[];
}

export interface ProjectMemberListing extends Page {
  readonly projectId: number;
  readonly query: string;
}

/** The members of a project by user name. In which of its groups they are is told to members alone. */
export async function listProjectMembers(
  reader: Reader,
  viewer: Viewer,
  { projectId, query, limit, offset }: ProjectMemberListing,
): Promise<Slice<ProjectMember>> {
  const project = await requireProject(reader, viewer, projectId, 'project');
  const matching = reader.sql
    .selectFrom('account')
    .innerJoin('project_member as member', 'member.account_id', 'account.id')
    .where('member.project_id', '=', projectId)
    .where('account.status', 'in', listedStatuses.dynamic)
    .where((row) => row.and(foldedWords(query).map((word) => contains('search_text', word))));
  const count = await reader.first(matching.select((row) => row.fn.countAll<number>().as('size')));
  const page = matching.select([...accountColumns, 'member.is_admin']).orderBy('account.name_key');
  const rows = await reader.all(page.limit(limit).offset(offset));
  const memberships = countsAsMember(viewer, project)
    ? await groupsOfMembers(
        reader,
        projectId,
        rows.map(({ id }) => id),
      )
    : [];
  const items = rows.map(({ is_admin, ...account }) => ({
    account,
    isAdministrator: is_admin === 1,
    groups: memberships
      .filter(({ account_id }) => account_id === account.id)
      .map(({ id, name }) => ({ id, kind: 'static' as const, name, project })),
  }));
  return { items, size: count?.size ?? 0 };
}

async function groupsOfMembers(reader: Reader, projectId: number, accountIds: readonly number[]) {
  if (accountIds.length === 0) return [];
  const memberships = reader.sql
    .selectFrom('user_group')
    .innerJoin('user_group_member', 'user_group_member.group_id', 'user_group.id')
    .select(['user_group.id', 'user_group.name', 'user_group_member.account_id'])
    .where('user_group.project_id', '=', projectId)
    .where('user_group_member.account_id', 'in', accountIds);
  return reader.all(memberships.orderBy('user_group.id'));
}
