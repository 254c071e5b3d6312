import { unsettleTotalsOf } from '../../artifacts/index.ts';
import {
  isUsable,
  nameKey,
  recordPlatformEvents,
  recordTasks,
  searchText,
  taskTypes,
} from '../../identity/index.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  addGroupMembers,
  addMembers,
  type ImportedGroup,
  type ImportedMembership,
  type ImportedProject,
  type ImportedService,
  insertHiddenGroups,
  insertHiddenProject,
  insertImportedServices,
  mergeHiddenProject,
  recordInHistory,
  showProject,
} from '../../projects/index.ts';
import { appendLiveEvent, type Transaction } from '../../storage/index.ts';
import { showRepositories } from '../../svn/index.ts';
import { demoName, finishImport, insertImport } from './records.ts';

/** What a hidden project is begun with. */
export interface Beginning {
  /** The import that asked for it; undefined where nobody wrote one down yet. */
  readonly importId: number | undefined;
  readonly requestedBy: number;
  readonly fileName: string;
  /** Who runs it. */
  readonly holder: string;
  /** A project that will get everything. */
  readonly into: number | undefined;
  /** The project to fill; undefined for one that is still to be made. */
  readonly projectId: number | undefined;
  readonly project: ImportedProject;
  readonly services: readonly ImportedService[];
  readonly groups: readonly ImportedGroup[];
  /** How many accounts will be made. */
  readonly accounts: number;
}

export interface Begun {
  readonly importId: number;
  readonly projectId: number;
  /** The ids of the groups by their names. */
  readonly groups: Readonly<Record<string, number>>;
  /** The groups that the project defines which gets everything in the end. */
  readonly others: Readonly<Record<string, number>>;
  /** Ids that the new accounts will have. */
  readonly accountIds: readonly number[];
}

/** The groups that a project defines, by name. */
async function groupsIn(
  tx: Transaction,
  projectId: number | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (projectId === undefined) return new Map();
  const query = tx.sql.selectFrom('user_group').select(['id', 'name']).where('project_id', '=', projectId);
  return new Map((await tx.all(query)).map(({ id, name }) => [name, id]));
}

/** What a project that waited for its archive gets from it beside its content. */
async function adorn(tx: Transaction, id: number, { icon, banner, isSynchronised }: ImportedProject) {
  const columns = { icon, banner, has_synchronised_membership: isSynchronised ? 1 : 0 } as const;
  await tx.run(
    tx.sql.updateTable('project').set(columns).where('id', '=', id).where('status', '=', 'importing'),
  );
}

/** Makes what an archive is read into: a project that nobody sees, with its groups and tools. */
export async function beginImport(tx: Transaction, _: Viewer, input: Beginning): Promise<Begun> {
  const { requestedBy, fileName } = input;
  const projectId = input.projectId ?? (await insertHiddenProject(tx, input.project));
  if (input.projectId !== undefined) await adorn(tx, projectId, input.project);
  const importId =
    input.importId ??
    (await insertImport(tx, {
      ...{ requestedBy, fileName, projectId, options: '{}', state: 'running', uploadId: null },
      holder: input.holder,
    }));
  await tx.run(
    tx.sql.updateTable('project_import').set({ project_id: projectId }).where('id', '=', importId),
  );
  await insertImportedServices(tx, projectId, input.services);
  const there = await groupsIn(tx, input.into);
  const isNew = ({ name }: ImportedGroup) => !there.has(name);
  const groups = await insertHiddenGroups(tx, projectId, input.groups.filter(isNew));
  const accountIds = input.accounts === 0 ? [] : await tx.newIds('account', input.accounts);
  await tx.touch('structure');
  return {
    importId,
    projectId,
    groups: Object.fromEntries(groups),
    others: Object.fromEntries(there),
    accountIds,
  };
}

export interface PromisedAccount {
  readonly id: number;
  readonly name: string;
  readonly realName: string;
  readonly email: string;
  readonly ldapId: string | null;
  readonly status: string;
}

const accountColumns = [
  'id',
  'name',
  'name_key',
  'real_name',
  'email',
  'ldap_id',
  'status',
  'password_hash',
  'password_set_at',
  'search_text',
  'created_at',
  'last_access_at',
] as const;

const someNames = 500;

/** Refuses when somebody took one of the names meanwhile. */
async function requireFreeNames(tx: Transaction, accounts: readonly PromisedAccount[]): Promise<void> {
  await tx.alone('names');
  for (let start = 0; start < accounts.length; start += someNames) {
    const keys = accounts.slice(start, start + someNames).map(({ name }) => nameKey(name));
    const taken = await tx.first(
      tx.sql.selectFrom('account').select('name').where('name_key', 'in', keys).limit(1),
    );
    if (taken !== undefined) throw invalid(`The user ${taken.name} was created by somebody else meanwhile.`);
    const project = await tx.first(
      tx.sql.selectFrom('project').select('shortname').where('shortname_key', 'in', keys).limit(1),
    );
    if (project !== undefined)
      throw invalid(`The user ${project.shortname} cannot be created: a project has this name.`);
  }
}

/** As of accounts that are made one by one. */
async function recordAccounts(
  tx: Transaction,
  by: number,
  accounts: readonly PromisedAccount[],
): Promise<void> {
  const names = accounts.map(({ name }) => name);
  await recordPlatformEvents(tx, by, 'account_create', names);
  const usable = accounts.filter(({ status }) => isUsable(status));
  const logs = usable.map(({ name }) => `${name} is active`);
  await recordTasks(tx, taskTypes.accountActivated, logs);
}

/** Accounts without a password cannot be used before somebody sets one. */
async function insertAccounts(
  tx: Transaction,
  accounts: readonly PromisedAccount[],
  passwordHash: string | null,
): Promise<void> {
  if (accounts.length === 0) return;
  await requireFreeNames(tx, accounts);
  const now = Date.now();
  const rows = accounts.map(
    ({ id, name, realName, email, ldapId, status }) =>
      [
        ...([id, name, nameKey(name), realName, email, ldapId, status, passwordHash] as const),
        ...([passwordHash === null ? null : now, searchText(name, realName), now, null] as const),
      ] as const,
  );
  await tx.insertMany('account', accountColumns, rows);
}

async function createLinkTypes(tx: Transaction, shortnames: readonly string[]): Promise<void> {
  for (const shortname of shortnames) {
    const row = { shortname, forward_label: shortname, reverse_label: shortname };
    const insert = tx.sql.insertInto('link_type').values(row);
    await tx.run(insert.onConflict((conflict) => conflict.column('shortname').doNothing()));
  }
}

async function disableLinkTypes(tx: Transaction, project_id: number, shortnames: readonly string[]) {
  for (const shortname of shortnames) {
    const insert = tx.sql.insertInto('disabled_link_type').values({ project_id, shortname });
    await tx.run(insert.onConflict((conflict) => conflict.doNothing()));
  }
}

/** Refuses when a tracker of the project has a name that one of the new trackers has. */
async function moveTrackers(tx: Transaction, from: number, into: number): Promise<void> {
  const trackers = tx.sql.selectFrom('tracker').select(['name', 'name_key', 'item_name_key']);
  const [come, there] = [
    await tx.all(trackers.where('project_id', '=', from)),
    await tx.all(trackers.where('project_id', '=', into).where('deleted_at', 'is', null)),
  ];
  const clash = come.find((tracker) =>
    there.some(
      (other) => other.name_key === tracker.name_key || other.item_name_key === tracker.item_name_key,
    ),
  );
  if (clash !== undefined)
    throw invalid(`The project has already a tracker with the name or short name of "${clash.name}".`);
  await tx.run(tx.sql.updateTable('tracker').set({ project_id: into }).where('project_id', '=', from));
}

/** All that an import shows at once. */
export interface ImportPublication {
  readonly importId: number;
  readonly projectId: number;
  /** The project that gets everything, when the hidden one is only a way to it. */
  readonly into: number | undefined;
  readonly status: 'active' | 'pending';
  readonly accounts: readonly PromisedAccount[];
  readonly passwordHash: string | null;
  readonly members: readonly ImportedMembership[];
  /** Ids of groups with those of their members. */
  readonly groupMembers: readonly (readonly [group: number, accounts: readonly number[]])[];
  readonly newLinkTypes: readonly string[];
  readonly disabledLinkTypes: readonly string[];
  readonly services: readonly ImportedService[];
  /** Repositories that nobody sees yet. */
  readonly repositoryIds: readonly number[];
  /** JSON object. */
  readonly report: string;
}

/** Who asked for an import, and what it was called; 0: the command line, or the platform itself for its demo. */
async function requestOf(tx: Transaction, importId: number) {
  const columns = ['requested_by as by', 'file_name as fileName'] as const;
  const query = tx.sql.selectFrom('project_import').select(columns).where('id', '=', importId);
  return (await tx.first(query)) ?? { by: 0, fileName: '' };
}

/** The last step of an import: before it nobody sees anything, and after it everybody all of it. */
export async function publishImport(tx: Transaction, _: Viewer, input: ImportPublication): Promise<void> {
  const { importId, projectId, into, report } = input;
  const { by, fileName } = await requestOf(tx, importId);
  const isDemo = by === 0 && fileName === demoName;
  await insertAccounts(tx, input.accounts, input.passwordHash);
  if (!isDemo) await recordAccounts(tx, by, input.accounts);
  await createLinkTypes(tx, input.newLinkTypes);
  const target = into ?? projectId;
  const trackers = tx.sql.selectFrom('tracker').select('id').where('project_id', '=', projectId);
  const trackerIds = (await tx.all(trackers.orderBy('id'))).map(({ id }) => id);
  await disableLinkTypes(tx, target, input.disabledLinkTypes);
  await addMembers(tx, target, input.members);
  for (const [group, accounts] of input.groupMembers) await addGroupMembers(tx, group, accounts);
  if (into === undefined) await showProject(tx, projectId, input.status);
  else {
    await moveTrackers(tx, projectId, into);
    await mergeHiddenProject(tx, { from: projectId, into, services: input.services });
  }
  await showRepositories(tx, input.repositoryIds);
  await unsettleTotalsOf(tx, target);
  await appendLiveEvent(tx, 'project.imported', {
    projectId: target,
    importId,
    trackerIds,
    by,
  });
  if (!isDemo)
    await recordInHistory(tx, { userId: by }, target, { event: 'project_imported', subject: fileName });
  await finishImport(tx, { id: importId, projectId: target, report });
  await tx.touch('identity', 'structure');
}

/** Shows repositories that waited for Subversion to be there. */
export const showImportedRepositories = (tx: Transaction, _: Viewer, { ids }: { ids: readonly number[] }) =>
  showRepositories(tx, ids);
