import type { Account } from '../../identity/index.ts';
import { type AccessLevel, type ImportedMembership, isPrivate } from '../../projects/index.ts';
import type { Warn } from '../model.ts';

/** A group of an archive with the accounts that its members are here. */
export interface ResolvedGroup {
  readonly name: string;
  readonly line: number;
  readonly members: readonly Pick<Account, 'id' | 'name' | 'status'>[];
}

export interface ArchivedMemberships {
  readonly members: readonly ImportedMembership[];
  /** Members of the groups that the project defines, by the names of these. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

interface Roles {
  isAdmin: boolean;
  isWikiAdmin: boolean;
}

export interface MembershipSource {
  readonly groups: readonly ResolvedGroup[];
  readonly access: AccessLevel;
  readonly isSynchronised: boolean;
  /** Who imports, and so administers the project unless the archive names others; undefined where it exists already. */
  readonly importerId: number | undefined;
}

/** Groups that every project has; nobody can be put into the last of them. */
const systemGroups = ['project_members', 'project_admins', 'wiki_admins', 'file_manager_admins'];

/** Others that the reference has, such as `svn_admins`, are names like any other here. */
export const isSystemGroup = (name: string) => systemGroups.includes(name);

/** Leaves out who can never be in the project. */
function admitted({ groups, access }: MembershipSource, warn: Warn): ResolvedGroup[] {
  if (access !== 'private-wo-restr') return [...groups];
  return groups.map(({ name, line, members }) => {
    for (const account of members.filter(({ status }) => status === 'R'))
      warn({
        code: 'invalid_value',
        place: `project/ugroups/ugroup[${name}]`,
        line,
        text: `${account.name} is restricted and was not put into a project that is closed to restricted users.`,
      });
    return { name, line, members: members.filter(({ status }) => status !== 'R') };
  });
}

/** Who imports stays in a project only where the archive names nobody else. */
function dismissImporter(roles: Map<number, Roles>, groups: readonly ResolvedGroup[], importerId: number) {
  const idsIn = (wanted: string) =>
    groups.filter(({ name }) => name === wanted).flatMap(({ members }) => members.map(({ id }) => id));
  const [admins, members] = [idsIn('project_admins'), idsIn('project_members')];
  const own = roles.get(importerId);
  if (own === undefined) return;
  if (admins.length > 0 && !admins.includes(importerId)) own.isAdmin = false;
  if (members.length > 0 && !members.includes(importerId) && !own.isAdmin) roles.delete(importerId);
}

/** Who is what in an imported project. */
export function membershipsOf(source: MembershipSource, warn: Warn): ArchivedMemberships {
  const groups = admitted(source, warn);
  const { importerId } = source;
  const roles = new Map<number, Roles>();
  const enrol = (id: number) => {
    const own = roles.get(id) ?? { isAdmin: false, isWikiAdmin: false };
    roles.set(id, own);
    return own;
  };
  if (importerId !== undefined) {
    enrol(importerId).isAdmin = true;
    dismissImporter(roles, groups, importerId);
  }
  // Whoever is in a group of a private project could not get in otherwise.
  const becomeMembers = source.isSynchronised || isPrivate(source.access);
  const defined = new Map<string, number[]>();
  for (const { name, members } of groups) {
    const ids = members.map(({ id }) => id);
    if (name === 'project_admins') for (const id of ids) enrol(id).isAdmin = true;
    else if (name === 'wiki_admins') for (const id of ids) enrol(id).isWikiAdmin = true;
    else if (name === 'project_members' || (becomeMembers && !isSystemGroup(name))) ids.map(enrol);
    if (!isSystemGroup(name)) defined.set(name, [...(defined.get(name) ?? []), ...ids]);
  }
  const members = [...roles].map(([accountId, own]) => ({ accountId, ...own }));
  return { members, groups: defined };
}
