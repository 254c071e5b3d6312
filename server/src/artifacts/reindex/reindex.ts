import type { Viewer } from '../../kernel/viewer.ts';
import { indexFiles, noteChanged, noteLinkedTrackers, reindex, reindexComment } from '../../search/index.ts';
import { type Reader, readRevisions, type Transaction } from '../../storage/index.ts';
import type { Field, Trackers } from '../../trackers/index.ts';
import { foundComment, parseComment } from '../comments.ts';
import type { WriteContext } from '../context.ts';
import { type ArtifactRow, parseDocument } from '../model.ts';
import { lockEach } from '../store.ts';

/** What is done in one transaction. */
const atOnce = { artifacts: 100, measures: 2000, comments: 50 };

/** Stands for measures that are still to be removed before artifacts are looked at. */
const fromScratch = -1;

export async function hasBacklog(reader: Reader): Promise<boolean> {
  return (
    (await reader.first(reader.sql.selectFrom('search_backlog').select('field_id').limit(1))) !== undefined
  );
}

/** Makes what all artifacts are found by once more; or, where values of one field are measured anew, that. */
export async function requestReindexing(
  tx: Transaction,
  _: Viewer,
  { fieldId }: { readonly fieldId: number },
): Promise<void> {
  const row = { field_id: fieldId, after_id: fieldId === 0 ? 0 : fromScratch };
  const insert = tx.sql.insertInto('search_backlog').values(row);
  await tx.write(
    insert.onConflict((conflict) => conflict.column('field_id').doUpdateSet({ after_id: row.after_id })),
  );
}

async function reindexComments(tx: Transaction, artifactId: number): Promise<void> {
  const changesets = tx.sql.selectFrom('changeset').select(['id', 'comment']).orderBy('id');
  const commented = changesets.where('artifact_id', '=', artifactId).where('comment', 'is not', null);
  for (let after = 0; ; ) {
    const rows = await tx.all(commented.where('id', '>', after).limit(atOnce.comments));
    for (const { id, comment } of rows) {
      const present = parseComment(comment);
      const place = { changesetId: id, artifactId };
      await reindexComment(tx, place, (present && foundComment(place, present)) ?? undefined);
      after = id;
    }
    if (rows.length < atOnce.comments) return;
  }
}

/** Adds what is missing: entries that are there already stay. Gives the texts that are to be noted. */
async function reindexValues(tx: Transaction, row: ArtifactRow, fields: readonly Field[]): Promise<number[]> {
  const document = parseDocument(row.document);
  const texts: number[] = [];
  for (const field of fields) {
    const value = document[field.id];
    if (value === undefined) continue;
    texts.push(...(await reindex(tx, row.id, field, { before: undefined, after: value })));
    if (field.type.value?.files !== undefined)
      await indexFiles(tx, { artifactId: row.id, fieldId: field.id });
  }
  return texts;
}

async function nextArtifacts(tx: Transaction, after: number, trackerId?: number): Promise<number[]> {
  const own = tx.sql.selectFrom('artifact').select('id').where('id', '>', after);
  const some = trackerId === undefined ? own : own.where('tracker_id', '=', trackerId);
  const rows = await tx.all(some.orderBy('id').limit(atOnce.artifacts));
  return rows.map(({ id }) => id);
}

/** Gives the last artifact that was done; undefined when there are no more. */
async function reindexSome(tx: Transaction, after: number, trackers: Trackers): Promise<number | undefined> {
  const revisions = await readRevisions(tx);
  const ids = await nextArtifacts(tx, after);
  const texts: number[] = [];
  for await (const row of lockEach(tx, ids)) {
    const tracker = await trackers.find(tx, row.tracker_id, revisions);
    texts.push(...(await reindexValues(tx, row, tracker?.elements ?? [])));
    await reindexComments(tx, row.id);
  }
  await noteLinkedTrackers(tx, ids);
  await noteChanged(tx, ids, texts);
  return ids.at(-1);
}

async function removeMeasures(tx: Transaction, fieldId: number): Promise<boolean> {
  const own = tx.sql.selectFrom('artifact_measure').selectAll().where('field_id', '=', fieldId);
  const rows = await tx.all(own.limit(atOnce.measures));
  for (const { value, artifact_id } of rows) {
    const one = tx.sql.deleteFrom('artifact_measure').where('field_id', '=', fieldId);
    await tx.write(one.where('value', '=', value).where('artifact_id', '=', artifact_id));
  }
  return rows.length < atOnce.measures;
}

async function remeasureSome(
  tx: Transaction,
  { fieldId, after }: { fieldId: number; after: number },
  trackers: Trackers,
): Promise<number | undefined> {
  if (after === fromScratch) return (await removeMeasures(tx, fieldId)) ? 0 : fromScratch;
  const own = tx.sql.selectFrom('tracker_field').select('tracker_id').where('id', '=', fieldId);
  const place = await tx.first(own);
  const tracker = place && (await trackers.find(tx, place.tracker_id, await readRevisions(tx)));
  const field = tracker?.elementById.get(fieldId);
  if (tracker === undefined || field === undefined) return undefined;
  const ids = await nextArtifacts(tx, after, tracker.id);
  const texts: number[] = [];
  for await (const row of lockEach(tx, ids)) texts.push(...(await reindexValues(tx, row, [field])));
  await noteChanged(tx, ids, texts);
  return ids.at(-1);
}

/** Works off some of what artifacts are still to be found by; tells whether there is more. */
export async function reindexNext({ tx, trackers }: WriteContext, _: undefined): Promise<boolean> {
  const [row] = await tx.lock(tx.sql.selectFrom('search_backlog').selectAll().orderBy('field_id').limit(1));
  if (row === undefined) return false;
  const { field_id: fieldId, after_id: after } = row;
  const after_id =
    fieldId === 0
      ? await reindexSome(tx, after, trackers)
      : await remeasureSome(tx, { fieldId, after }, trackers);
  if (after_id === undefined)
    await tx.write(tx.sql.deleteFrom('search_backlog').where('field_id', '=', fieldId));
  else await tx.write(tx.sql.updateTable('search_backlog').set({ after_id }).where('field_id', '=', fieldId));
  return true;
}
