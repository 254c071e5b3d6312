import type { Viewer } from '../../../kernel/viewer.ts';
import { type Reader, readRevisions, type SqlBool, sql, type Transaction } from '../../../storage/index.ts';
import { findSums } from '../../../trackers/index.ts';
import type { WriteContext } from '../../context.ts';
import { parseDocument } from '../../model.ts';
import { lockEach } from '../../store.ts';
import { contributionOf } from '../contributions.ts';
import { parseExact } from './exact.ts';
import type { SummedName } from './names.ts';
import { insertKept, storeSum } from './rows.ts';

/** Rows that are looked at in one transaction. */
const atOnce = 500;

/** How far the sums of each name are kept; build 0: nobody began to. */
export async function findStates(reader: Reader): Promise<SummedName[]> {
  const names = [...(await findSums(reader))];
  if (names.length === 0) return [];
  const rows = await reader.all(reader.sql.selectFrom('summed_name').selectAll().where('name', 'in', names));
  const known = new Map(rows.map((row) => [row.name, row]));
  return names.map((name) => {
    const { build = 0, is_ready = 0 } = known.get(name) ?? {};
    return { name, build, isReady: is_ready === 1 };
  });
}

/** Begins to keep sums of a name: from now on whoever adds links leaves a row. */
export async function announceSum(tx: Transaction, _: Viewer, { name }: { name: string }): Promise<void> {
  const insert = tx.sql.insertInto('summed_name').values({ name, build: 1, is_ready: 0 });
  await tx.write(insert.onConflict((conflict) => conflict.column('name').doNothing()));
}

/** Which part of the rows of a name is looked at. */
export interface BuildStep extends Pick<SummedName, 'name' | 'build'> {
  readonly trackerId: number;
  /** Artifacts up to this one are done. */
  readonly afterId: number;
}

async function isCurrent(tx: Transaction, { name, build }: Pick<SummedName, 'name' | 'build'>) {
  const query = tx.sql.selectFrom('summed_name').select('build').where('name', '=', name);
  return (await tx.first(query.where('is_ready', '=', 0)))?.build === build;
}

async function linkingAmong(tx: Transaction, { trackerId, afterId }: BuildStep) {
  const query = tx.sql
    .selectFrom('artifact')
    .select('id')
    .where('tracker_id', '=', trackerId)
    .where('id', '>', afterId);
  const rows = await tx.all(query.orderBy('id').limit(atOnce));
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { linking: [], last: undefined };
  const links = tx.sql.selectFrom('artifact_link').select('source_id').distinct();
  const linking = (await tx.all(links.where('source_id', 'in', ids))).map(({ source_id }) => source_id);
  return { linking: linking.sort((a, b) => a - b), last: ids.length < atOnce ? undefined : ids.at(-1) };
}

/** Leaves a row that does not hold yet for the next artifacts of a tracker; gives the last of them while there are more. */
export async function addTotalRows(
  { tx, trackers }: WriteContext,
  step: BuildStep,
): Promise<number | undefined> {
  if (!(await isCurrent(tx, step))) return undefined;
  const tracker = await trackers.find(tx, step.trackerId, await readRevisions(tx));
  const { linking, last } = await linkingAmong(tx, step);
  const rows: { artifactId: number; isManual: boolean }[] = [];
  for await (const { id, document } of lockEach(tx, linking))
    rows.push({
      artifactId: id,
      isManual: contributionOf(tracker, step.name, parseDocument(document)) !== 'descend',
    });
  await insertKept(tx, step, rows, true);
  return last;
}

/** Removes rows that an earlier building left behind; gives the artifact to go on after while there are more. */
export async function sweepTotalRows(
  tx: Transaction,
  _: Viewer,
  step: Omit<BuildStep, 'trackerId'>,
): Promise<number | undefined> {
  if (!(await isCurrent(tx, step))) return undefined;
  const { name, build, afterId } = step;
  const query = tx.sql.selectFrom('artifact_total').select(['artifact_id', 'build']).where('name', '=', name);
  const rows = await tx.all(query.where('artifact_id', '>', afterId).orderBy('artifact_id').limit(atOnce));
  const old = rows.filter((row) => row.build !== build).map(({ artifact_id }) => artifact_id);
  if (old.length > 0) {
    const gone = tx.sql.deleteFrom('artifact_total').where('name', '=', name).where('build', '<>', build);
    await tx.write(gone.where('artifact_id', 'in', old));
  }
  return rows.length < atOnce ? undefined : rows.at(-1)?.artifact_id;
}

/** All rows are there: from now on sums are read from them. */
export async function finishBuild(
  tx: Transaction,
  _: Viewer,
  { name, build }: Pick<SummedName, 'name' | 'build'>,
): Promise<void> {
  const ready = tx.sql.updateTable('summed_name').set({ is_ready: 1 }).where('name', '=', name);
  await tx.write(ready.where('build', '=', build));
}

/** A row whose sum does not hold. */
export interface StaleTotal {
  readonly name: string;
  readonly artifactId: number;
  readonly ticket: number;
  readonly isManual: boolean;
}

/** Written out, so that the index of these rows is used. */
const isStale = sql<SqlBool>`is_stale = 1`;

export async function hasStale(reader: Reader): Promise<boolean> {
  const query = reader.sql.selectFrom('artifact_total').select('artifact_id').where(isStale);
  return (await reader.first(query.limit(1))) !== undefined;
}

/** Rows to work out again, those of later artifacts first: most often they are further down. */
export async function findStale(reader: Reader, name: string, limit: number): Promise<StaleTotal[]> {
  const query = reader.sql
    .selectFrom('artifact_total')
    .select(['artifact_id', 'ticket', 'is_manual'])
    .where('name', '=', name)
    .where(isStale)
    .orderBy('artifact_id', 'desc')
    .limit(limit);
  return (await reader.all(query)).map(({ artifact_id, ticket, is_manual }) => ({
    name,
    artifactId: artifact_id,
    ticket,
    isManual: is_manual === 1,
  }));
}

/** A sum as it travels between threads. */
export interface FoundTotal extends StaleTotal {
  readonly sum: string;
  readonly parts: number;
  readonly isShared: boolean;
  /** Null: more than are written down. */
  readonly trackers: readonly number[] | null;
  readonly hasRestricted: boolean;
}

/** Stores what was worked out, except where something below changed meanwhile; tells how much was stored. */
export async function storeTotals(
  tx: Transaction,
  _: Viewer,
  { totals }: { totals: readonly FoundTotal[] },
): Promise<number> {
  let stored = 0;
  for (const { name, sum, trackers, ...found } of totals) {
    const below = { trackers: trackers === null ? undefined : new Set(trackers) };
    if (await storeSum(tx, name, found, { ...found, ...below, sum: parseExact(sum) })) stored++;
  }
  return stored;
}
