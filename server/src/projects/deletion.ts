import { readSettings, recordTask, requireSiteAdministrator, taskTypes } from '../identity/index.ts';
import { day, type Instant } from '../kernel/clock.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { areRemovalsHeld, type Reader, type Transaction } from '../storage/index.ts';
import { projectChanged } from './changed.ts';
import { recordInHistory } from './history.ts';
import { isHidden, type Project, type ProjectStatus } from './model.ts';
import { requireStatusChange } from './policy.ts';
import { findProject, lockProject } from './store.ts';

/** A project that can still be brought back. */
export interface DeletedProject {
  readonly project: Project;
  readonly deletedAt: Instant;
  /** 0: the command line. */
  readonly deletedBy: number;
  /** When nothing of it will be left; null: when somebody asks for it. */
  readonly purgeDueAt: Instant | null;
}

const change = (tx: Transaction, id: number) => tx.sql.updateTable('project').where('id', '=', id);

/** Hides a project and all that is in it. Nothing of it is lost before it is purged. */
export async function markDeleted(
  tx: Transaction,
  viewer: Viewer,
  { id, status, shortname }: Pick<Project, 'id' | 'status' | 'shortname'>,
): Promise<void> {
  const now = Date.now();
  const { project_purge_delay: days } = await readSettings(tx);
  await tx.run(
    change(tx, id).set({
      status: 'deleted',
      deleted_at: now,
      deleted_by: viewer.userId,
      deleted_from: status,
      purge_due_at: days === 0 ? null : now + days * day,
    }),
  );
  await recordTask(tx, taskTypes.projectDeleted, `${shortname} is deleted`);
  await recordInHistory(tx, viewer, id, { event: 'project_deleted', subject: shortname });
  await projectChanged(tx, viewer, id, 'deleted');
}

/** The project, locked, for those who decide whether there is one. */
async function requireForDeletion(tx: Transaction, viewer: Viewer, id: number): Promise<Project> {
  requireSiteAdministrator(viewer);
  await lockProject(tx, id);
  const project = await findProject(tx, viewer, id);
  if (project === undefined || isHidden(project.status)) throw notFound('Project does not exist');
  return project;
}

export async function deleteProject(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  const project = await requireForDeletion(tx, viewer, id);
  if (project.status === 'deleted') throw forbidden('This project is deleted');
  requireStatusChange(viewer, project, 'deleted');
  await markDeleted(tx, viewer, project);
}

/** A deleted project that is not yet being purged, locked. */
async function requireDeleted(tx: Transaction, viewer: Viewer, id: number): Promise<Project> {
  const project = await requireForDeletion(tx, viewer, id);
  if (project.status !== 'deleted') throw notFound('There is no such deleted project.');
  return project;
}

const formerStatuses: readonly ProjectStatus[] = ['active', 'pending', 'suspended'];

/** Brings a deleted project back as it was. */
export async function restoreProject(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  const { shortname } = await requireDeleted(tx, viewer, id);
  const row = await tx.first(tx.sql.selectFrom('project').select('deleted_from').where('id', '=', id));
  const status = formerStatuses.find((former) => former === row?.deleted_from) ?? 'active';
  await tx.run(
    change(tx, id).set({
      ...{ status, deleted_at: null, deleted_by: null, deleted_from: null, purge_due_at: null },
    }),
  );
  await recordTask(tx, taskTypes.projectRestored, `${shortname} is there again`);
  await recordInHistory(tx, viewer, id, { event: 'project_restored', subject: shortname });
  await projectChanged(tx, viewer, id, 'restored');
}

/** Asks for a deleted project to be purged as soon as may be. */
export async function requestPurge(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  await requireDeleted(tx, viewer, id);
  await tx.run(change(tx, id).set({ purge_due_at: Date.now() }));
}

const deletedColumns = ['id', 'deleted_at', 'deleted_by', 'purge_due_at'] as const;

async function toDeleted(
  reader: Reader,
  viewer: Viewer,
  row: { id: number; deleted_at: number | null; deleted_by: number | null; purge_due_at: number | null },
): Promise<DeletedProject> {
  const project = await findProject(reader, viewer, row.id);
  if (project === undefined) throw notFound('There is no such deleted project.');
  const { deleted_at, deleted_by, purge_due_at: purgeDueAt } = row;
  return { project, deletedAt: deleted_at ?? 0, deletedBy: deleted_by ?? 0, purgeDueAt };
}

/** Projects that can still be brought back, the one that was deleted last first. */
export async function listDeletedProjects(
  reader: Reader,
  viewer: Viewer,
  { limit, offset }: Page,
): Promise<Slice<DeletedProject>> {
  requireSiteAdministrator(viewer);
  const deleted = reader.sql.selectFrom('project').where('status', '=', 'deleted');
  const counted = await reader.first(deleted.select((row) => row.fn.countAll<number>().as('size')));
  const page = deleted.select(deletedColumns).orderBy('deleted_at', 'desc').orderBy('id', 'desc');
  const rows = await reader.all(page.limit(limit).offset(offset));
  const items = await Array.fromAsync(rows, (row) => toDeleted(reader, viewer, row));
  return { items, size: counted?.size ?? 0 };
}

export async function readDeletedProject(
  reader: Reader,
  viewer: Viewer,
  id: number,
): Promise<DeletedProject> {
  requireSiteAdministrator(viewer);
  const query = reader.sql.selectFrom('project').select(deletedColumns).where('status', '=', 'deleted');
  const row = await reader.first(query.where('id', '=', id));
  if (row === undefined) throw notFound('There is no such deleted project.');
  return toDeleted(reader, viewer, row);
}

/** Projects whose time is over, and those whose purge was cut off. */
export async function findDuePurges(reader: Reader): Promise<number[]> {
  const query = reader.sql.selectFrom('project').select('id').where('purge_due_at', '<=', Date.now());
  return (await reader.all(query.orderBy('id'))).map(({ id }) => id);
}

/** Takes a project whose time is over out of everybody's sight; from here on nothing brings it back. */
export async function beginPurge(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<boolean> {
  const query = tx.sql.selectFrom('project').select(['status', 'purge_due_at']).where('id', '=', id);
  const [project] = await tx.lock(query.where('purge_due_at', '<=', Date.now()));
  if (project?.status === 'purging') return true;
  // While somebody copies what there is, nothing new is begun.
  if (project?.status !== 'deleted' || (await areRemovalsHeld(tx))) return false;
  await tx.run(change(tx, id).set({ status: 'purging' }));
  await tx.touch('identity', 'structure');
  return true;
}

/** Removes a project of which nothing else is left; its short name is free again. */
export async function finishPurge(tx: Transaction, id: number): Promise<void> {
  const [project] = await tx.lock(tx.sql.selectFrom('project').selectAll().where('id', '=', id));
  if (project?.status !== 'purging') return;
  for (const table of ['membership_delegation', 'project_member', 'service', 'label', 'user_group'] as const)
    await tx.run(tx.sql.deleteFrom(table).where('project_id', '=', id));
  await tx.run(tx.sql.deleteFrom('project').where('id', '=', id));
  await recordTask(tx, taskTypes.projectPurged, `${project.shortname} is purged`);
  await tx.touch('identity', 'structure');
}
