import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fold } from '../../../server/src/kernel/text.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Form } from '../dataset/form.ts';
import { idsAcross } from '../dataset/ids.ts';
import { newDrafts } from '../dataset/new-drafts.ts';
import {
  artifactColumns,
  artifactRow,
  changesetColumns,
  changesetRow,
  idsText,
  linkColumns,
  linkRows,
  membersOf,
  valueColumns,
  valueRows,
} from '../dataset/rows.ts';
import { measureColumns, measureRows, textId, textRows } from '../dataset/search-rows.ts';
import { changedCount, draftCount } from './write-floor.ts';

function inserter(database: DatabaseSync, table: string, columns: readonly string[]): StatementSync {
  const holes = columns.map(() => '?').join(', ');
  return database.prepare(`insert into ${table} (${columns.join(', ')}) values (${holes})`);
}

function inTransaction(database: DatabaseSync, work: (count: number) => void): () => void {
  const [begin, commit] = [database.prepare('begin immediate'), database.prepare('commit')];
  let count = 0;
  return () => {
    begin.run();
    work(count++);
    commit.run();
  };
}

/** Gives a function that writes the rows of a new artifact, a transaction each time. */
export function creations(database: DatabaseSync, dataset: Dataset): () => void {
  const { form } = dataset;
  const drafts = newDrafts(dataset, draftCount).map((draft) => ({ draft, members: membersOf(draft, form) }));
  const raise = database.prepare(
    'update tracker_counter set last_number = last_number + 1, artifacts = artifacts + 1 where tracker_id = ? returning last_number',
  );
  const artifact = inserter(database, 'artifact', artifactColumns);
  const changeset = inserter(database, 'changeset', changesetColumns);
  const value = inserter(database, 'artifact_value', valueColumns);
  const link = inserter(database, 'artifact_link', linkColumns);
  const search = searchWriter(database, form);
  const touch = database.prepare('update artifact set related_version = related_version + 1 where id = ?');
  return inTransaction(database, (count) => {
    const chosen = drafts[count % drafts.length];
    if (chosen === undefined) return;
    const number = Number(raise.get(form.trackerId)?.['last_number']);
    const made = { ...chosen, number, submittedBy: form.members[0] ?? 0, submittedOn: Date.now() };
    const [, ...columns] = artifactRow({ ...made, id: 0 }, form);
    const id = Number(artifact.run(null, ...columns).lastInsertRowid);
    changeset.run(...changesetRow({ ...made, id }, form));
    for (const row of valueRows({ ...made, id }, form)) value.run(...row);
    for (const row of linkRows({ ...made, id })) {
      link.run(...row);
      touch.run(row[1]);
      search.pend(row[1]);
    }
    for (const row of measureRows({ ...made, id }, form)) search.measure(row);
    for (const row of textRows({ ...made, id }, form)) search.text(row);
    search.pend(id);
  });
}

/** Writes what the product finds artifacts by. */
function searchWriter(database: DatabaseSync, { fields }: Form) {
  const measure = inserter(database, 'artifact_measure', measureColumns);
  const unmeasure = database.prepare(
    'delete from artifact_measure where field_id = ? and value = ? and artifact_id = ?',
  );
  const text = database.prepare(
    'insert into artifact_text (field_id, artifact_id, text) values (?, ?, ?) on conflict do update set text = excluded.text',
  );
  const part = database.prepare('insert into text_pending (id) values (?) on conflict do nothing');
  const pending = database.prepare(
    'insert into search_pending (artifact_id, ticket) values (?, 1) on conflict do update set ticket = ticket + 1',
  );
  return {
    measure: (row: readonly [number, number, number]) => measure.run(...row),
    points(id: number, before: number, after: number) {
      unmeasure.run(fields.points, before, id);
      measure.run(fields.points, after, id);
    },
    text(row: readonly [number, number, string]) {
      text.run(...row);
      part.run(textId(row[0], row[1]));
    },
    pend: (id: number) => pending.run(id),
  };
}

/** Gives a function that writes the rows of a change of title, status and points, a transaction each time. */
export function changes(database: DatabaseSync, dataset: Dataset): () => void {
  const { form } = dataset;
  const { fields, members } = form;
  const drafts = newDrafts(dataset, draftCount).map((draft) => ({ draft, members: membersOf(draft, form) }));
  const artifacts = idsAcross(dataset, changedCount).map((id) => ({
    id,
    status: statusOf(database, dataset, id),
    points: pointsOf(database, dataset, id),
  }));
  const update = database.prepare(
    'update artifact set document = ?, version = version + 1, modified_by = ?, modified_on = ? where id = ?',
  );
  const changeset = inserter(database, 'changeset', changesetColumns);
  const remove = database.prepare(
    'delete from artifact_value where field_id = ? and value = ? and artifact_id = ?',
  );
  const value = inserter(database, 'artifact_value', valueColumns);
  const search = searchWriter(database, form);
  return inTransaction(database, (count) => {
    const [chosen, artifact] = [drafts[count % drafts.length], artifacts[count % artifacts.length]];
    if (chosen === undefined || artifact === undefined) return;
    const { title, points, status } = chosen.draft;
    const [now, by, next] = [Date.now(), members[0] ?? 0, status[0] ?? 0];
    update.run(`{${chosen.members}}`, by, now, artifact.id);
    const text = JSON.stringify({ [fields.title]: title, [fields.status]: status, [fields.points]: points });
    changeset.run(artifact.id, by, now, text, null, idsText(fields.title, fields.status, fields.points));
    search.text([fields.title, artifact.id, fold(title)]);
    if (points !== artifact.points) search.points(artifact.id, artifact.points, points);
    artifact.points = points;
    search.pend(artifact.id);
    if (next === artifact.status) return;
    remove.run(fields.status, artifact.status, artifact.id);
    value.run(fields.status, next, artifact.id);
    artifact.status = next;
  });
}

function pointsOf(database: DatabaseSync, { form }: Dataset, id: number): number {
  const row = database.prepare('select document from artifact where id = ?').get(id);
  return Number(JSON.parse(String(row?.['document']))[form.fields.points]);
}

function statusOf(database: DatabaseSync, { form }: Dataset, id: number): number {
  const sql = 'select value from artifact_value where field_id = ? and value = ? and artifact_id = ?';
  const statement = database.prepare(sql);
  const found = form.values.status.find((value) => statement.get(form.fields.status, value, id));
  if (found === undefined) throw new Error(`Artifact ${id} has no status`);
  return found;
}
