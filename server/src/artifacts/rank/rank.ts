import { forbidden, invalid, invalidMember, notFound } from '../../kernel/errors.ts';
import { sql, type Transaction } from '../../storage/index.ts';
import type { Tracker, TrackerView } from '../../trackers/index.ts';
import type { WriteContext } from '../context.ts';
import type { Ranked } from '../ranks.ts';
import { capacityOf, fits, type Gap, rankColumn, rankOf, rankStep, spread } from '../ranks.ts';
import { requireVisible } from '../read/index.ts';
import { findArtifact } from '../store.ts';
import type { ReadContext } from '../visibility.ts';
import { readContextIn } from '../visibility.ts';
import { announce, requireUpdatable } from '../write/index.ts';

/** Artifacts that shall stand, one after the other as listed, right before or after another. */
export interface RankMove {
  readonly ids: readonly number[];
  readonly direction: 'before' | 'after';
  readonly comparedTo: number;
}

/** Artifacts that one move takes: whoever moves others waits meanwhile. */
const mostMoved = 500;

function checkRequest({ ids, comparedTo }: RankMove): void {
  if (ids.length === 0) throw invalidMember('ids', 'At least one artifact must be named.');
  if (ids.length > mostMoved) throw invalidMember('ids', `Maximum ${mostMoved} items allowed.`);
  if (new Set(ids).size < ids.length) throw invalid('`ids` names an artifact more than once.');
  if (ids.includes(comparedTo)) throw invalidMember('compared_to', 'It is among those that shall be moved.');
}

const mayWorkOn = ({ tracker, canUpdate }: TrackerView) =>
  tracker.elements.some((field) => field.isUsed && canUpdate(field));

/** Whoever may change a field of an artifact may move it; the one that it is moved to must be visible to them. Gives the trackers of the moved ones. */
async function requireMovable(
  tx: Transaction,
  { ids, comparedTo }: RankMove,
  readContext: ReadContext,
): Promise<ReadonlySet<Tracker>> {
  const moved = new Set<Tracker>();
  const anchor = await findArtifact(tx, comparedTo);
  if (anchor === undefined) throw notFound(`There is no artifact ${comparedTo}.`);
  await requireVisible(readContext, anchor);
  for (const id of ids) {
    // One after the other: each may have much text.
    const row = await findArtifact(tx, id);
    if (row === undefined) throw notFound(`There is no artifact ${id}.`);
    const { view } = await requireUpdatable(readContext, row);
    if (!mayWorkOn(view)) throw forbidden(`You are not allowed to move artifact ${id}.`);
    moved.add(view.tracker);
  }
  return moved;
}

/** Artifacts by rank, without those that are being moved. */
class Order {
  readonly #tx: Transaction;
  readonly #moved: ReadonlySet<number>;

  constructor(tx: Transaction, moved: readonly number[]) {
    this.#tx = tx;
    this.#moved = new Set(moved);
  }

  #query(direction: 'asc' | 'desc') {
    return this.#tx.sql
      .selectFrom('artifact')
      .select(['id', rankColumn.as('rank')])
      .orderBy(rankColumn, direction);
  }

  #others(rows: readonly Ranked[]): Ranked[] {
    return rows.filter(({ id }) => !this.#moved.has(id));
  }

  /** The rank next to this one; undefined at either end. */
  async neighbour(rank: number, direction: RankMove['direction']): Promise<number | undefined> {
    const isAfter = direction === 'after';
    const rows = await this.#tx.all(
      this.#query(isAfter ? 'asc' : 'desc')
        .where(rankColumn, isAfter ? '>' : '<', rank)
        .limit(this.#moved.size + 1),
    );
    return this.#others(rows)[0]?.rank;
  }

  /** Those from one rank to before another; undefined when there are more than so many. */
  async within({ above, below }: Gap, most: number): Promise<Ranked[] | undefined> {
    const query = this.#query('asc').where(rankColumn, '>=', above).where(rankColumn, '<', below);
    const others = this.#others(await this.#tx.all(query.limit(most + this.#moved.size + 1)));
    return others.length > most ? undefined : others;
  }

  /** Before the rank of the next artifact that is made. */
  async end(): Promise<number> {
    const last = await this.#tx.first(this.#query('desc').limit(1));
    const newest = this.#tx.sql.selectFrom('artifact').select('id').orderBy('id', 'desc').limit(1);
    const highest = Math.max(last?.rank ?? 0, ((await this.#tx.first(newest))?.id ?? 0) * rankStep);
    return (Math.floor(highest / rankStep) + 1) * rankStep;
  }

  /**
   * New ranks for the moved ones and, where there is no room for them, for as few of those around as it takes. `gap` is
   * where they shall stand.
   */
  async arrange(ids: readonly number[], gap: Gap, end: number): Promise<Ranked[]> {
    const all = (ranks: readonly number[], of: readonly number[]) =>
      of.map((id, index) => ({ id, rank: ranks[index] ?? 0 }));
    if (fits(gap, ids.length)) return all(spread(gap, ids.length), ids);
    for (let level = 2; ; level++) {
      const size = 2 ** level;
      const start = Math.floor(gap.above / size) * size;
      const stretch = { above: start, below: Math.min(start + size, end) };
      const isAll = start === 0 && size >= end;
      const room = (isAll ? Number.MAX_SAFE_INTEGER / 2 : capacityOf(level)) - ids.length;
      // The first rank of a stretch is one that an artifact may be made with: nothing is put on it.
      const around = room < 0 ? undefined : await this.within(stretch, room);
      if (around === undefined || !fits(stretch, around.length + ids.length)) continue;
      const before = around.filter(({ rank }) => rank <= gap.above).map(({ id }) => id);
      const after = around.filter(({ rank }) => rank > gap.above).map(({ id }) => id);
      const order = [...before, ...ids, ...after];
      return all(spread(stretch, order.length), order);
    }
  }
}

/** Rows that one statement writes. */
const atOnce = 2000;

/** The ranks as a table; they are numbers, so that nothing in it needs to be a parameter. */
const tableOf = (ranked: readonly Ranked[]) =>
  sql<{ column1: number; column2: number }>`(values ${sql.raw(
    ranked.map(({ id, rank }) => `(${id}, ${rank})`).join(', '),
  )})`.as('given');

/** Gives artifacts their ranks. No two have the same one at any moment: first all leave, then all arrive. */
async function write(tx: Transaction, ranked: readonly Ranked[]): Promise<void> {
  const sorted = ranked.toSorted((left, right) => left.id - right.id);
  if (tx.locksRows) {
    const ids = sorted.map(({ id }) => id);
    await tx.lock(tx.sql.selectFrom('artifact').select('id').where('id', 'in', ids).orderBy('id'));
  }
  for (let start = 0; start < sorted.length; start += atOnce)
    await tx.write(
      tx.sql
        .updateTable('artifact')
        .from(tableOf(sorted.slice(start, start + atOnce)))
        .set({ rank: sql<number>`-given.column2` })
        .whereRef('artifact.id', '=', 'given.column1'),
    );
  await tx.write(
    tx.sql
      .updateTable('artifact')
      .set((row) => ({ rank: sql<number>`-rank`, related_version: row('related_version', '+', 1) }))
      .where(rankColumn, '<', 0),
  );
}

/** Moves artifacts; gives their new ranks in the order in which they now stand. */
export async function rankArtifacts(writeContext: WriteContext, move: RankMove): Promise<Ranked[]> {
  const { tx, viewer, listeners } = writeContext;
  checkRequest(move);
  const readContext = await readContextIn(tx, viewer, writeContext.trackers);
  const trackers = [...(await requireMovable(tx, move, readContext))];
  await tx.alone('ranks');
  const { ids, comparedTo, direction } = move;
  const anchor = await findArtifact(tx, comparedTo);
  if (anchor === undefined) throw notFound(`There is no artifact ${comparedTo}.`);
  const order = new Order(tx, ids);
  const end = await order.end();
  const rank = rankOf(anchor);
  const neighbour = await order.neighbour(rank, direction);
  const gap =
    direction === 'after' ? { above: rank, below: neighbour ?? end } : { above: neighbour ?? 0, below: rank };
  const ranked = await order.arrange(ids, gap, end);
  await write(tx, ranked);
  await announce({ tx, readContext, listeners }, 'artifact.ranked', trackers, () => ({
    ...{ artifactIds: ids, by: viewer.userId, trackerIds: trackers.map(({ id }) => id) },
    projectIds: [...new Set(trackers.map(({ project }) => project.id))],
  }));
  const moved = new Set(ids);
  return ranked.filter(({ id }) => moved.has(id));
}
