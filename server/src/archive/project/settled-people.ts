import type { NamedPerson } from '../artifact-survey.ts';
import type { ArchivedPeople } from '../people.ts';
import type { Look } from './look.ts';
import type { ResolvedGroup } from './memberships.ts';
import type { ArchivedUser, Decided } from './people.ts';
import type { PromisedAccount } from './publish.ts';

/** What people of the archive are here, once those who are new have their ids. */
export function settle(people: readonly Decided[], ids: readonly number[]) {
  const promised: PromisedAccount[] = [];
  const settled = people.map(({ user, account, status }) => {
    if (account !== undefined) return { user, account, isNew: false };
    const made: PromisedAccount = {
      id: ids[promised.length] ?? 0,
      name: user.username,
      realName: user.realName,
      email: user.email,
      ldapId: user.ldapId === '' ? null : user.ldapId,
      status: status ?? 'S',
    };
    promised.push(made);
    return { user, account: made, isNew: true };
  });
  return { promised, settled };
}

export type SettledPeople = ReturnType<typeof settle>['settled'];

/** The same people by all that an archive may name them by. */
export function tablesOf(settled: SettledPeople, byEmail: Readonly<Record<string, number>>): ArchivedPeople {
  const table = (key: (person: SettledPeople[number]) => string) =>
    Object.fromEntries(
      settled.map((person) => [key(person), person.account.id]).filter(([name]) => name !== ''),
    );
  return {
    byName: table(({ user }) => user.username),
    byId: table(({ user }) => user.id),
    byLdapId: table(({ user }) => user.ldapId),
    byEmail,
  };
}

/** The groups of the archive with accounts of this platform in them. */
export function resolved({ project }: Look, settled: SettledPeople): ResolvedGroup[] {
  const by = (keyOf: (user: ArchivedUser) => string) =>
    new Map(settled.map(({ user, account }) => [keyOf(user), account]));
  const [names, ids, ldapIds] = [
    by((user) => user.username),
    by((user) => user.id),
    by((user) => user.ldapId),
  ];
  const find = ({ format, value }: NamedPerson) => {
    if (format === 'id') return ids.get(value);
    return (format === 'ldap' ? ldapIds : names).get(value);
  };
  return project.groups.map(({ name, line, members }) => ({
    ...{ name, line },
    members: members.flatMap((member) => find(member) ?? []),
  }));
}
