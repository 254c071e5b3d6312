import { type Reader, sql, statement } from '../../storage/index.ts';
import type { Stored, StoredLink, Tracker } from '../../trackers/index.ts';
import { type Document, fieldIdsIn, linkField, parseDocument } from '../model.ts';

/** What one changeset changed. */
export interface Step {
  readonly id: number;
  readonly changes: Document;
}

const stepsAtOnce = 500;
/** Bytes of changes from which on they are read one after the other. */
const longStep = 4 * 1024;

/** The changes of a changeset, where they are not long; `wholeChanges` reads the others. */
export const shortChanges = sql<
  string | null
>`case when octet_length(changes) <= ${sql.lit(longStep)} then changes end`;

/** The changes of a changeset of which those were read that are not long. */
export async function wholeChanges(
  reader: Reader,
  { id, changes }: { readonly id: number; readonly changes: string | null },
): Promise<Document> {
  return parseDocument(changes ?? (await reader.first(oneStep, { id }))?.changes ?? '{}');
}

/** The changes of these artifacts that concern one of the fields, oldest first. */
export function findChanges({ sql }: Reader, ids: readonly number[], fieldIds: readonly number[]) {
  return sql
    .selectFrom('changeset')
    .select(['id', 'artifact_id', 'submitted_on', shortChanges.as('changes')])
    .where('artifact_id', 'in', ids)
    .where((row) => row.or(fieldIds.map((id) => row('changes', 'like', `%"${id}":%`))))
    .orderBy('id');
}

const oneStep = statement((builder, p: { id: number }) =>
  builder.selectFrom('changeset').select('changes').where('id', '=', p.id),
);

/** The changes of these changesets, in ascending order of their ids. However many they are, few are held at once. */
export async function* readSteps(
  reader: Reader,
  changesetIds: readonly number[],
): AsyncGenerator<readonly Step[], undefined> {
  const steps = reader.sql
    .selectFrom('changeset')
    .select(['id', shortChanges.as('changes')])
    .orderBy('id');
  const ids = changesetIds.toSorted((left, right) => left - right);
  for (let start = 0; start < ids.length; start += stepsAtOnce)
    yield* inBatches(
      reader,
      await reader.all(steps.where('id', 'in', ids.slice(start, start + stepsAtOnce))),
    );
}

/** Steps that were read, and those that are too long for that one by one. */
async function* inBatches(
  reader: Reader,
  rows: readonly { readonly id: number; readonly changes: string | null }[],
): AsyncGenerator<readonly Step[], undefined> {
  let batch: Step[] = [];
  for (const { id, changes } of rows) {
    if (changes !== null) {
      batch.push({ id, changes: parseDocument(changes) });
      continue;
    }
    if (batch.length > 0) yield batch;
    batch = [];
    yield [{ id, changes: await wholeChanges(reader, { id, changes }) }];
  }
  if (batch.length > 0) yield batch;
}

/** The links in a value of a link field. */
export function linksIn(value: Stored | undefined): StoredLink[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((link: unknown): StoredLink[] =>
    Array.isArray(link) ? [[Number(link[0]), String(link[1])]] : [],
  );
}

/** The other ends of the links that are in one of the lists only, or of another type in each. */
export function movedLinks(before: readonly StoredLink[], after: readonly StoredLink[]): number[] {
  const [old, now] = [new Map(before), new Map(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((id) => old.get(id) !== now.get(id));
}

interface ChangedFields {
  readonly id: number;
  readonly fieldIds: readonly number[];
}

/** By the index alone: however long the changes are, they are not read. */
const changedUpTo = statement((builder, p: { artifactId: number; last: number }) =>
  builder
    .selectFrom('changeset')
    .select(['id', 'field_ids'])
    .where('artifact_id', '=', p.artifactId)
    .where('id', '<=', p.last)
    .orderBy('id'),
);

/** Which fields each changeset of an artifact changed, from the first to this one. */
async function readChangedFields(reader: Reader, artifactId: number, last: number): Promise<ChangedFields[]> {
  const rows = await reader.all(changedUpTo, { artifactId, last });
  const unclear = rows.flatMap(({ id, field_ids }) => (field_ids === null ? [id] : []));
  const inside = new Map<number, readonly number[]>();
  for await (const steps of readSteps(reader, unclear))
    for (const { id, changes } of steps) inside.set(id, Object.keys(changes).map(Number));
  return rows.map(({ id, field_ids }) => ({ id, fieldIds: fieldIdsIn(field_ids) ?? inside.get(id) ?? [] }));
}

/** A changeset in the history of its artifact. */
export interface Moment {
  readonly isFirst: boolean;
  /** The fields that it changed. */
  readonly fieldIds: readonly number[];
  /** The values right before it. */
  readonly before: Document;
  /** What it changed. */
  readonly changes: Document;
}

/** A value, by the changeset that set it. */
type Origin = readonly [fieldId: number, changesetId: number];

interface Origins extends ChangedFields {
  readonly isFirst: boolean;
  readonly before: readonly Origin[];
  readonly changes: readonly Origin[];
}

/** Where the values around some changesets come from. */
function originsOf(
  history: readonly ChangedFields[],
  changesetIds: readonly number[],
  isWanted: (fieldId: number) => boolean,
): Origins[] {
  const wanted = new Set(changesetIds);
  const setters = new Map<number, number>();
  const found: Origins[] = [];
  for (const [index, { id, fieldIds }] of history.entries()) {
    const changes = fieldIds.filter(isWanted).map((fieldId): Origin => [fieldId, id]);
    if (wanted.has(id)) found.push({ id, isFirst: index === 0, fieldIds, before: [...setters], changes });
    for (const [fieldId] of changes) setters.set(fieldId, id);
  }
  return found;
}

/** The values of these origins, and no others of their changesets. */
async function readOrigins(
  reader: Reader,
  origins: Iterable<Origin>,
): Promise<(list: readonly Origin[]) => Document> {
  const needed = new Map<number, Set<number>>();
  for (const [fieldId, changesetId] of origins) {
    const fields = needed.get(changesetId) ?? new Set();
    needed.set(changesetId, fields.add(fieldId));
  }
  const values = new Map<number, Document>();
  for await (const steps of readSteps(reader, [...needed.keys()]))
    for (const { id, changes } of steps) {
      const own = Object.entries(changes).filter(([key]) => needed.get(id)?.has(Number(key)));
      values.set(id, Object.fromEntries(own));
    }
  return (list) => {
    const document: Record<string, Stored> = {};
    for (const [fieldId, changesetId] of list) {
      const value = values.get(changesetId)?.[fieldId];
      if (value !== undefined) document[fieldId] = value;
    }
    return document;
  };
}

/**
 * Some changesets of an artifact, by their ids, with the values around them: all, or those of some fields. What is read is what is shown: of each value the changeset
 * that set it last, not all those before.
 */
export async function readMoments(
  reader: Reader,
  artifactId: number,
  tracker: Tracker,
  changesetIds: readonly number[],
  isWanted: (fieldId: number) => boolean = () => true,
): Promise<ReadonlyMap<number, Moment>> {
  if (changesetIds.length === 0) return new Map();
  const history = await readChangedFields(reader, artifactId, Math.max(...changesetIds));
  const found = originsOf(history, changesetIds, isWanted);
  const read = await readOrigins(
    reader,
    found.flatMap(({ before, changes }) => [...before, ...changes]),
  );
  const links = linkField(tracker);
  // Without a value of its own, the field would show the links of today.
  const none: Document = links === undefined ? {} : { [links.id]: [] };
  return new Map(
    found.map(({ id, isFirst, fieldIds, before, changes }) => [
      id,
      { isFirst, fieldIds, before: { ...none, ...read(before) }, changes: read(changes) },
    ]),
  );
}
