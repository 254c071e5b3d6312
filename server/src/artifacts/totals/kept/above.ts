import { mostIds, type Transaction } from '../../../storage/index.ts';
import { type KeptTotal, toKept } from './rows.ts';

/** One artifact with other links than those that are stored. */
export interface Supposed {
  readonly own: KeptTotal;
  readonly targets: ReadonlySet<number>;
}

/** The kept sums that take these artifacts in directly. */
async function directlyAbove(
  tx: Transaction,
  name: string,
  ids: readonly number[],
  supposed: Supposed | undefined,
): Promise<KeptTotal[]> {
  const query = tx.sql
    .selectFrom('artifact_link')
    .innerJoin('artifact_total', 'artifact_total.artifact_id', 'artifact_link.source_id')
    .selectAll('artifact_total')
    .where('artifact_total.name', '=', name)
    .where('artifact_link.target_id', 'in', ids)
    .where('artifact_link.source_id', '<>', supposed?.own.artifactId ?? 0)
    .orderBy('artifact_total.artifact_id');
  const rows = await tx.all(tx.locksRows ? query.forUpdate('artifact_total') : query);
  const isTakenIn = supposed !== undefined && ids.some((id) => supposed.targets.has(id));
  return [...rows.map(toKept), ...(isTakenIn ? [supposed.own] : [])];
}

/** How far up to look. */
export interface Reach {
  readonly supposed?: Supposed;
  /** Also past numbers that were set by hand, which keep what is below them from counting further up. */
  readonly isWhole?: boolean;
}

/** Every kept sum above these, each once, as far as it is not left out. */
async function climb(
  tx: Transaction,
  name: string,
  ids: readonly number[],
  { supposed, isWhole = false, leaveOut }: Reach & { leaveOut?: number },
): Promise<Map<number, KeptTotal>> {
  const found = new Map<number, KeptTotal>();
  let level = ids;
  while (level.length > 0) {
    const fresh = (await directlyAbove(tx, name, level, supposed)).filter(
      ({ artifactId }) => artifactId !== leaveOut && !found.has(artifactId),
    );
    for (const kept of fresh) found.set(kept.artifactId, kept);
    const passed = fresh.filter(({ isManual }) => isWhole || !isManual);
    level = [...new Set(passed.map(({ artifactId }) => artifactId))];
  }
  return found;
}

/**
 * Every kept sum that takes an artifact in, however far up, each once, but never its own. They are locked from below: a
 * sum is looked at only when it is locked, and what takes it in only after that, so that of two who change what is below
 * it the later one sees what the other did.
 */
export function keptAbove(tx: Transaction, name: string, id: number, reach: Reach = {}) {
  return climb(tx, name, [id], { ...reach, leaveOut: id });
}

/** Every kept sum that takes one of these in. */
export async function keptAboveAny(tx: Transaction, name: string, ids: readonly number[], reach: Reach) {
  const found = new Map<number, KeptTotal>();
  for (let start = 0; start < ids.length; start += mostIds)
    for (const [id, kept] of await climb(tx, name, ids.slice(start, start + mostIds), reach))
      found.set(id, kept);
  return found;
}
