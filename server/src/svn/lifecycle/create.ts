import { findAccount, recordTask, taskTypes } from '../../identity/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type Project, recordInHistory } from '../../projects/index.ts';
import type { Flag, Transaction } from '../../storage/index.ts';
import { readSections } from '../access/generated.ts';
import { saveAccessVersion } from '../access/versions.ts';
import type { SvnDeps } from '../deps.ts';
import {
  checkImmutableTags,
  layoutFolders,
  nameFault,
  nameTaken,
  type RepositorySettings,
  repositoryNameKey,
} from '../model.ts';
import { requireProjectWithSvn, requireSvnAdministrator } from '../policy.ts';
import type { RepositoryPlace } from '../server/workspace.ts';
import { replaceNotifications } from '../settings/notifications.ts';
import { checkSettings, type GivenSettings } from '../settings/settings.ts';
import { findAnyRow } from '../store.ts';
import { installHooks, makeLayout, makeRepository, removeRepository, writeAccess } from './disk.ts';

export const toFlag = (value: boolean): Flag => (value ? 1 : 0);

export interface NewRepository {
  readonly projectId: number;
  readonly name: string;
  readonly settings: RepositorySettings;
  /** Whether an access file is kept that Subversion rejects. */
  readonly hasFaultyAccess?: boolean;
}

/** The columns that hold settings. */
export const settingColumns = ({
  commitRules,
  immutableTags,
  hasDefaultPermissions,
}: RepositorySettings) => ({
  is_reference_mandatory: toFlag(commitRules.isReferenceMandatory),
  is_message_change_allowed: toFlag(commitRules.isMessageChangeAllowed),
  immutable_paths: immutableTags.paths.join('\n'),
  immutable_whitelist: immutableTags.whitelist.join('\n'),
  has_default_permissions: toFlag(hasDefaultPermissions),
});

/** Writes a repository down that nobody sees yet; gives its id. */
export async function insertRepository(
  tx: Transaction,
  viewer: Viewer,
  { projectId, name, settings, hasFaultyAccess = false }: NewRepository,
): Promise<number> {
  const row = {
    project_id: projectId,
    name,
    name_key: repositoryNameKey(name),
    state: 'creating',
    ...settingColumns(settings),
    access_version: 0,
    has_faulty_access: toFlag(hasFaultyAccess),
    subject_header: '',
    last_commit_at: null,
    deletion_due_at: null,
    deletion_task_id: null,
    deleted_at: null,
    dump_file: null,
    created_by: viewer.userId,
    created_at: Date.now(),
  } as const;
  const insert = tx.sql.insertInto('svn_repository').values(row);
  // Whoever had the name first has it, though both may have asked at once.
  const [stored] = await tx.all(insert.onConflict((conflict) => conflict.doNothing()).returning('id'));
  if (stored === undefined) throw nameTaken(name);
  await replaceNotifications(tx, stored.id, settings.notifications);
  if (settings.accessText !== '') await saveAccessVersion(tx, viewer, stored.id, settings.accessText);
  return stored.id;
}

/** The first half of a creation: everything is checked, and the name is taken. */
export async function beginRepository(
  tx: Transaction,
  viewer: Viewer,
  input: NewRepository,
): Promise<number> {
  const project = await requireProjectWithSvn(tx, viewer, input.projectId);
  await requireSvnAdministrator(tx, viewer, project);
  const fault = nameFault(input.name);
  if (fault !== undefined) throw fault;
  const taken = tx.sql
    .selectFrom('svn_repository')
    .select('id')
    .where('project_id', '=', input.projectId)
    .where('name_key', '=', repositoryNameKey(input.name));
  if ((await tx.first(taken)) !== undefined) throw nameTaken(input.name);
  checkImmutableTags(input.settings.immutableTags);
  return insertRepository(tx, viewer, input);
}

export interface Publication {
  readonly id: number;
  /** What the history of the project tells; undefined: nothing. */
  readonly subject?: string | undefined;
  readonly hasFullSettings?: boolean;
}

/** The second half: everybody sees the repository. */
export async function publishRepository(
  tx: Transaction,
  viewer: Viewer,
  { id, subject, hasFullSettings = false }: Publication,
): Promise<void> {
  const [row] = await tx.lock(tx.sql.selectFrom('svn_repository').selectAll().where('id', '=', id));
  if (row === undefined) throw new Error(`The repository ${id} is gone.`);
  await tx.run(tx.sql.updateTable('svn_repository').set({ state: 'live' }).where('id', '=', id));
  await recordTask(tx, taskTypes.repositoryCreated, `${row.name} of project ${row.project_id} is there`);
  if (subject === undefined) return;
  const event = `svn_multi_repository_creation${hasFullSettings ? '_with_full_settings' : ''}`;
  await recordInHistory(tx, viewer, row.project_id, { event, subject });
}

/** Forgets a repository that could not be made. */
export async function abandonRepository(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<void> {
  await tx.run(tx.sql.deleteFrom('svn_repository').where('id', '=', id).where('state', '=', 'creating'));
}

/** Fills the folder of a repository that was written down; what fails leaves nothing. */
export async function build(
  { database, operations, svnWorkspace }: SvnDeps,
  viewer: Viewer,
  project: Pick<Project, 'id' | 'access'>,
  id: number,
  fill: (place: RepositoryPlace) => Promise<void>,
): Promise<void> {
  const row = await findAnyRow(database, id);
  if (row === undefined) throw new Error(`The repository ${id} is gone.`);
  const place = { projectId: row.project_id, name: row.name };
  try {
    await makeRepository(svnWorkspace, place);
    await fill(place);
    await installHooks(svnWorkspace, place);
    await writeAccess(svnWorkspace, place, await readSections(database, project, row));
  } catch (error) {
    await removeRepository(svnWorkspace, place);
    await operations.abandonRepository(viewer, { id });
    throw error;
  }
}

/** Creates a repository; it is on disk when this is done. Gives its id. */
export async function createRepository(
  svnDeps: SvnDeps,
  viewer: Viewer,
  input: {
    readonly projectId: number;
    readonly name: string;
    readonly settings: GivenSettings;
    readonly layout: readonly string[];
  },
): Promise<number> {
  const { database, operations, svnWorkspace } = svnDeps;
  await svnDeps.parts.require();
  await svnWorkspace.makeFolder(svnWorkspace.folder);
  const { projectId, name } = input;
  const project = await requireProjectWithSvn(database, viewer, projectId);
  const folders = layoutFolders(input.layout);
  const settings = await checkSettings(database, svnWorkspace, project, input.settings);
  const id = await operations.beginRepository(viewer, { projectId, name, settings });
  const { commitRules, immutableTags, notifications, accessText } = input.settings;
  const hasFullSettings = [commitRules, immutableTags, notifications, accessText].some(
    (given) => given !== undefined,
  );
  const subject = describeCreation(name, hasFullSettings ? settings : undefined);
  const author = (await findAccount(database, viewer.userId))?.name.toLowerCase() ?? 'admin';
  await build(svnDeps, viewer, project, id, (place) => makeLayout(svnWorkspace, place, folders, author));
  await operations.publishRepository(viewer, { id, subject, hasFullSettings });
  return id;
}

function describeCreation(name: string, settings: RepositorySettings | undefined): string {
  if (settings === undefined) return `Repository: ${name}`;
  return [
    `Repository: ${name}`,
    describeRules(settings),
    describeTags(settings),
    describeNotifications(settings),
    `Access file: ${settings.accessText}`,
  ].join('\n');
}

export const describeRules = ({ commitRules }: RepositorySettings) =>
  `Mandatory reference: ${commitRules.isReferenceMandatory}\nCommit message change: ${commitRules.isMessageChangeAllowed}`;
export const describeTags = ({ immutableTags: { paths, whitelist } }: RepositorySettings) =>
  `Immutable tags: ${paths.join(', ')}\nWhitelist: ${whitelist.join(', ')}`;
export const describeNotifications = ({ notifications }: RepositorySettings) =>
  notifications
    .map(({ path, emails, users, groups }) =>
      [
        `Notification: ${path}`,
        ...emails,
        ...users.map((id) => `user ${id}`),
        ...groups.map((id) => `group ${id}`),
      ].join(', '),
    )
    .join('\n');
