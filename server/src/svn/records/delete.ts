import { queueTask, readSettings, settleTask, taskTypes } from '../../identity/index.ts';
import { hour, type Instant, minute } from '../../kernel/clock.ts';
import { forbidden, invalid, notFound, Refusal } from '../../kernel/errors.ts';
import type { Page, Slice } from '../../kernel/paging.ts';
import { systemViewer, type Viewer } from '../../kernel/viewer.ts';
import { findProject, type Project, recordInHistory } from '../../projects/index.ts';
import { areRemovalsHeld, type Reader, type Transaction } from '../../storage/index.ts';
import { requireOwnRepository } from '../policy.ts';
import { findAnyRow, type RepositoryRow } from '../store.ts';
import { repositoryChanged } from './changed.ts';
import { lockNamesakes, momentOutside } from './dump-names.ts';

const changeOf = (tx: Transaction, id: number) => tx.sql.updateTable('svn_repository').where('id', '=', id);

async function queueDeletion(tx: Transaction, viewer: Viewer, row: RepositoryRow): Promise<void> {
  const { svn_deletion_delay } = await readSettings(tx);
  const words = `${row.name} of project ${row.project_id} is to be deleted`;
  const deletion_task_id = await queueTask(tx, taskTypes.repositoryDeleted, words);
  const deletion_due_at = Date.now() + svn_deletion_delay * minute;
  await tx.run(changeOf(tx, row.id).set({ deletion_due_at, deletion_task_id }));
  await repositoryChanged(tx, viewer, row);
  await recordInHistory(tx, viewer, row.project_id, {
    event: 'svn_multi_repository_deletion',
    subject: `Repository: ${row.name}`,
  });
}

/** Asks for a repository to be deleted once its time is over; until then nothing changes. */
export async function requestDeletion(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<void> {
  await tx.lock(tx.sql.selectFrom('svn_repository').select('id').where('id', '=', id));
  const { row } = await requireOwnRepository(tx, viewer, id);
  if (row.deletion_due_at !== null) throw invalid('The deletion of this repository is already in queue.');
  await queueDeletion(tx, viewer, row);
}

/** Keeps a repository that waits for its deletion. */
export async function undoDeletion(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  await tx.lock(tx.sql.selectFrom('svn_repository').select('id').where('id', '=', id));
  const { row } = await requireOwnRepository(tx, viewer, id);
  if (row.deletion_due_at === null) throw notFound('Nobody asked for this repository to be deleted.');
  await tx.run(changeOf(tx, id).set({ deletion_due_at: null, deletion_task_id: null }));
  await repositoryChanged(tx, viewer, row);
  if (row.deletion_task_id !== null)
    await settleTask(tx, row.deletion_task_id, 'DONE', `${row.name} is kept after all`);
}

/** For so long nobody else takes over a deletion or a restoration that somebody has begun. */
const lease = hour;

/** Repositories whose time is over, and those whose deletion was cut off. */
export async function findDueDeletions(reader: Reader): Promise<number[]> {
  const query = reader.sql.selectFrom('svn_repository').select('id').where('dump_file', 'is', null);
  return (await reader.all(query.where('deletion_due_at', '<=', Date.now()))).map(({ id }) => id);
}

/** Hides a repository whose time is over. Gives it to one of those who ask, to be dumped and removed. */
export async function claimDeletion(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<RepositoryRow | undefined> {
  // Its folder is being copied, or is about to be.
  if (await areRemovalsHeld(tx)) return undefined;
  const known = await findAnyRow(tx, id);
  if (known === undefined) return undefined;
  const taken = await lockNamesakes(tx, known);
  const now = Date.now();
  const query = tx.sql.selectFrom('svn_repository').selectAll().where('id', '=', id);
  const [row] = await tx.lock(query.where('deletion_due_at', '<=', now).where('dump_file', 'is', null));
  if (row === undefined) return undefined;
  const deleted_at = row.deleted_at ?? momentOutside(taken, now);
  await tx.run(changeOf(tx, id).set({ state: 'deleted', deleted_at, deletion_due_at: now + lease }));
  if (row.deletion_task_id !== null)
    await settleTask(tx, row.deletion_task_id, 'RUNNING', `${row.name} is dumped`);
  await tx.touch('structure');
  await repositoryChanged(tx, viewer, row, 'deleted');
  return { ...row, deleted_at };
}

/** Writes down where the dump is, and that the deletion is done. */
export async function settleDeletion(
  tx: Transaction,
  _: Viewer,
  { id, dumpFile }: { id: number; dumpFile: string },
): Promise<void> {
  const row = await findAnyRow(tx, id);
  await tx.run(changeOf(tx, id).set({ dump_file: dumpFile, deletion_due_at: null, deletion_task_id: null }));
  if (row?.deletion_task_id) await settleTask(tx, row.deletion_task_id, 'DONE', `${row.name} is deleted`);
}

/** Without a dump there is no deletion: the repository is there again, and the deletion is tried once more later. */
export async function postponeDeletion(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<void> {
  const row = await findAnyRow(tx, id);
  const later = { state: 'live', deleted_at: null, deletion_due_at: Date.now() + hour } as const;
  await tx.run(changeOf(tx, id).set(later));
  if (row?.deletion_task_id)
    await settleTask(tx, row.deletion_task_id, 'ERROR', `${row.name} could not be dumped and is kept`);
  if (row !== undefined) await repositoryChanged(tx, viewer, row, 'restored');
  await tx.touch('structure');
}

/** A deleted repository whose dump is still there. */
export interface DeletedRepository {
  readonly id: number;
  readonly project: Project;
  readonly name: string;
  readonly deletedAt: Instant;
}

function requireSiteAdministrator({ isSiteAdmin }: Viewer): void {
  if (!isSiteAdmin) throw forbidden('Only site administrators bring deleted repositories back.');
}

export async function listDeletedRepositories(
  reader: Reader,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<Slice<DeletedRepository>> {
  requireSiteAdministrator(viewer);
  const deleted = reader.sql
    .selectFrom('svn_repository')
    .where('state', '=', 'deleted')
    .where('dump_file', 'is not', null);
  const counted = await reader.first(deleted.select((row) => row.fn.countAll<number>().as('size')));
  const rows = await reader.all(deleted.selectAll().orderBy('id').limit(limit).offset(offset));
  const items = await Array.fromAsync(rows, async ({ id, name, project_id, deleted_at }) => {
    const project = await findProject(reader, systemViewer, project_id);
    if (project === undefined) throw new Error(`The repository ${id} has no project.`);
    return { id, project, name, deletedAt: deleted_at ?? 0 };
  });
  return { items, size: counted?.size ?? 0 };
}

/** A deleted repository that this viewer may bring back. */
export async function requireRestorable(
  reader: Reader,
  viewer: Viewer,
  id: number,
): Promise<{ row: RepositoryRow; project: Project; dumpFile: string }> {
  requireSiteAdministrator(viewer);
  const row = await findAnyRow(reader, id);
  if (row === undefined || row.state !== 'deleted' || row.dump_file === null)
    throw notFound('There is no such deleted repository, or its dump is gone.');
  const project = await findProject(reader, viewer, row.project_id);
  if (project === undefined || project.status === 'deleted')
    throw invalid('The project of this repository is deleted.');
  return { row, project, dumpFile: row.dump_file };
}

/**
 * Gives a deleted repository to one of those who want to bring it back: two at once would write into the same folder, or
 * remove what the other has just made. What its deletion no longer needs says until when it is theirs.
 */
export async function claimRestoration(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<void> {
  await tx.lock(tx.sql.selectFrom('svn_repository').select('id').where('id', '=', id));
  const { row } = await requireRestorable(tx, viewer, id);
  if (row.deletion_due_at !== null && row.deletion_due_at > Date.now())
    throw new Refusal('conflict', 'Somebody is bringing this repository back already.');
  await tx.run(changeOf(tx, id).set({ deletion_due_at: Date.now() + lease }));
}

/** Lets somebody else try. */
export async function releaseRestoration(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<void> {
  await tx.run(changeOf(tx, id).set({ deletion_due_at: null }).where('state', '=', 'deleted'));
}

export async function settleRestoration(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<void> {
  await tx.lock(tx.sql.selectFrom('svn_repository').select('id').where('id', '=', id));
  const { row } = await requireRestorable(tx, viewer, id);
  await tx.run(
    changeOf(tx, id).set({ state: 'live', deleted_at: null, dump_file: null, deletion_due_at: null }),
  );
  const task = await queueTask(tx, taskTypes.repositoryRestored, '');
  await settleTask(tx, task, 'DONE', `${row.name} of project ${row.project_id} is there again`);
  await repositoryChanged(tx, viewer, row, 'restored');
  await tx.touch('structure');
}

/** Forgets a repository whose dump is gone; its name is free again. */
export async function purgeRepository(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<void> {
  const references = tx.sql.deleteFrom('cross_reference').where('source_kind', '=', 'svn');
  await tx.run(references.where('source_id', '=', id));
  await tx.run(tx.sql.deleteFrom('svn_repository').where('id', '=', id).where('state', '=', 'deleted'));
}
