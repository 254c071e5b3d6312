import type { Settings } from '../identity/index.ts';
import { invalid, notFound } from '../kernel/errors.ts';

/** Fixed ids of the groups that exist without being made. */
export const groupIds = {
  everybody: 1,
  registered: 2,
  projectMembers: 3,
  projectAdmins: 4,
  authenticated: 5,
  fileManagerAdmins: 11,
  wikiAdmins: 14,
  nobody: 100,
} as const;

/** Groups that hold so many people that nobody lists them. */
export const endlessGroups: readonly number[] = [
  groupIds.everybody,
  groupIds.registered,
  groupIds.authenticated,
];

/** `system` groups are the same for every project, `dynamic` ones exist once in each. */
export interface BuiltInGroup {
  readonly id: number;
  readonly kind: 'system' | 'dynamic';
  readonly name: string;
  readonly key: string;
  /** What permissions in archives of projects call it. */
  readonly constant: string;
  readonly label: string;
}

const group = (
  id: number,
  kind: BuiltInGroup['kind'],
  name: string,
  [key, constant]: readonly [string, string],
  label: string,
): BuiltInGroup => ({
  ...{ id, kind, name, label },
  key: `ugroup_${key}_name_key`,
  constant: `UGROUP_${constant}`,
});

/** Names and keys as existing clients know them. */
const builtIn: readonly BuiltInGroup[] = [
  group(groupIds.everybody, 'system', 'all_users', ['anonymous_users', 'ANONYMOUS'], 'Anonymous'),
  group(
    groupIds.registered,
    'system',
    'registered_users',
    ['registered_users', 'REGISTERED'],
    'Registered users',
  ),
  group(
    groupIds.projectMembers,
    'dynamic',
    'project_members',
    ['project_members', 'PROJECT_MEMBERS'],
    'Project members',
  ),
  group(
    groupIds.projectAdmins,
    'dynamic',
    'project_admins',
    ['project_admins', 'PROJECT_ADMIN'],
    'Project administrators',
  ),
  group(
    groupIds.authenticated,
    'system',
    'authenticated_users',
    ['authenticated_users', 'AUTHENTICATED'],
    'Registered and restricted users',
  ),
  group(
    groupIds.fileManagerAdmins,
    'dynamic',
    'file_manager_admins',
    ['file_manager_admin', 'FILE_MANAGER_ADMIN'],
    'file_manager_admins',
  ),
  group(groupIds.wikiAdmins, 'dynamic', 'wiki_admins', ['wiki_admin', 'WIKI_ADMIN'], 'Wiki administrators'),
  group(groupIds.nobody, 'system', 'nobody', ['nobody', 'NONE'], 'Nobody'),
];

export const builtInGroups: ReadonlyMap<number, BuiltInGroup> = new Map(
  builtIn.map((entry) => [entry.id, entry]),
);
export const dynamicGroups = builtIn.filter(({ kind }) => kind === 'dynamic');

/** The platform's own words for two of its groups. */
export type GroupLabels = Pick<Settings, 'registered_users_label' | 'authenticated_users_label'>;

/** What people call a group; the platform may call two of them otherwise. */
export function groupLabel(
  { id, name }: { readonly id: number; readonly name: string },
  labels: GroupLabels,
): string {
  const input: Readonly<Record<number, string>> = {
    [groupIds.registered]: labels.registered_users_label,
    [groupIds.authenticated]: labels.authenticated_users_label,
  };
  return input[id] || (builtInGroups.get(id)?.label ?? name);
}

const builtInNames = new Set(
  builtIn.flatMap(({ name, key, constant }) => [name, key, constant].map((one) => one.toLowerCase())),
);

/** Whether a name means one of these groups, here or in archives of projects: no other group can have it. */
export const isBuiltInGroupName = (name: string) => builtInNames.has(name.toLowerCase());

/** A group as an address names it: `104`, or `101_3` for group 3 of project 101. */
export interface GroupAddress {
  readonly groupId: number;
  readonly projectId: number | undefined;
}

function parseId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw notFound('There is no such user group.');
  return id;
}

export function parseGroupAddress(text: string): GroupAddress {
  const match = /^(?:(\d+)_)?(\d+)$/.exec(text);
  if (match?.[2] === undefined) {
    throw invalid('Invalid value specified for `id`. A user group id looks like 104 or 101_3.');
  }
  const projectId = match[1] === undefined ? undefined : parseId(match[1]);
  const address = { groupId: parseId(match[2]), projectId };
  const kind = builtInGroups.get(address.groupId)?.kind;
  if (kind === 'dynamic' && projectId === undefined)
    throw invalid(
      `Invalid value specified for \`id\`. Group ${text} exists in each project: use <project>_${text}.`,
    );
  if (kind === 'system' && projectId !== undefined)
    throw invalid(`Invalid value specified for \`id\`. Group ${address.groupId} belongs to no project.`);
  return address;
}

export function formatGroupId(groupId: number, projectId: number | null): string {
  const isDynamic = builtInGroups.get(groupId)?.kind === 'dynamic';
  return isDynamic ? `${projectId}_${groupId}` : String(groupId);
}
