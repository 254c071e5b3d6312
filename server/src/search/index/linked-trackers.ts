import {
  mostIds,
  type Reader,
  type SqlBuilder,
  statement,
  statementOverIds,
  type Transaction,
} from '../../storage/index.ts';

type Direction = 'forward' | 'reverse';

/** The trackers at both ends of links, each pair once. */
const pairs = (builder: SqlBuilder) =>
  builder
    .selectFrom('artifact_link')
    .innerJoin('artifact as source', 'source.id', 'artifact_link.source_id')
    .innerJoin('artifact as target', 'target.id', 'artifact_link.target_id')
    .select(['source.tracker_id as source_tracker_id', 'target.tracker_id as target_tracker_id'])
    .distinct();

const note = (sql: SqlBuilder, found: ReturnType<typeof pairs>) =>
  sql
    .insertInto('tracker_link')
    .columns(['source_tracker_id', 'target_tracker_id'])
    .expression(found.orderBy('source.tracker_id').orderBy('target.tracker_id'))
    .onConflict((conflict) => conflict.doNothing());

const noteForward = statementOverIds((sql, ids) =>
  note(sql, pairs(sql).where('artifact_link.source_id', 'in', ids)),
);
const noteReverse = statementOverIds((sql, ids) =>
  note(sql, pairs(sql).where('artifact_link.target_id', 'in', ids)),
);

/**
 * Notes which trackers the links of these artifacts lead between: to be called when artifacts with links came, or came to
 * another tracker. A note outlives its links: that costs a look, and nothing else.
 */
export async function noteLinkedTrackers(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += mostIds) {
    const some = ids.slice(start, start + mostIds);
    await tx.write(...noteForward(some));
    await tx.write(...noteReverse(some));
  }
}

const trackersByIds = statementOverIds((sql, ids) =>
  sql.selectFrom('artifact').select(['id', 'tracker_id']).where('id', 'in', ids),
);

const notePair = statement((sql, p: { source: number; target: number }) =>
  sql
    .insertInto('tracker_link')
    .values({ source_tracker_id: p.source, target_tracker_id: p.target })
    .onConflict((conflict) => conflict.doNothing()),
);

/** The first of the ids is the artifact that links to the others. */
const notePairs = statementOverIds((builder, ids) =>
  builder
    .insertInto('tracker_link')
    .columns(['source_tracker_id', 'target_tracker_id'])
    .expression(
      builder
        .selectFrom(['artifact as source', 'artifact as target'])
        .select(['source.tracker_id as source_tracker_id', 'target.tracker_id as target_tracker_id'])
        .distinct()
        .where('source.id', '=', ids[0] ?? 0)
        .where('target.id', 'in', ids.slice(1))
        .orderBy('source_tracker_id')
        .orderBy('target_tracker_id'),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

async function noteByOneStatement(tx: Transaction, id: number, targets: readonly number[]): Promise<void> {
  const most = mostIds - 1;
  for (let start = 0; start < targets.length; start += most)
    await tx.write(...notePairs([id, ...targets.slice(start, start + most)]));
}

/** The same for new links of one artifact. */
export async function noteNewLinks(tx: Transaction, id: number, targets: readonly number[]): Promise<void> {
  if (tx.isRemote) return noteByOneStatement(tx, id, targets);
  const trackers = new Map<number, number>();
  const ends = [id, ...targets];
  for (let start = 0; start < ends.length; start += mostIds)
    for (const row of await tx.all(...trackersByIds(ends.slice(start, start + mostIds))))
      trackers.set(row.id, row.tracker_id);
  const source = trackers.get(id);
  if (source === undefined) return;
  const far = new Set(targets.flatMap((target) => trackers.get(target) ?? []));
  for (const target of [...far].sort((left, right) => left - right))
    await tx.write(notePair, { source, target });
}

/** The trackers that links lead to or come from, as one search sees them. */
export class LinkedTrackers {
  readonly #reader: Reader;
  /** All pairs, once a second tracker is asked for: a query over many asks for all of them. */
  readonly #everything = new Map<Direction, ReadonlyMap<number, readonly number[]>>();
  readonly #asked = new Map<string, readonly number[]>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Trackers at the other ends of links of a tracker: all that there are, and maybe some more. */
  async from(trackerId: number, direction: Direction): Promise<readonly number[]> {
    const key = `${direction} ${trackerId}`;
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const all = this.#everything.get(direction);
    const found =
      all?.get(trackerId) ??
      (all === undefined && this.#asked.size === 0
        ? await this.#readOne(trackerId, direction)
        : ((await this.#readAll(direction)).get(trackerId) ?? []));
    this.#asked.set(key, found);
    return found;
  }

  #columns(direction: Direction) {
    return direction === 'forward'
      ? (['source_tracker_id', 'target_tracker_id'] as const)
      : (['target_tracker_id', 'source_tracker_id'] as const);
  }

  async #readOne(trackerId: number, direction: Direction): Promise<number[]> {
    const [own, far] = this.#columns(direction);
    const query = this.#reader.sql.selectFrom('tracker_link').select(`${far} as id`);
    const rows = await this.#reader.all(query.where(own, '=', trackerId).orderBy('id'));
    return rows.map(({ id }) => id);
  }

  async #readAll(direction: Direction): Promise<ReadonlyMap<number, readonly number[]>> {
    const known = this.#everything.get(direction);
    if (known !== undefined) return known;
    const [own, far] = this.#columns(direction);
    const query = this.#reader.sql.selectFrom('tracker_link').select([`${own} as own`, `${far} as far`]);
    const byOwn = new Map<number, number[]>();
    for (const row of await this.#reader.all(query.orderBy('far'))) {
      const found = byOwn.get(row.own) ?? [];
      byOwn.set(row.own, found);
      found.push(row.far);
    }
    this.#everything.set(direction, byOwn);
    return byOwn;
  }
}
