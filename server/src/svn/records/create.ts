import { recordTask, taskTypes } from '../../identity/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { recordInHistory } from '../../projects/index.ts';
import { type Transaction, toFlag } from '../../storage/index.ts';
import {
  checkImmutableTags,
  nameTaken,
  type RepositorySettings,
  repositoryNameFault,
  repositoryNameKey,
} from '../model.ts';
import { replaceNotifications } from '../notifications.ts';
import { requireProjectWithSvn, requireSvnAdministrator } from '../policy.ts';
import { settingColumns } from '../store.ts';
import { saveAccessVersion } from './access-versions.ts';
import { repositoryChanged } from './changed.ts';

export interface NewRepository {
  readonly projectId: number;
  readonly name: string;
  readonly settings: RepositorySettings;
  /** Whether an access file is kept that Subversion rejects. */
  readonly hasFaultyAccess?: boolean;
}

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
    recorded_revision: null,
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
  const fault = repositoryNameFault(input.name);
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

export interface RepositoryPublication {
  readonly id: number;
  /** The youngest revision: what it begins with is nobody's commit. */
  readonly revision: number;
  /** What the history of the project tells; undefined: nothing. */
  readonly subject?: string | undefined;
  readonly hasFullSettings?: boolean;
}

/** The second half: everybody sees the repository. */
export async function publishRepository(
  tx: Transaction,
  viewer: Viewer,
  { id, revision, subject, hasFullSettings = false }: RepositoryPublication,
): Promise<void> {
  const [row] = await tx.lock(tx.sql.selectFrom('svn_repository').selectAll().where('id', '=', id));
  if (row === undefined) throw new Error(`The repository ${id} is gone.`);
  const publish = tx.sql.updateTable('svn_repository').set({ state: 'live', recorded_revision: revision });
  await tx.run(publish.where('id', '=', id));
  await repositoryChanged(tx, viewer, row, 'created');
  await recordTask(tx, taskTypes.repositoryCreated, `${row.name} of project ${row.project_id} is there`);
  if (subject === undefined) return;
  const event = `svn_multi_repository_creation${hasFullSettings ? '_with_full_settings' : ''}`;
  await recordInHistory(tx, viewer, row.project_id, { event, subject });
}

/** Forgets a repository that could not be made. */
export async function abandonRepository(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<void> {
  await tx.run(tx.sql.deleteFrom('svn_repository').where('id', '=', id).where('state', '=', 'creating'));
}
