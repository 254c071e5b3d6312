import { dropPieces } from '../../files/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { finishPurge, removeHiddenProject } from '../../projects/index.ts';
import { forgetTexts, noteChanged } from '../../search/index.ts';
import type { Transaction } from '../../storage/index.ts';

const trackersOf = (tx: Transaction, projectId: number) =>
  tx.sql.selectFrom('tracker').select('id').where('project_id', '=', projectId);

/** Only what nobody has seen yet is removed for good. */
async function isHidden(tx: Transaction, id: number): Promise<boolean> {
  const [project] = await tx.lock(tx.sql.selectFrom('project').select('status').where('id', '=', id));
  return project?.status === 'importing';
}

async function removeFilesOf(tx: Transaction, artifacts: readonly number[]): Promise<readonly string[]> {
  const files = tx.sql.selectFrom('attachment').select('id').where('artifact_id', 'in', artifacts);
  const ids = (await tx.all(files)).map(({ id }) => id);
  if (ids.length === 0) return [];
  const hashes = await dropPieces(tx, ids);
  await tx.run(tx.sql.deleteFrom('attachment').where('id', 'in', ids));
  return hashes;
}

async function removeArtifacts(tx: Transaction, ids: readonly number[]): Promise<readonly string[]> {
  const hashes = await removeFilesOf(tx, ids);
  const rows = tx.sql.selectFrom('changeset').select('id').where('artifact_id', 'in', ids);
  await tx.run(tx.sql.deleteFrom('comment_version').where('changeset_id', 'in', rows));
  for (const table of ['changeset', 'artifact_grant', 'artifact_total'] as const)
    await tx.run(tx.sql.deleteFrom(table).where('artifact_id', 'in', ids));
  for (const end of ['source_id', 'target_id'] as const)
    await tx.run(tx.sql.deleteFrom('artifact_link').where(end, 'in', ids));
  await removeReferences(tx, ids);
  await forgetTexts(tx, ids);
  await noteChanged(tx, ids);
  await tx.run(tx.sql.deleteFrom('artifact').where('id', 'in', ids));
  return hashes;
}

async function removeReferences(tx: Transaction, ids: readonly number[]): Promise<void> {
  const references = tx.sql.deleteFrom('cross_reference');
  await tx.run(references.where('source_kind', '=', 'artifact').where('source_id', 'in', ids));
  await tx.run(references.where('target_kind', '=', 'artifact').where('target_id', 'in', ids));
}

/** Values are found by their fields, not by their artifacts. */
async function removeValues(tx: Transaction, projectId: number, limit: number): Promise<number> {
  const fields = tx.sql
    .selectFrom('tracker_field')
    .select('id')
    .where('tracker_id', 'in', trackersOf(tx, projectId));
  let removed = 0;
  for (const table of ['artifact_value', 'artifact_measure'] as const) {
    const values = tx.sql.selectFrom(table).selectAll().where('field_id', 'in', fields);
    const some = await tx.all(values.limit(limit));
    for (const { field_id, value, artifact_id } of some) {
      const one = tx.sql.deleteFrom(table).where('field_id', '=', field_id);
      await tx.run(one.where('value', '=', value).where('artifact_id', '=', artifact_id));
    }
    removed += some.length;
  }
  const texts = tx.sql.selectFrom('artifact_text').select(['field_id', 'artifact_id']);
  const found = await tx.all(texts.where('field_id', 'in', fields).limit(limit));
  for (const { field_id, artifact_id } of found) {
    const one = tx.sql.deleteFrom('artifact_text').where('field_id', '=', field_id);
    await tx.run(one.where('artifact_id', '=', artifact_id));
  }
  return removed + found.length;
}

/** Fields refer to each other, and trackers do. */
async function removeTrackers(tx: Transaction, projectId: number): Promise<void> {
  const ids = (await tx.all(trackersOf(tx, projectId))).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.run(tx.sql.updateTable('tracker_field').set({ parent_id: null }).where('tracker_id', 'in', ids));
  await tx.run(tx.sql.updateTable('tracker').set({ parent_id: null }).where('id', 'in', ids));
  await tx.run(tx.sql.deleteFrom('tracker').where('id', 'in', ids));
}

/** How much of a hidden project is removed at once, so that the transaction stays short. */
const someArtifacts = 50;
const someValues = 300;

/** What a step of a removal did. */
export interface RemovalStep {
  readonly isOver: boolean;
  /** Bytes that nothing may need any more. */
  readonly hashes: readonly string[];
}

/** Removes a part of a hidden project; to be called until it is over. */
export async function removeSomeOfImport(
  tx: Transaction,
  _: Viewer,
  { projectId }: { projectId: number },
): Promise<RemovalStep> {
  if (!(await isHidden(tx, projectId))) return { isOver: true, hashes: [] };
  if ((await removeValues(tx, projectId, someValues)) > 0) return { isOver: false, hashes: [] };
  const artifacts = tx.sql
    .selectFrom('artifact')
    .select('id')
    .where('tracker_id', 'in', trackersOf(tx, projectId));
  const ids = (await tx.all(artifacts.limit(someArtifacts))).map(({ id }) => id);
  if (ids.length > 0) return { isOver: false, hashes: await removeArtifacts(tx, ids) };
  await removeTrackers(tx, projectId);
  await tx.run(tx.sql.deleteFrom('svn_repository').where('project_id', '=', projectId));
  await removeHiddenProject(tx, projectId);
  return { isOver: true, hashes: [] };
}

/** What a step of a purge did. */
export interface ProjectPurgeStep extends RemovalStep {
  /** Imports that the project came from; nothing is known of them any more. */
  readonly imports: readonly number[];
}

/** Removes files that were meant for fields of the project, wherever they got to. */
async function removeSomeFiles(tx: Transaction, projectId: number): Promise<readonly string[] | undefined> {
  const fields = tx.sql
    .selectFrom('tracker_field')
    .select('id')
    .where('tracker_id', 'in', trackersOf(tx, projectId));
  const files = tx.sql.selectFrom('attachment').select('id').where('field_id', 'in', fields);
  const ids = (await tx.lock(files.orderBy('id').limit(someArtifacts))).map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const hashes = await dropPieces(tx, ids);
  await tx.run(tx.sql.deleteFrom('attachment').where('id', 'in', ids));
  return hashes;
}

/** That people visited, chose or watch the project, its trackers, reports and dashboards. */
async function removePlaces(tx: Transaction, projectId: number): Promise<void> {
  const reports = tx.sql
    .selectFrom('report')
    .select('id')
    .where('tracker_id', 'in', trackersOf(tx, projectId));
  const dashboards = tx.sql.selectFrom('dashboard').select('id').where('project_id', '=', projectId);
  for (const table of ['visit', 'favorite'] as const) {
    const of = (kind: string) => tx.sql.deleteFrom(table).where('kind', '=', kind);
    await tx.run(of('project').where('item_id', '=', projectId));
    await tx.run(of('tracker').where('item_id', 'in', trackersOf(tx, projectId)));
    await tx.run(of('report').where('item_id', 'in', reports));
    await tx.run(of('dashboard').where('item_id', 'in', dashboards));
  }
  const watches = tx.sql.deleteFrom('watch').where('kind', '=', 'tracker');
  await tx.run(watches.where('item_id', 'in', trackersOf(tx, projectId)));
}

/** Mails that wait, and what people wished about trackers. */
async function removeMails(tx: Transaction, projectId: number): Promise<void> {
  await tx.run(tx.sql.deleteFrom('mail').where('project_id', '=', projectId));
  const wishes = tx.sql.deleteFrom('mail_choice').where('kind', '=', 'tracker');
  await tx.run(wishes.where('subject_id', 'in', trackersOf(tx, projectId)));
}

async function removeImports(tx: Transaction, projectId: number): Promise<number[]> {
  const own = tx.sql.selectFrom('project_import').select('id').where('project_id', '=', projectId);
  const ids = (await tx.all(own)).map(({ id }) => id);
  await tx.run(tx.sql.deleteFrom('project_import').where('project_id', '=', projectId));
  return ids;
}

/** Removes a part of a project that is being purged and has no artifacts any more; to be called until it is over. */
export async function purgeRest(
  tx: Transaction,
  _: Viewer,
  { projectId }: { projectId: number },
): Promise<ProjectPurgeStep> {
  const query = tx.sql.selectFrom('project').select('status').where('id', '=', projectId);
  const [project] = await tx.lock(query);
  if (project?.status !== 'purging') return { isOver: true, hashes: [], imports: [] };
  if ((await removeValues(tx, projectId, someValues)) > 0) return { isOver: false, hashes: [], imports: [] };
  const hashes = await removeSomeFiles(tx, projectId);
  if (hashes !== undefined) return { isOver: false, hashes, imports: [] };
  await removePlaces(tx, projectId);
  await removeMails(tx, projectId);
  await removeTrackers(tx, projectId);
  const imports = await removeImports(tx, projectId);
  await finishPurge(tx, projectId);
  return { isOver: true, hashes: [], imports };
}
