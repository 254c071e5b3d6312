import type { Reader, Transaction } from '../../../storage/index.ts';
import type { ContributionChange } from '../../../trackers/index.ts';

/** How far the sums of fields of one name are kept. */
export interface SummedName {
  readonly name: string;
  readonly build: number;
  /** Whether there is a row for every sum. */
  readonly isReady: boolean;
}

/**
 * The state of these names, which stays as it is until the transaction ends: whoever makes a name ready waits for all
 * who believe that it is not.
 */
export async function lockNames(tx: Transaction, names: readonly string[]): Promise<SummedName[]> {
  const query = tx.sql.selectFrom('summed_name').selectAll().where('name', 'in', names).orderBy('name');
  const rows = await tx.all(tx.locksRows ? query.forShare() : query);
  return rows.map(({ name, build, is_ready }) => ({ name, build, isReady: is_ready === 1 }));
}

/** Those of the names whose sums are kept. */
export async function findReady(reader: Reader, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const query = reader.sql.selectFrom('summed_name').select('name').where('name', 'in', names);
  return new Set((await reader.all(query.where('is_ready', '=', 1))).map(({ name }) => name));
}

/** Lets all sums of these names be made anew, because artifacts contribute something else without having changed. */
async function unsettleTotals(tx: Transaction, names: readonly string[]): Promise<void> {
  const known = tx.sql.updateTable('summed_name').where('name', 'in', names);
  await tx.write(known.set((row) => ({ build: row('build', '+', 1), is_ready: 0 })));
}

/** The same for all that fields of a project contribute to: it came with artifacts that nobody counted. */
export async function unsettleTotalsOf(tx: Transaction, projectId: number): Promise<void> {
  const names = tx.sql
    .selectFrom('tracker_field')
    .innerJoin('tracker', 'tracker.id', 'tracker_field.tracker_id')
    .innerJoin('summed_name', 'summed_name.name', 'tracker_field.name')
    .select('summed_name.name')
    .distinct()
    .where('tracker.project_id', '=', projectId);
  const found = (await tx.all(names)).map(({ name }) => name);
  if (found.length > 0) await unsettleTotals(tx, found);
}

async function hasArtifacts(tx: Transaction, trackerId: number): Promise<boolean> {
  const query = tx.sql.selectFrom('tracker_counter').select('last_number');
  const counter = await tx.first(query.where('tracker_id', '=', trackerId));
  return counter !== undefined && counter.last_number > 0;
}

/** A change of a tracker that has no artifacts concerns no sum. */
export async function contributionsChanged(
  tx: Transaction,
  { trackerId, names }: ContributionChange,
): Promise<void> {
  if (names.length > 0 && (await hasArtifacts(tx, trackerId))) await unsettleTotals(tx, [...new Set(names)]);
}
