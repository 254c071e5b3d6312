import { readSettings } from '../../identity/index.ts';
import type { AccessMode } from '../../kernel/viewer.ts';
import { isPrivate, isShutOut, type Project } from '../../projects/index.ts';
import { type Reader, statement } from '../../storage/index.ts';
import { type RepositoryRow, readAccessTextOf } from '../store.ts';
import {
  type GeneratedAccess,
  guardedAccess,
  mergeAccess,
  readAccessText,
  type Sections,
  withoutLostGroups,
} from './rules.ts';
import { membersGroup } from './text.ts';

const membersOf = statement((sql, p: { projectId: number }) =>
  sql
    .selectFrom('project_member')
    .innerJoin('account', 'account.id', 'project_member.account_id')
    .select(['account.name_key', 'account.status'])
    .where('project_member.project_id', '=', p.projectId)
    .where('account.status', 'in', ['A', 'R'])
    .orderBy('account.name_key'),
);

const groupMembersOf = statement((sql, p: { projectId: number }) =>
  sql
    .selectFrom('user_group')
    .innerJoin('user_group_member', 'user_group_member.group_id', 'user_group.id')
    .innerJoin('account', 'account.id', 'user_group_member.account_id')
    .leftJoin('project_member as own', (join) =>
      join.onRef('own.project_id', '=', 'user_group.project_id').onRef('own.account_id', '=', 'account.id'),
    )
    .select(['user_group.name', 'account.name_key', 'account.status', 'own.account_id as member_id'])
    .where('user_group.project_id', '=', p.projectId)
    .where('account.status', 'in', ['A', 'R'])
    .orderBy('user_group.id')
    .orderBy('account.name_key'),
);

type AccessibleProject = Pick<Project, 'id' | 'access'>;

/** What the platform writes into the access files of a project: its groups, as far as they reach the project. */
export async function readGeneratedAccess(
  reader: Reader,
  { id: projectId, access }: AccessibleProject,
  hasDefaultPermissions: boolean,
): Promise<GeneratedAccess> {
  const { access_mode } = await readSettings(reader);
  const accessMode: AccessMode = access_mode;
  const isIn = ({ status }: { status: string }) =>
    !isShutOut({ isRestricted: status === 'R', accessMode }, access);
  const groups = new Map<string, string[]>();
  const add = (group: string, person: string) => groups.set(group, [...(groups.get(group) ?? []), person]);
  for (const row of await reader.all(membersOf, { projectId }))
    if (isIn(row)) add(membersGroup, row.name_key);
  for (const row of await reader.all(groupMembersOf, { projectId }))
    if (row.name !== membersGroup && isIn(row) && (row.member_id !== null || !isPrivate(access)))
      add(row.name, row.name_key);
  return { groups, isPublic: !isPrivate(access), hasDefaultPermissions };
}

/** What holds in a repository at this moment. */
export async function readSections(
  reader: Reader,
  project: AccessibleProject,
  row: RepositoryRow,
): Promise<Sections> {
  const generated = await readGeneratedAccess(reader, project, row.has_default_permissions === 1);
  if (row.has_faulty_access === 1) return guardedAccess(generated);
  return withoutLostGroups(mergeAccess(generated, readAccessText(await readAccessTextOf(reader, row))));
}
