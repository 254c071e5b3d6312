import { mostIds, type Reader, type Tables, type Transaction } from '../../../storage/index.ts';
import { formatExact, parseExact, type Sum } from './exact.ts';

/**
 * What a sum is made from, as far as that decides who may be told it. Never less than there is, at times more: what goes away
 * is forgotten only when the sum is worked out again.
 */
export interface Below {
  /** The trackers of all artifacts that it takes in; undefined: more than are written down. */
  readonly trackers: ReadonlySet<number> | undefined;
  /** Whether one of them may be for certain groups only. */
  readonly hasRestricted: boolean;
}

export const nothingBelow: Below = { trackers: new Set(), hasRestricted: false };

/** Trackers that are written down for one sum. */
const mostTrackers = 100;

export function bothBelow(left: Below, right: Below): Below {
  const hasRestricted = left.hasRestricted || right.hasRestricted;
  const trackers = left.trackers && right.trackers && left.trackers.union(right.trackers);
  return { trackers: trackers && trackers.size > mostTrackers ? undefined : trackers, hasRestricted };
}

function isWithin(part: Below, whole: Below): boolean {
  if (part.hasRestricted && !whole.hasRestricted) return false;
  return whole.trackers === undefined || (part.trackers?.isSubsetOf(whole.trackers) ?? false);
}

/** `12 15`, or `*` for more than are written down. */
const formatTrackers = ({ trackers }: Below) => (trackers === undefined ? '*' : [...trackers].join(' '));

/** Most sums of an answer are made from the same trackers. */
const parsedTrackers = new Map<string, ReadonlySet<number>>();
const mostParsed = 1000;

function parseTrackers(text: string): ReadonlySet<number> | undefined {
  if (text === '*') return undefined;
  const known = parsedTrackers.get(text);
  if (known !== undefined) return known;
  if (parsedTrackers.size >= mostParsed) parsedTrackers.clear();
  const trackers = new Set(text === '' ? [] : text.split(' ').map(Number));
  parsedTrackers.set(text, trackers);
  return trackers;
}

function belowColumns(below: Below): Pick<Tables['artifact_total'], 'trackers' | 'has_restricted'> {
  return { trackers: formatTrackers(below), has_restricted: below.hasRestricted ? 1 : 0 };
}

/** A sum as it is kept. */
export interface KeptTotal extends Sum, Below {
  readonly artifactId: number;
  /** A number set by hand counts instead in sums over this artifact. */
  readonly isManual: boolean;
  /** Something below may be reached in more than one way. */
  readonly isShared: boolean;
  /** The sum does not hold any more. */
  readonly isStale: boolean;
  readonly ticket: number;
}

export const toKept = (row: Tables['artifact_total']): KeptTotal => ({
  artifactId: row.artifact_id,
  sum: parseExact(row.sum),
  parts: row.parts,
  isManual: row.is_manual === 1,
  isShared: row.is_shared === 1,
  isStale: row.is_stale === 1,
  ticket: row.ticket,
  trackers: parseTrackers(row.trackers),
  hasRestricted: row.has_restricted === 1,
});

function* inParts(ids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < ids.length; start += mostIds) yield ids.slice(start, start + mostIds);
}

/** The kept sums of these artifacts, by id; those that link to nothing have none. */
export async function findKept(
  reader: Reader,
  name: string,
  ids: readonly number[],
): Promise<Map<number, KeptTotal>> {
  const kept = new Map<number, KeptTotal>();
  const query = reader.sql.selectFrom('artifact_total').selectAll().where('name', '=', name);
  for (const some of inParts(ids))
    for (const row of await reader.all(query.where('artifact_id', 'in', some)))
      kept.set(row.artifact_id, toKept(row));
  return kept;
}

/** As `findKept`, and nobody else changes them until the transaction ends. */
export async function lockKept(
  tx: Transaction,
  name: string,
  ids: readonly number[],
): Promise<Map<number, KeptTotal>> {
  const kept = new Map<number, KeptTotal>();
  const query = tx.sql.selectFrom('artifact_total').selectAll().where('name', '=', name);
  for (const some of inParts(ids.toSorted((left, right) => left - right)))
    for (const row of await tx.lock(query.where('artifact_id', 'in', some).orderBy('artifact_id')))
      kept.set(row.artifact_id, toKept(row));
  return kept;
}

/** Of these artifacts, those that more than one sum of this name takes in directly; `except` does not count. */
export async function findShared(
  reader: Reader,
  name: string,
  ids: readonly number[],
  { least, except = 0 }: { least: number; except?: number },
): Promise<Set<number>> {
  const shared = new Set<number>();
  const query = reader.sql
    .selectFrom('artifact_link')
    .innerJoin('artifact_total', 'artifact_total.artifact_id', 'artifact_link.source_id')
    .select('artifact_link.target_id')
    .where('artifact_total.name', '=', name)
    .where('artifact_link.source_id', '<>', except)
    .groupBy('artifact_link.target_id')
    .having((group) => group.fn.countAll<number>(), '>=', least);
  for (const some of inParts(ids))
    for (const { target_id } of await reader.all(query.where('artifact_link.target_id', 'in', some)))
      shared.add(target_id);
  return shared;
}

/** Makes a row, or makes an old one anew: it holds nothing and whoever reads it must look for themselves if stale. */
export async function insertKept(
  tx: Transaction,
  { name, build }: { name: string; build: number },
  rows: readonly { artifactId: number; isManual: boolean }[],
  isStale: boolean,
): Promise<void> {
  if (rows.length === 0) return;
  const insert = tx.sql.insertInto('artifact_total').values(
    rows.map(({ artifactId, isManual }) => ({
      artifact_id: artifactId,
      name,
      build,
      sum: '0',
      parts: 0,
      is_manual: isManual ? 1 : 0,
      is_shared: 0,
      is_stale: isStale ? 1 : 0,
      ticket: 0,
      trackers: '',
      has_restricted: 0,
    })),
  );
  await tx.write(
    insert.onConflict((conflict) =>
      conflict.columns(['artifact_id', 'name']).doUpdateSet((row) => ({
        build,
        is_manual: row.ref('excluded.is_manual'),
        is_stale: 1,
        ticket: row('artifact_total.ticket', '+', 1),
      })),
    ),
  );
}

const ofOne = (tx: Transaction, name: string, id: number) =>
  tx.sql.updateTable('artifact_total').where('artifact_id', '=', id).where('name', '=', name);

export async function setManual(tx: Transaction, name: string, id: number, isManual: boolean): Promise<void> {
  await tx.write(ofOne(tx, name, id).set({ is_manual: isManual ? 1 : 0 }));
}

/** Writes a sum that changed. Whoever is working out another one for this row comes too late. */
export async function changeSum(tx: Transaction, name: string, kept: KeptTotal, { sum, parts }: Sum) {
  const ticket = kept.ticket + 1;
  await tx.write(ofOne(tx, name, kept.artifactId).set({ sum: formatExact(sum), parts, ticket }));
}

/** Notes that a sum is made from more than before. Whoever is working it out does not know that yet: they come too late. */
export async function widenBelow(
  tx: Transaction,
  name: string,
  kept: KeptTotal,
  below: Below,
): Promise<void> {
  if (isWithin(below, kept) && !kept.isStale) return;
  const columns = belowColumns(bothBelow(kept, below));
  await tx.write(
    ofOne(tx, name, kept.artifactId).set((row) => ({ ...columns, ticket: row('ticket', '+', 1) })),
  );
}

const ofMany = (tx: Transaction, name: string, ids: readonly number[]) =>
  tx.sql.updateTable('artifact_total').where('name', '=', name).where('artifact_id', 'in', ids);

export async function markStale(tx: Transaction, name: string, ids: readonly number[]): Promise<void> {
  for (const some of inParts(ids))
    await tx.write(ofMany(tx, name, some).set((row) => ({ is_stale: 1, ticket: row('ticket', '+', 1) })));
}

export async function markShared(tx: Transaction, name: string, ids: readonly number[]): Promise<void> {
  for (const some of inParts(ids))
    await tx.write(ofMany(tx, name, some).set((row) => ({ is_shared: 1, ticket: row('ticket', '+', 1) })));
}

/** A sum that somebody worked out. */
export interface WorkedOut extends Sum, Below {
  readonly isShared: boolean;
}

/** Stores a sum unless something below changed since; tells whether it was stored. */
export async function storeSum(
  tx: Transaction,
  name: string,
  { artifactId, ticket }: Pick<KeptTotal, 'artifactId' | 'ticket'>,
  { sum, parts, isShared, ...below }: WorkedOut,
): Promise<boolean> {
  const shown = { sum: formatExact(sum), parts, is_shared: isShared ? 1 : 0, is_stale: 0 } as const;
  const columns = { ...shown, ...belowColumns(below) };
  const store = ofOne(tx, name, artifactId).set(columns).where('ticket', '=', ticket);
  return (await tx.run(store.where('is_stale', '=', 1))) === 1;
}
