import { entriesOf, indexFiles, noteChanged } from '../../search/index.ts';
import { readRevisions, sql, type Transaction } from '../../storage/index.ts';
import type { Field, Stored } from '../../trackers/index.ts';
import type { WriteContext } from '../context.ts';
import { parseDocument } from '../model.ts';
import { eachArtifact } from '../store.ts';

const tables = ['artifact_value', 'artifact_measure', 'artifact_text'] as const;
type IndexTable = (typeof tables)[number];

/** A row of the index; the third number orders what has the same two before it. */
interface IndexRow {
  readonly field_id: number;
  readonly value: number;
  readonly artifact_id: number;
}

/** How far the index was looked through. */
export interface SweepPlace {
  readonly table: IndexTable;
  readonly after: IndexRow;
}

export interface SweepStep {
  readonly removed: number;
  readonly next: SweepPlace | undefined;
}

const beginning: IndexRow = { field_id: -1, value: 0, artifact_id: 0 };
export const sweepStart: SweepPlace = { table: 'artifact_value', after: beginning };

/** Rows that are looked at in one transaction. */
const atOnce = 500;

function nextRows(tx: Transaction, { table, after }: SweepPlace): Promise<IndexRow[]> {
  // Texts have no value of their own: there is one for each field of an artifact.
  const value = table === 'artifact_text' ? sql`artifact_id` : sql`value`;
  const query = sql<IndexRow>`select field_id, ${value} as value, artifact_id from ${sql.table(table)}
    where (field_id, ${value}, artifact_id) > (${after.field_id}, ${after.value}, ${after.artifact_id})
    order by field_id, ${value}, artifact_id limit ${atOnce}`;
  return tx.all({ compile: () => query.compile(tx.sql) });
}

function belongs(table: IndexTable, row: IndexRow, field: Field, value: Stored | undefined): boolean {
  if (table === 'artifact_text' && field.type.value?.files !== undefined)
    return field.type.value.files(value ?? []).length > 0;
  const { values, measures, text } = entriesOf(field, value);
  if (table === 'artifact_text') return text !== undefined;
  return (table === 'artifact_value' ? values : measures).includes(row.value);
}

async function remove(tx: Transaction, table: IndexTable, row: IndexRow): Promise<void> {
  if (table === 'artifact_text') {
    // Without an attached file in that place, this removes what is there.
    await indexFiles(tx, { artifactId: row.artifact_id, fieldId: row.field_id });
    return;
  }
  const own = tx.sql.deleteFrom(table).where('field_id', '=', row.field_id).where('value', '=', row.value);
  await tx.write(own.where('artifact_id', '=', row.artifact_id));
}

/** Removes rows of the index that no artifact has; what artifacts lack is not told. Fields that were removed keep theirs. */
export async function sweepIndex({ tx, trackers }: WriteContext, place: SweepPlace): Promise<SweepStep> {
  const { table } = place;
  const rows = await nextRows(tx, place);
  const ids = [...new Set(rows.map(({ artifact_id }) => artifact_id))];
  const own = Map.groupBy(rows, ({ artifact_id }) => artifact_id);
  const revisions = await readRevisions(tx);
  const right = new Set<IndexRow>();
  for await (const artifact of eachArtifact(tx, ids)) {
    const tracker = await trackers.find(tx, artifact.tracker_id, revisions);
    const document = parseDocument(artifact.document);
    for (const row of own.get(artifact.id) ?? []) {
      const field = tracker?.elementById.get(row.field_id);
      if (field === undefined || belongs(table, row, field, document[field.id])) right.add(row);
    }
  }
  const wrong = rows.filter((row) => !right.has(row));
  for (const row of wrong) await remove(tx, table, row);
  await noteChanged(
    tx,
    wrong.map(({ artifact_id }) => artifact_id),
  );
  return { removed: wrong.length, next: placeAfter(table, rows) };
}

function placeAfter(table: IndexTable, rows: readonly IndexRow[]): SweepPlace | undefined {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === atOnce) return { table, after: last };
  const following = tables[tables.indexOf(table) + 1];
  return following && { table: following, after: beginning };
}
