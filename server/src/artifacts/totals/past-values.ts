import { type Reader, sql, statement } from '../../storage/index.ts';
import type { Stored, StoredLink, Tracker } from '../../trackers/index.ts';
import { type Document, linkField, parseDocument } from '../model.ts';

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

const someSteps = statement((builder, p: { artifactId: number; after: number; last: number }) =>
  builder
    .selectFrom('changeset')
    .select(['id', shortChanges.as('changes')])
    .where('artifact_id', '=', p.artifactId)
    .where('id', '>', p.after)
    .where('id', '<=', p.last)
    .orderBy('id')
    .limit(sql.lit(stepsAtOnce)),
);

const oneStep = statement((builder, p: { id: number }) =>
  builder.selectFrom('changeset').select('changes').where('id', '=', p.id),
);

/** The changes of an artifact from the first changeset to this one. However many they are, few are held at once. */
export async function* readSteps(
  reader: Reader,
  artifactId: number,
  last: number,
): AsyncGenerator<readonly Step[], undefined> {
  for (let after = 0; ; ) {
    const rows = await reader.all(someSteps, { artifactId, after, last });
    yield* inBatches(reader, rows);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < stepsAtOnce) return;
  }
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

/** The whole values of an artifact as they were at each of these changesets. */
export async function readStates(
  reader: Reader,
  artifactId: number,
  tracker: Tracker,
  changesetIds: readonly number[],
): Promise<ReadonlyMap<number, Document>> {
  const states = new Map<number, Document>();
  if (changesetIds.length === 0) return states;
  const wanted = new Set(changesetIds);
  const links = linkField(tracker);
  // Without a value of its own, the field would show the links of today.
  let state: Document = links === undefined ? {} : { [links.id]: [] };
  for await (const steps of readSteps(reader, artifactId, Math.max(...changesetIds)))
    for (const { id, changes } of steps) {
      state = { ...state, ...changes };
      if (wanted.has(id)) states.set(id, state);
    }
  return states;
}
