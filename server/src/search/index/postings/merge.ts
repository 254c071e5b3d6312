import { groupsByBytes } from '../../../kernel/groups.ts';
import { type Reader, readRevisions, sql, statement, type Transaction } from '../../../storage/index.ts';
import { instantSpan, type Stored, type Tracker, type Trackers } from '../../../trackers/index.ts';
import { usualPatience } from '../deadline.ts';
import { entriesOf } from '../entries.ts';
import { blockOf, IdSet } from '../id-set.ts';
import type { Merge, PostingsEngine } from '../search-index.ts';
import { all, type SqlPiece } from '../sql.ts';
import { spanOf } from './date-buckets.ts';
import { isSortedKey, postingKeys } from './postings.ts';
import { type Numbered, replacedNumbers } from './sorted-numbers.ts';

/** Artifacts that are merged at once: all of one block. */
const mostArtifacts = 8192;
/** Bytes of stored texts that whoever merges them holds at once; a single one may be longer. */
export const mostBytes = 16 * 1024 * 1024;

interface PendingRow {
  readonly artifact_id: number;
  readonly ticket: number;
}

/** Artifacts of one block behind a given one that the postings do not tell of. */
async function nextPending(reader: Reader, after: number): Promise<PendingRow[]> {
  const pending = reader.sql.selectFrom('search_pending').selectAll().where('artifact_id', '>', after);
  const rows = await reader.all(pending.orderBy('artifact_id').limit(mostArtifacts));
  const block = blockOf(rows[0]?.artifact_id ?? 0);
  return rows.filter(({ artifact_id }) => blockOf(artifact_id) === block);
}

/** The postings that artifacts belong to, by their keys. */
class Notes {
  readonly sets = new Map<string, number[]>();
  readonly sorted = new Map<string, Numbered[]>();

  note(key: string, id: number): void {
    const own = this.sets.get(key);
    if (own === undefined) this.sets.set(key, [id]);
    else own.push(id);
  }

  noteNumber(key: string, id: number, number: number): void {
    const own = this.sorted.get(key);
    if (own === undefined) this.sorted.set(key, [[id, number]]);
    else own.push([id, number]);
  }
}

interface MergedArtifact {
  readonly id: number;
  readonly tracker_id: number;
  readonly submitted_by: number;
  readonly modified_by: number;
  readonly submitted_on: number;
  readonly modified_on: number;
  readonly is_restricted: 0 | 1;
  readonly bytes: number;
  /** Null: it is long, and read by itself. */
  readonly document: string | null;
}

/** The postings that the values of an artifact put it in. */
function noteValues(tracker: Tracker, id: number, document: string, notes: Notes): void {
  const values: Readonly<Record<string, Stored>> = JSON.parse(document);
  for (const field of tracker.elements) {
    const [value, rules] = [values[field.id], field.type.value];
    if (value === undefined || rules === undefined) continue;
    if (rules.indexed !== undefined)
      for (const entry of entriesOf(field, value).values) notes.note(postingKeys.listed(field.id, entry), id);
    const span = rules.measureSpan?.(field);
    if (span !== undefined)
      for (const measure of entriesOf(field, value).measures)
        notes.note(postingKeys.measured(field.id, spanOf(measure, span)), id);
    if (rules.hasSortedMeasures)
      for (const measure of entriesOf(field, value).measures)
        notes.noteNumber(postingKeys.sorted(field.id), id, measure);
    if (rules.isEmpty !== undefined && !rules.isEmpty(value)) notes.note(postingKeys.filled(field.id), id);
  }
}

/** True where a column has one of the artifacts that are merged. */
type IsMerged = (column: string) => SqlPiece;

async function noteArtifacts(
  reader: Reader,
  { trackers, engine }: MergeDeps,
  ids: readonly number[],
  notes: Notes,
): Promise<void> {
  const revisions = await readRevisions(reader);
  // However many they are and whatever stands in them, no more is held of them than there is room for.
  const mostEach = Math.floor(mostBytes / ids.length);
  const rows = await all<MergedArtifact>(
    reader,
    sql`select id, tracker_id, submitted_by, modified_by, submitted_on, modified_on, is_restricted,
        octet_length(document) as bytes,
        case when octet_length(document) <= ${sql.lit(mostEach)} then document end as document
      from artifact where ${engine.isOneOf(sql.ref('id'), ids)}`,
  );
  const long: MergedArtifact[] = [];
  for (const row of rows) {
    notes.note(postingKeys.tracker(row.tracker_id), row.id);
    notes.note(postingKeys.submitter(row.submitted_by), row.id);
    notes.note(postingKeys.editor(row.modified_by), row.id);
    for (const [fact, instant] of [
      ['submittedOn', row.submitted_on],
      ['modifiedOn', row.modified_on],
    ] as const)
      notes.note(postingKeys.fact(fact, row.tracker_id, spanOf(instant, instantSpan)), row.id);
    if (row.is_restricted === 1) notes.note(postingKeys.restricted, row.id);
    const tracker = await trackers.find(reader, row.tracker_id, revisions);
    if (tracker === undefined) continue;
    if (row.document === null) long.push(row);
    else noteValues(tracker, row.id, row.document, notes);
  }
  for (const { items: some } of groupsByBytes(long, ({ bytes }) => bytes, mostBytes)) {
    const trackerOf = new Map(some.map((row) => [row.id, row.tracker_id]));
    const documents = await all<{ readonly id: number; readonly document: string }>(
      reader,
      sql`select id, document from artifact where ${engine.isOneOf(sql.ref('id'), [...trackerOf.keys()])}`,
    );
    for (const { id, document } of documents) {
      const tracker = await trackers.find(reader, trackerOf.get(id) ?? 0, revisions);
      if (tracker !== undefined) noteValues(tracker, id, document, notes);
    }
  }
}

/** A link as the artifact at one end is found by it. */
interface MergedLink {
  readonly id: number;
  readonly type: string;
  readonly tracker_id: number;
  readonly is_restricted: 0 | 1;
}

async function noteLinks(reader: Reader, isMerged: IsMerged, notes: Notes): Promise<void> {
  for (const [direction, own, far] of [
    ['forward', 'source_id', 'target_id'],
    ['reverse', 'target_id', 'source_id'],
  ] as const) {
    const rows = await all<MergedLink>(
      reader,
      sql`select distinct ${sql.ref(own)} as id, type, tracker_id, is_restricted from artifact_link
        inner join artifact on artifact.id = ${sql.ref(far)} where ${isMerged(own)}`,
    );
    for (const { id, type, tracker_id, is_restricted } of rows) {
      const isRestricted = is_restricted === 1;
      notes.note(postingKeys.linked(direction, tracker_id, { isRestricted }), id);
      notes.note(postingKeys.linked(direction, tracker_id, { type, isRestricted }), id);
    }
  }
}

async function noteComments(reader: Reader, isMerged: IsMerged, notes: Notes): Promise<void> {
  const rows = await all<{ id: number }>(
    reader,
    sql`select distinct artifact_id as id from comment_text where readers is null and ${isMerged('artifact_id')}`,
  );
  for (const { id } of rows) notes.note(postingKeys.commented, id);
}

/** What the postings shall say of some artifacts. */
async function postingsOfPending(
  reader: Reader,
  deps: MergeDeps,
  pending: readonly PendingRow[],
): Promise<Notes> {
  const notes = new Notes();
  const ids = [...new Set(pending.map(({ artifact_id }) => artifact_id))];
  const isMerged: IsMerged = (column) => sql`${deps.engine.isOneOf(sql.ref(column), ids)}`;
  await noteArtifacts(reader, deps, ids, notes);
  await noteLinks(reader, isMerged, notes);
  await noteComments(reader, isMerged, notes);
  return notes;
}

const isSame = (left: Uint8Array | undefined, right: Uint8Array | undefined) =>
  left === undefined || right === undefined ? left === right : Buffer.compare(left, right) === 0;

/** Those blocks of postings that are to be written anew. */
async function changedPostings(
  reader: Reader,
  block: number,
  pending: readonly PendingRow[],
  wanted: Notes,
): Promise<Merge['postings']> {
  const query = reader.sql.selectFrom('posting').select(['key', 'ids']).where('block', '=', block);
  const before = new Map((await reader.all(query)).map(({ key, ids }) => [key, ids]));
  const touched = IdSet.of(pending.map(({ artifact_id }) => artifact_id));
  const changed: [string, Uint8Array | null][] = [];
  for (const key of new Set([...before.keys(), ...wanted.sets.keys(), ...wanted.sorted.keys()])) {
    const stored = before.get(key);
    if (isSortedKey(key)) {
      const after = replacedNumbers(block, stored, touched, wanted.sorted.get(key) ?? []);
      if (!isSame(stored, after)) changed.push([key, after ?? null]);
      continue;
    }
    const own = wanted.sets.get(key) ?? [];
    // Most postings tell of none of these artifacts.
    if (own.length === 0 && stored !== undefined && !touched.meetsStored(block, stored)) continue;
    const after = touched.replacedIn(block, stored, own);
    if (!isSame(stored, after)) changed.push([key, after ?? null]);
  }
  return changed;
}

/** What merges are made with. */
export interface MergeDeps {
  readonly trackers: Trackers;
  readonly engine: PostingsEngine;
}

/** Works out what is to be merged next behind an artifact; undefined when nothing is. */
export function prepareMerge(reader: Reader, deps: MergeDeps, after: number): Promise<Merge | undefined> {
  return reader.consistently(usualPatience, async (still) => {
    const pending = await nextPending(still, after);
    const [first] = pending;
    if (first === undefined) return undefined;
    const block = blockOf(first.artifact_id);
    const wanted = await postingsOfPending(still, deps, pending);
    const [state] = await still.all(revisionOfPostings(still));
    return {
      revision: state?.value ?? 0,
      block,
      postings: await changedPostings(still, block, pending, wanted),
      artifacts: pending.map(({ artifact_id, ticket }) => [artifact_id, ticket] as const),
    };
  });
}

const revisionOfPostings = ({ sql: builder }: Reader) =>
  builder.selectFrom('revision').select('value').where('name', '=', 'postings');

const writePosting = statement((builder, p: { key: string; block: number; ids: Uint8Array }) =>
  builder
    .insertInto('posting')
    .values({ key: p.key, block: p.block, ids: p.ids })
    .onConflict((conflict) => conflict.columns(['key', 'block']).doUpdateSet({ ids: p.ids })),
);

const deletePosting = statement((builder, p: { key: string; block: number }) =>
  builder.deleteFrom('posting').where('key', '=', p.key).where('block', '=', p.block),
);

/** Stores a merge; false when another was stored since it was made. Artifacts that changed since stay pending. */
export async function storeMerge(
  tx: Transaction,
  engine: PostingsEngine,
  { revision, block, postings, artifacts }: Merge,
): Promise<boolean> {
  const raise = tx.sql
    .updateTable('revision')
    .set({ value: revision + 1 })
    .where('name', '=', 'postings')
    .where('value', '=', revision);
  if ((await tx.run(raise)) === 0) return false;
  for (const [key, ids] of postings)
    if (ids === null) await tx.write(deletePosting, { key, block });
    else await tx.write(writePosting, { key, block, ids });
  await engine.settle(tx, artifacts);
  return true;
}
