import { type Account, accountColumns, lastTechnicalAccountId } from '../../identity/index.ts';
import { accountIdsIn, endlessGroups, groupIds } from '../../projects/index.ts';
import { type Reader, statement } from '../../storage/index.ts';
import type { DescribingContext } from '../field-type.ts';
import type { Field } from '../model.ts';
import { noneValue, submitters, type Tracker } from '../model.ts';

/** The ids of the accounts that one source of a list of people holds. */
function idsIn(reader: Reader, { id: trackerId, project }: Tracker, group: number) {
  return group === submitters
    ? peopleWithRole(reader, trackerId, 'submitter')
    : accountIdsIn(reader, { id: group, project });
}

function peopleWithRole({ sql }: Reader, trackerId: number, role: 'submitter' | 'editor') {
  return sql
    .selectFrom('tracker_person')
    .select('account_id')
    .where('tracker_id', '=', trackerId)
    .where('role', '=', role);
}

const candidate = statement((sql, p: { id: number; projectId: number }) =>
  sql
    .selectFrom('account')
    .leftJoin('project_member as own', (join) =>
      join.onRef('own.account_id', '=', 'account.id').on('own.project_id', '=', p.projectId),
    )
    .select(['own.is_admin', 'own.is_wiki_admin'])
    .where('account.id', '=', p.id)
    .where('account.status', 'in', ['A', 'R']),
);

const groupMember = statement((sql, p: { id: number; groupId: number }) =>
  sql
    .selectFrom('user_group_member')
    .select('account_id')
    .where('group_id', '=', p.groupId)
    .where('account_id', '=', p.id),
);

const submitter = statement((sql, p: { id: number; trackerId: number }) =>
  sql
    .selectFrom('tracker_person')
    .select('account_id')
    .where('tracker_id', '=', p.trackerId)
    .where('role', '=', 'submitter')
    .where('account_id', '=', p.id),
);

/** Whether somebody can be chosen from these sources: what `findCandidates` lists, asked about one person. */
export async function isCandidate(
  reader: Reader,
  { id: trackerId, project }: Tracker,
  groups: readonly number[],
  id: number,
): Promise<boolean> {
  if (id <= lastTechnicalAccountId) return false;
  const found = await reader.first(candidate, { id, projectId: project.id });
  if (found === undefined) return false;
  if (groups.some((group) => endlessGroups.includes(group))) return true;
  if (found.is_admin !== null && groups.includes(groupIds.projectMembers)) return true;
  if (found.is_admin === 1 && groups.includes(groupIds.projectAdmins)) return true;
  if (found.is_wiki_admin === 1 && groups.includes(groupIds.wikiAdmins)) return true;
  for (const groupId of groups.filter((group) => group > groupIds.nobody))
    if ((await reader.first(groupMember, { id, groupId })) !== undefined) return true;
  return groups.includes(submitters) && (await reader.first(submitter, { id, trackerId })) !== undefined;
}

/** Those of the ids that belong to somebody who can be chosen from these sources. */
export async function candidatesAmong(
  reader: Reader,
  tracker: Tracker,
  groups: readonly number[],
  ids: readonly number[],
): Promise<number[]> {
  if (groups.length === 0 || ids.length === 0) return [];
  const candidates = await reader.all(candidatesOf(reader, tracker, groups).where('id', 'in', ids));
  const found = new Set(candidates.map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

function candidatesOf(reader: Reader, tracker: Tracker, groups: readonly number[]) {
  const people = reader.sql
    .selectFrom('account')
    .select(accountColumns)
    .where('id', '>', lastTechnicalAccountId)
    .where('status', 'in', ['A', 'R']);
  if (groups.some((group) => endlessGroups.includes(group))) return people;
  return people.where((row) => row.or(groups.map((group) => row('id', 'in', idsIn(reader, tracker, group)))));
}

/** People who can be chosen from these sources. */
async function findCandidates(
  reader: Reader,
  tracker: Tracker,
  groups: readonly number[],
): Promise<Account[]> {
  return groups.length === 0 ? [] : reader.all(candidatesOf(reader, tracker, groups));
}

const described = new WeakMap<DescribingContext, Map<string, Promise<Account[]>>>();

/** As `findCandidates`, asked once for all lists of a form that offer the same people. */
export function describedCandidates(
  context: DescribingContext,
  groups: readonly number[],
): Promise<readonly Account[]> {
  const known = described.get(context) ?? new Map<string, Promise<Account[]>>();
  described.set(context, known);
  const key = groups.join(' ');
  const candidates = known.get(key) ?? findCandidates(context.reader, context.tracker, groups);
  known.set(key, candidates);
  return candidates;
}

/** Everybody who ever submitted, or changed, an artifact of the tracker, whatever became of their account. */
export async function findPeople(
  reader: Reader,
  trackerId: number,
  role: 'submitter' | 'editor',
): Promise<Account[]> {
  const query = reader.sql
    .selectFrom('account')
    .select(accountColumns)
    .where('id', 'in', peopleWithRole(reader, trackerId, role));
  return reader.all(query);
}

/** Everybody whom an artifact has in a list of people, whatever became of their account. */
export async function chosenPeople(reader: Reader, fieldId: number): Promise<Account[]> {
  const chosen = reader.sql
    .selectFrom('artifact_value')
    .select('value')
    .where('field_id', '=', fieldId)
    .where('value', '<>', noneValue);
  return reader.all(reader.sql.selectFrom('account').select(accountColumns).where('id', 'in', chosen));
}

/** The ids among these that are values of the list. */
export async function valuesAmong(reader: Reader, tracker: Tracker, { bind }: Field, ids: readonly number[]) {
  if (bind?.kind !== 'users') return bind?.values.map(({ id }) => id) ?? [];
  return candidatesAmong(reader, tracker, bind.groups, ids);
}
