import { isReservedName } from '../identity/index.ts';
import { invalidMember, notFound } from '../kernel/errors.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { toFlag } from '../storage/index.ts';
import { isBuiltInGroupName } from './groups.ts';
import { type AccessLevel, type ProjectStatus, shortnameKey } from './model.ts';
import { type ImportedService, setImportedServices } from './services.ts';

/** A project as an archive tells of it. Names may be longer and wilder than those that people choose here. */
export interface ImportedProject {
  readonly shortname: string;
  readonly label: string;
  readonly description: string;
  readonly access: AccessLevel;
  readonly icon: string;
  readonly banner: string | null;
  readonly isTemplate: boolean;
  readonly isSynchronised: boolean;
}

export interface ImportedGroup {
  readonly name: string;
  readonly description: string;
}

const longestShortname = 255;

export function checkImportedShortname(shortname: string): void {
  if (!/^[A-Za-z0-9_-]+$/.test(shortname) || shortname.length > longestShortname)
    throw invalidMember(
      'unix-name',
      `"${shortname.slice(0, longestShortname)}" is not one to ${longestShortname} letters, digits, "-" and "_".`,
    );
  if (isReservedName(shortname))
    throw invalidMember('unix-name', `The name ${shortname} is reserved. Choose another (--name).`);
}

/** Refuses a name that a project or a user has. */
export async function requireFreeShortname(reader: Reader, shortname: string): Promise<void> {
  const key = shortnameKey(shortname);
  const project = reader.sql.selectFrom('project').select('status').where('shortname_key', '=', key);
  const taken = await reader.first(project);
  if (taken?.status === 'importing')
    throw invalidMember('unix-name', `A project named ${shortname} is being imported already.`);
  if (taken !== undefined) throw invalidMember('unix-name', `There is already a project named ${shortname}.`);
  const account = reader.sql.selectFrom('account').select('id').where('name_key', '=', key);
  if ((await reader.first(account)) !== undefined)
    throw invalidMember('unix-name', `There is a user named ${shortname}.`);
}

/** Makes a project that nobody sees, without anybody in it; gives its id. */
export async function insertHiddenProject(tx: Transaction, project: ImportedProject): Promise<number> {
  await tx.alone('names');
  await requireFreeShortname(tx, project.shortname);
  const row = {
    label: project.label,
    shortname: project.shortname,
    shortname_key: shortnameKey(project.shortname),
    description: project.description,
    status: 'importing',
    access: project.access,
    icon: project.icon,
    is_template: toFlag(project.isTemplate),
    field_values: '{}',
    has_synchronised_membership: toFlag(project.isSynchronised),
    banner: project.banner,
    header_background: null,
    created_at: Date.now(),
  } as const;
  const [stored] = await tx.all(tx.sql.insertInto('project').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new project has no id.');
  return stored.id;
}

/** Makes groups without members in a hidden project, and tells their ids by their names. */
export async function insertHiddenGroups(
  tx: Transaction,
  project_id: number,
  groups: readonly ImportedGroup[],
): Promise<ReadonlyMap<string, number>> {
  const made = new Map<string, number>();
  for (const { name, description } of groups) {
    if (isBuiltInGroupName(name)) continue;
    const row = { project_id, name, name_key: name.toLowerCase(), description };
    const [stored] = await tx.all(tx.sql.insertInto('user_group').values(row).returning('id'));
    if (stored !== undefined) made.set(name, stored.id);
  }
  return made;
}

/** Who is in a project, and in which of its groups. */
export interface ImportedMembership {
  readonly accountId: number;
  readonly isAdmin: boolean;
  readonly isWikiAdmin: boolean;
}

const someRows = 500;

/** In portions that every engine takes. */
async function inPortions<Row>(rows: readonly Row[], insert: (some: readonly Row[]) => Promise<unknown>) {
  for (let start = 0; start < rows.length; start += someRows)
    await insert(rows.slice(start, start + someRows));
}

export async function addMembers(
  tx: Transaction,
  project_id: number,
  members: readonly ImportedMembership[],
): Promise<void> {
  await inPortions(members, (some) => {
    const rows = some.map(({ accountId: account_id, isAdmin, isWikiAdmin }) => ({
      ...{ project_id, account_id },
      ...{ is_admin: toFlag(isAdmin), is_wiki_admin: toFlag(isWikiAdmin) },
    }));
    const insert = tx.sql.insertInto('project_member').values(rows);
    // Whoever is there already stays what they are, or becomes more.
    return tx.run(
      insert.onConflict((conflict) =>
        conflict.columns(['project_id', 'account_id']).doUpdateSet((row) => ({
          is_admin: row
            .case()
            .when('excluded.is_admin', '=', 1)
            .then(1 as const)
            .else(row.ref('project_member.is_admin'))
            .end(),
        })),
      ),
    );
  });
}

export async function addGroupMembers(
  tx: Transaction,
  group_id: number,
  accountIds: readonly number[],
): Promise<void> {
  await inPortions([...new Set(accountIds)], (some) => {
    const insert = tx.sql
      .insertInto('user_group_member')
      .values(some.map((account_id) => ({ group_id, account_id })));
    return tx.run(insert.onConflict((conflict) => conflict.doNothing()));
  });
}

/** Lets a hidden project be seen. */
export async function showProject(
  tx: Transaction,
  id: number,
  status: Extract<ProjectStatus, 'active' | 'pending'>,
): Promise<void> {
  const shown = tx.sql.updateTable('project').set({ status }).where('id', '=', id);
  if ((await tx.run(shown.where('status', '=', 'importing'))) === 0)
    throw notFound('The project that was being imported is gone.');
  await tx.touch('identity', 'structure');
}

/** Moves the groups of a hidden project into another, sets the tools there, and removes the hidden one. */
export async function mergeHiddenProject(
  tx: Transaction,
  { from, into, services }: { from: number; into: number; services: readonly ImportedService[] },
): Promise<void> {
  await tx.run(tx.sql.updateTable('user_group').set({ project_id: into }).where('project_id', '=', from));
  if (services.length > 0) await setImportedServices(tx, into, services);
  await removeHiddenProject(tx, from);
}

/** Removes a hidden project of which nothing else is left. */
export async function removeHiddenProject(tx: Transaction, id: number): Promise<void> {
  for (const table of ['membership_delegation', 'project_member', 'service', 'label', 'user_group'] as const)
    await tx.run(tx.sql.deleteFrom(table).where('project_id', '=', id));
  await tx.run(tx.sql.deleteFrom('project').where('id', '=', id).where('status', '=', 'importing'));
  await tx.touch('identity', 'structure');
}
