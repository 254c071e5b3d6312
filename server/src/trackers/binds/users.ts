import { findAccountByName } from '../../identity/index.ts';
import { endlessGroups, groupIds } from '../../projects/index.ts';
import { integerIn, wrongValue } from '../fields/entry.ts';
import { type Field, noneValue, submitters } from '../model.ts';
import { describedCandidates, isCandidate } from '../people.ts';
import type { BindRules } from './bind-rules.ts';

const groupsOf = ({ bind }: Field) => bind?.groups ?? [];

function isListed(group: number): boolean {
  return !endlessGroups.includes(group);
}

const sourceLabels = new Map<number, { id: number | string; label: string }>([
  [submitters, { id: submitters, label: 'artifact_submitters' }],
  [groupIds.projectMembers, { id: groupIds.projectMembers, label: 'project_members' }],
  [groupIds.projectAdmins, { id: groupIds.projectAdmins, label: 'project_admins' }],
  [groupIds.registered, { id: String(groupIds.registered), label: 'registered_users' }],
  [groupIds.everybody, { id: String(groupIds.everybody), label: 'all_users' }],
  [groupIds.authenticated, { id: String(groupIds.authenticated), label: 'authenticated_users' }],
]);

/** People. */
export const usersBind: BindRules = {
  isFixed: false,
  async accept(field, given, { tx, tracker }) {
    const ids = given.map((id) => integerIn(id) ?? 0);
    for (const [position, id] of ids.entries())
      if (!(await isCandidate(tx, tracker, groupsOf(field), id)))
        throw wrongValue(
          field,
          `${JSON.stringify(given[position])} is not the id of a user who can be chosen here.`,
        );
    return ids;
  },
  async named(field, text, { tx, tracker }) {
    const account = await findAccountByName(tx, text);
    if (account === undefined) return undefined;
    return (await isCandidate(tx, tracker, groupsOf(field), account.id)) ? account.id : undefined;
  },
  async counterpart(field, id, _from, { reader, tracker }) {
    return (await isCandidate(reader, tracker, groupsOf(field), id)) ? id : undefined;
  },
  show: (_field, ids, context) => (ids.length === 0 ? [noneValue] : ids).map((id) => context.user(id)),
  showIds: (_field, ids) => (ids.length === 0 ? [noneValue] : ids).map(String),
  labels: (_field, ids, context) => ids.map((id) => context.userName(id)),
  async describe(field, context) {
    const accounts = await describedCandidates(context, groupsOf(field).filter(isListed));
    return {
      values: context.userValues(accounts),
      default_value: await context.users(field.bind?.defaults ?? []),
    };
  },
  sources: (field, { projectGroups }) =>
    groupsOf(field).map(
      (id) => sourceLabels.get(id) ?? { id: String(id), label: projectGroups.get(id) ?? '' },
    ),
};
