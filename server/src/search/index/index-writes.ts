import { fold } from '../../kernel/text.ts';
import { mostIds, statement, type Transaction } from '../../storage/index.ts';
import type { Field, Stored } from '../../trackers/index.ts';
import { searchIndexOn } from './engines.ts';
import { entriesOf, textId } from './entries.ts';

interface Entry {
  readonly fieldId: number;
  readonly value: number;
  readonly artifactId: number;
}

interface Replaced extends Entry {
  readonly former: number;
}

/** Values of lists and numbers are found by tables of the same form. */
const writesOf = (table: 'artifact_value' | 'artifact_measure') => ({
  insert: statement((sql, p: Entry) =>
    sql
      .insertInto(table)
      .values({ field_id: p.fieldId, value: p.value, artifact_id: p.artifactId })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  remove: statement((sql, p: Entry) =>
    sql
      .deleteFrom(table)
      .where('field_id', '=', p.fieldId)
      .where('value', '=', p.value)
      .where('artifact_id', '=', p.artifactId),
  ),
  /** The one goes and the other comes by one statement, where each has to be sent; SQLite knows none that does both. */
  replace: statement((sql, p: Replaced) =>
    sql
      .with('gone', (inner) =>
        inner
          .deleteFrom(table)
          .where('field_id', '=', p.fieldId)
          .where('value', '=', p.former)
          .where('artifact_id', '=', p.artifactId),
      )
      .insertInto(table)
      .values({ field_id: p.fieldId, value: p.value, artifact_id: p.artifactId })
      .onConflict((conflict) => conflict.doNothing()),
  ),
});

const ofValues = writesOf('artifact_value');
const ofMeasures = writesOf('artifact_measure');

/** Brings the numbers that a field is found by from what they were to what they are. */
async function rewriteNumbers(
  tx: Transaction,
  place: { readonly fieldId: number; readonly artifactId: number },
  { insert, remove, replace }: typeof ofValues,
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
): Promise<void> {
  const gone = before.filter((value) => !after.includes(value));
  const come = after.filter((value) => !before.includes(value));
  const replaced = tx.isRemote ? Math.min(gone.length, come.length) : 0;
  for (const [at, former] of gone.slice(0, replaced).entries())
    await tx.write(replace, { ...place, former, value: come[at] ?? former });
  for (const value of gone.slice(replaced)) await tx.write(remove, { ...place, value });
  for (const value of come.slice(replaced)) await tx.write(insert, { ...place, value });
}

const writeText = statement((sql, p: { fieldId: number; artifactId: number; text: string }) =>
  sql
    .insertInto('artifact_text')
    .values({ field_id: p.fieldId, artifact_id: p.artifactId, text: p.text })
    .onConflict((conflict) => conflict.columns(['field_id', 'artifact_id']).doUpdateSet({ text: p.text })),
);

const deleteText = statement((sql, p: { fieldId: number; artifactId: number }) =>
  sql.deleteFrom('artifact_text').where('field_id', '=', p.fieldId).where('artifact_id', '=', p.artifactId),
);

/** Something changed by which these artifacts are found: a search must not miss that, whatever it looks at. */
export function noteChanged(
  tx: Transaction,
  ids: Iterable<number>,
  textIds: readonly number[] = [],
): Promise<void> {
  return searchIndexOn(tx).noteChanged(tx, [...new Set(ids)], textIds);
}

/** Names of texts, as `textId` makes them, whose parts are not known any more. */
const noteTexts = (tx: Transaction, ids: readonly number[]) => searchIndexOn(tx).noteTexts(tx, ids);

const noteText = (tx: Transaction, fieldId: number, rowId: number) => noteTexts(tx, [textId(fieldId, rowId)]);

/** Brings the text of a field from what was there to what is there now. */
async function rewriteText(
  tx: Transaction,
  place: { readonly fieldId: number; readonly artifactId: number },
  before: string | undefined,
  after: string | undefined,
): Promise<number[]> {
  if (before === after) return [];
  if (after === undefined) await tx.write(deleteText, place);
  else await tx.write(writeText, { ...place, text: after });
  return [textId(place.fieldId, place.artifactId)];
}

/** Brings the entries of one field from what was there to what is there now; gives the texts that are to be noted with the artifact. */
export async function reindex(
  tx: Transaction,
  artifactId: number,
  field: Field,
  { before, after }: { before: Stored | undefined; after: Stored | undefined },
): Promise<number[]> {
  const [old, now] = [entriesOf(field, before), entriesOf(field, after)];
  const fieldId = field.id;
  const place = { fieldId, artifactId };
  await rewriteNumbers(tx, place, ofValues, { before: old.values, after: now.values });
  await rewriteNumbers(tx, place, ofMeasures, { before: old.measures, after: now.measures });
  return rewriteText(tx, place, old.text, now.text);
}

/** Rows of the index, ready to be stored. Plain data. */
export interface IndexRows {
  readonly values: readonly (readonly [fieldId: number, value: number])[];
  readonly measures: readonly (readonly [fieldId: number, value: number])[];
  readonly texts: readonly (readonly [fieldId: number, text: string])[];
}

export function indexRowsOf(values: ReadonlyMap<Field, Stored>): IndexRows {
  const rows = {
    values: [] as (readonly [number, number])[],
    measures: [] as (readonly [number, number])[],
    texts: [] as (readonly [number, string])[],
  };
  for (const [field, value] of values) {
    const entries = entriesOf(field, value);
    for (const entry of entries.values) rows.values.push([field.id, entry]);
    for (const entry of entries.measures) rows.measures.push([field.id, entry]);
    if (entries.text !== undefined) rows.texts.push([field.id, entries.text]);
  }
  return rows;
}

const valueColumns = ['field_id', 'value', 'artifact_id'] as const;
const measureColumns = ['field_id', 'value', 'artifact_id'] as const;
const textColumns = ['field_id', 'artifact_id', 'text'] as const;

/** Stores the rows of artifacts that have none yet. */
export async function insertIndexRows(
  tx: Transaction,
  artifacts: readonly { readonly id: number; readonly rows: IndexRows }[],
): Promise<void> {
  const values = artifacts.flatMap(({ id, rows }) => rows.values.map((entry) => [...entry, id] as const));
  const measures = artifacts.flatMap(({ id, rows }) => rows.measures.map((entry) => [...entry, id] as const));
  const texts = artifacts.flatMap(({ id, rows }) =>
    rows.texts.map(([field, text]) => [field, id, text] as const),
  );
  await tx.insertMany('artifact_value', valueColumns, values);
  await tx.insertMany('artifact_measure', measureColumns, measures);
  await tx.insertMany('artifact_text', textColumns, texts);
  await noteChanged(
    tx,
    artifacts.map(({ id }) => id),
    texts.map(([fieldId, id]) => textId(fieldId, id)),
  );
}

/** All rows of an artifact that has none yet. */
export function indexNew(tx: Transaction, id: number, values: ReadonlyMap<Field, Stored>): Promise<void> {
  return insertIndexRows(tx, [{ id, rows: indexRowsOf(values) }]);
}

/** Stands between the texts of files, of which each is searched for itself. */
const between = '\u0001';

/** Names and descriptions of files, as one text. */
export const textOfFiles = (files: readonly { readonly name: string; readonly description: string }[]) =>
  files.flatMap(({ name, description }) => [fold(name), fold(description)]).join(between);

/** Keeps what the files of a field are found by. */
export async function indexFiles(
  tx: Transaction,
  { artifactId, fieldId }: { readonly artifactId: number; readonly fieldId: number },
): Promise<void> {
  const files = tx.sql
    .selectFrom('attachment')
    .select(['name', 'description'])
    .where('artifact_id', '=', artifactId)
    .where('field_id', '=', fieldId)
    .where('state', '=', 'attached')
    .orderBy('id');
  const found = await tx.all(files);
  const place = { fieldId, artifactId };
  if (found.length === 0) await tx.write(deleteText, place);
  else await tx.write(writeText, { ...place, text: textOfFiles(found) });
  await noteText(tx, fieldId, artifactId);
}

/** Removes what comments are found by. */
export async function forgetComments(tx: Transaction, changesetIds: readonly number[]): Promise<void> {
  if (changesetIds.length === 0) return;
  const rows = tx.sql.deleteFrom('comment_text').where('changeset_id', 'in', changesetIds);
  const gone = await tx.all(rows.returning('changeset_id'));
  await noteTexts(
    tx,
    gone.map(({ changeset_id }) => textId(0, changeset_id)),
  );
}

/** Removes what all comments of some artifacts are found by. */
export async function forgetTexts(tx: Transaction, artifactIds: readonly number[]): Promise<void> {
  const rows = tx.sql.selectFrom('comment_text').select('changeset_id');
  const found = await tx.all(rows.where('artifact_id', 'in', artifactIds));
  const ids = found.map(({ changeset_id }) => changeset_id);
  for (let start = 0; start < ids.length; start += mostIds)
    await forgetComments(tx, ids.slice(start, start + mostIds));
}

/** A comment as it is found: by what it says now, and by those who may read it now. */
export interface FoundComment {
  readonly changesetId: number;
  readonly artifactId: number;
  /** Without markup. */
  readonly words: string;
  readonly groups: readonly number[] | null;
}

const commentColumns = ['changeset_id', 'artifact_id', 'text', 'readers'] as const;

const readersOf = (groups: readonly number[] | null) => (groups === null ? null : `,${groups.join(',')},`);

/** Keeps comments that are new. */
export async function indexComments(tx: Transaction, comments: readonly FoundComment[]): Promise<void> {
  const rows = comments.map(
    ({ changesetId, artifactId, words, groups }) =>
      [changesetId, artifactId, fold(words), readersOf(groups)] as const,
  );
  await tx.insertMany('comment_text', commentColumns, rows);
  await noteChanged(
    tx,
    comments.map(({ artifactId }) => artifactId),
    comments.map(({ changesetId }) => textId(0, changesetId)),
  );
}

/** Keeps a comment anew; undefined: there is none any more. */
export async function reindexComment(
  tx: Transaction,
  place: { readonly changesetId: number; readonly artifactId: number },
  comment: FoundComment | undefined,
): Promise<void> {
  await tx.write(tx.sql.deleteFrom('comment_text').where('changeset_id', '=', place.changesetId));
  if (comment !== undefined) return indexComments(tx, [comment]);
  await noteText(tx, 0, place.changesetId);
  await noteChanged(tx, [place.artifactId]);
}

/** Others may read a comment from now on. */
export async function changeReaders(
  tx: Transaction,
  changesetId: number,
  groups: readonly number[] | null,
): Promise<void> {
  const row = tx.sql.updateTable('comment_text').where('changeset_id', '=', changesetId);
  await tx.write(row.set({ readers: readersOf(groups) }));
}
