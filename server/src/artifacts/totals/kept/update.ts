import type { Transaction } from '../../../storage/index.ts';
import { parseDocument, withoutTexts } from '../../model.ts';
import { lockEach, raiseRelatedVersions } from '../../store.ts';
import type { ReadContext } from '../../visibility.ts';
import { contributionOf } from '../contributions.ts';
import { keptAbove, keptAboveAny, type Reach } from './above.ts';
import {
  belowOf,
  type Contribution,
  contributionIn,
  isSame,
  isSeenAnew,
  type SummedChange,
  summedNames,
  takenIn,
} from './changes.ts';
import { addUp, exactOf, isNothing, lessThan, type Sum, zeroSum } from './exact.ts';
import { lockNames, type SummedName } from './names.ts';
import {
  type Below,
  bothBelow,
  changeSum,
  findShared,
  insertKept,
  type KeptTotal,
  lockKept,
  markShared,
  markStale,
  nothingBelow,
  setManual,
  storeSum,
  widenBelow,
} from './rows.ts';
import { Graph, sumUpKept } from './traversal.ts';

/** Locks artifacts, and gives what of them sums look at. */
async function lockValues(tx: Transaction, ids: readonly number[]) {
  const rows = lockEach(tx, ids);
  return Array.fromAsync(rows, ({ id, tracker_id, is_restricted, document }) => ({
    id,
    tracker_id,
    is_restricted,
    document: withoutTexts(parseDocument(document)),
  }));
}

/** Sums that are worked out again while somebody waits, and artifacts that are looked at for each of them. */
const mostWorkedOut = 4;
const mostLooks = 200;
/** Artifacts with several sums above them that one change is worked out for exactly. */
const mostShared = 20;

/** What artifacts add to the sums that take them in; undefined where that is not known. */
type Weights = Map<number, Sum | undefined>;

/** What links that come and go mean for sums. */
interface Targets {
  readonly weights: Weights;
  /** What is told by a sum that takes one of them in. */
  readonly below: Below;
}

/** What links that come and go are worked out with. */
interface Situation {
  /** The sums that take in what the artifact links to. */
  readonly concerned: ReadonlyMap<number, KeptTotal>;
  readonly weights: Weights;
  readonly own: KeptTotal;
  /** What it links to so far. */
  readonly present: Set<number>;
}

/** Brings the sums of one name to what one change of an artifact makes of them. */
class Upkeep {
  readonly #tx: Transaction;
  readonly #readContext: ReadContext;
  readonly #name: string;
  readonly #build: number;
  readonly #change: SummedChange;
  readonly #touched = new Set<number>();
  readonly #stale = new Set<number>();

  constructor(tx: Transaction, readContext: ReadContext, { name, build }: SummedName, change: SummedChange) {
    this.#tx = tx;
    this.#readContext = readContext;
    this.#name = name;
    this.#build = build;
    this.#change = change;
  }

  /** Gives the artifacts whose sums may be others now. */
  async run(): Promise<ReadonlySet<number>> {
    await this.#followValue();
    await this.#followLinks();
    await this.#workOut();
    return this.#touched;
  }

  /** What an artifact adds to the sums above it; undefined where that is not known, or counts in several ways. */
  #weightOf(contribution: Contribution, kept: KeptTotal | undefined): Sum | undefined {
    if (contribution === null) return zeroSum;
    if (contribution !== 'descend') return { sum: exactOf(contribution), parts: 1 };
    if (kept === undefined) return zeroSum;
    return kept.isStale || kept.isShared ? undefined : kept;
  }

  async #apply(kept: Iterable<KeptTotal>, difference: Sum | undefined): Promise<void> {
    const rows = [...kept];
    if (difference !== undefined && isNothing(difference)) return;
    for (const { artifactId } of rows) this.#touched.add(artifactId);
    if (difference === undefined) return this.#spoil(rows.map(({ artifactId }) => artifactId));
    for (const row of rows) await changeSum(this.#tx, this.#name, row, addUp(row, difference));
  }

  async #spoil(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.#stale.add(id);
    await markStale(this.#tx, this.#name, ids);
  }

  /** Sums say what they are made from, and whoever was shown one looks again: part of it may be hidden from them. */
  async #reach(kept: Iterable<KeptTotal>, below: Below): Promise<void> {
    for (const row of kept) {
      this.#touched.add(row.artifactId);
      await widenBelow(this.#tx, this.#name, row, below);
    }
  }

  /** What sums above an artifact tell of it and of what is below it. */
  #ownBelow(own: KeptTotal | undefined): Below {
    const { after } = this.#change;
    const itself = belowOf(after?.tracker, this.#name, after?.isRestricted ?? false);
    const isPassed = contributionIn(after, this.#name) === 'descend' && own !== undefined;
    return isPassed ? bothBelow(itself, own) : itself;
  }

  /** The artifact itself contributes something else, or others see it. */
  async #followValue(): Promise<void> {
    const { id, before, after } = this.#change;
    const [old, now] = [contributionIn(before, this.#name), contributionIn(after, this.#name)];
    const isOther = old !== now;
    if (!isOther && !isSeenAnew(this.#change, this.#name)) return;
    const own = (await lockKept(this.#tx, this.#name, [id])).get(id);
    const isManual = now !== 'descend';
    if (own !== undefined && own.isManual !== isManual) await setManual(this.#tx, this.#name, id, isManual);
    const above = await keptAbove(this.#tx, this.#name, id);
    await this.#reach(above.values(), this.#ownBelow(own));
    if (!isOther) return;
    const [less, more] = [this.#weightOf(old, own), this.#weightOf(now, own)];
    const isPlain = own === undefined || (old !== 'descend' && now !== 'descend');
    const isLoop = !isPlain && (await this.#isLoop(own, above, [id]));
    await this.#apply(above.values(), isLoop ? undefined : less && more && lessThan(more, less));
  }

  async #ownRow(id: number): Promise<KeptTotal | undefined> {
    const known = (await lockKept(this.#tx, this.#name, [id])).get(id);
    if (known !== undefined) return known;
    const isManual = contributionIn(this.#change.after, this.#name) !== 'descend';
    const kind = { name: this.#name, build: this.#build };
    await insertKept(this.#tx, kind, [{ artifactId: id, isManual }], false);
    return (await lockKept(this.#tx, this.#name, [id])).get(id);
  }

  /** The artifact takes in other ones than before. */
  async #followLinks(): Promise<void> {
    const { id, before, after } = this.#change;
    const [old, now] = [takenIn(before, this.#name), takenIn(after, this.#name)];
    const moved = [...old.symmetricDifference(now)].sort((left, right) => left - right);
    if (moved.length === 0) return;
    const { weights, below } = await this.#targetsAmong(moved, now);
    const own = await this.#ownRow(id);
    if (own === undefined) return;
    const above = await keptAbove(this.#tx, this.#name, id);
    const concerned = own.isManual ? new Map([[id, own]]) : new Map([...above, [id, own]]);
    await this.#reach(concerned.values(), below);
    const shared = await findShared(this.#tx, this.#name, moved, { least: 1, except: id });
    if (shared.size > mostShared || (await this.#isLoop(own, above, moved)))
      return this.#tangle(own, concerned, moved);
    const [gone, added] = [old.difference(now), now.difference(old)];
    // One after the other, as if each were a change of its own: what counts by one of them counts by no other.
    const present = new Set(old);
    await this.#letGo(gone.intersection(shared), { concerned, weights, own, present });
    const less = this.#sumOf(gone.difference(shared), weights);
    const more = this.#sumOf(added.difference(shared), weights);
    await this.#apply(await this.#asTheyAre(concerned), less && more && lessThan(more, less));
    for (const target of gone.difference(shared)) present.delete(target);
    for (const target of added.difference(shared)) present.add(target);
    await this.#takeIn(added.intersection(shared), { concerned, weights, own, present });
  }

  /** Artifacts that other sums take in as well count no more where none of those is below. */
  async #letGo(targets: ReadonlySet<number>, { concerned, weights, own, present }: Situation): Promise<void> {
    for (const target of targets) {
      present.delete(target);
      const weight = weights.get(target);
      const otherwise = await this.#otherwise(target, own, present);
      await this.#applyExcept(otherwise, concerned, weight && lessThan(zeroSum, weight));
    }
  }

  /** The same for those that come. Sums that take one of them in already hold it in more than one way from now on. */
  async #takeIn(
    targets: ReadonlySet<number>,
    { concerned, weights, own, present }: Situation,
  ): Promise<void> {
    for (const target of targets) {
      const otherwise = await this.#otherwise(target, own, present);
      await this.#applyExcept(otherwise, concerned, weights.get(target));
      await markShared(this.#tx, this.#name, [...concerned.keys(), ...otherwise.keys()]);
      for (const id of otherwise.keys()) weights.delete(id);
      present.add(target);
    }
  }

  /** The sums that take an artifact in while this one links to those. */
  #otherwise(target: number, own: KeptTotal, targets: ReadonlySet<number>) {
    return keptAbove(this.#tx, this.#name, target, { supposed: { own, targets } });
  }

  async #applyExcept(
    otherwise: ReadonlyMap<number, KeptTotal>,
    concerned: ReadonlyMap<number, KeptTotal>,
    difference: Sum | undefined,
  ): Promise<void> {
    const affected = new Map([...concerned].filter(([id]) => !otherwise.has(id)));
    await this.#apply(await this.#asTheyAre(affected), difference);
  }

  #sumOf(ids: Iterable<number>, weights: Weights): Sum | undefined {
    let sum: Sum | undefined = zeroSum;
    for (const id of ids) {
      const weight = weights.get(id);
      sum = sum && weight && addUp(sum, weight);
    }
    return sum;
  }

  /** Whether one of these takes in the artifact or a sum above it, by whatever way, before the change or after it. */
  async #isLoop(own: KeptTotal, above: ReadonlyMap<number, KeptTotal>, ids: readonly number[]) {
    if (ids.some((id) => above.has(id))) return true;
    for (const { artifactId, isManual } of [own, ...above.values()]) {
      if (!isManual) continue;
      const beyond = await keptAbove(this.#tx, this.#name, artifactId, this.#everyWay(own));
      if (ids.some((id) => beyond.has(id))) return true;
    }
    return false;
  }

  /** By all links that there are before the change or after it. */
  #everyWay(own: KeptTotal): Reach {
    const { before, after } = this.#change;
    const targets = takenIn(before, this.#name).union(takenIn(after, this.#name));
    return { isWhole: true, supposed: { own, targets } };
  }

  /** Rows may have changed since they were locked, by this very change. */
  async #asTheyAre(rows: ReadonlyMap<number, KeptTotal>): Promise<Iterable<KeptTotal>> {
    return (await lockKept(this.#tx, this.#name, [...rows.keys()])).values();
  }

  /** Loops, and more than can be told apart: everything concerned is worked out again. */
  async #tangle(
    own: KeptTotal,
    concerned: ReadonlyMap<number, KeptTotal>,
    moved: readonly number[],
  ): Promise<void> {
    const ends = [own.artifactId, ...moved];
    const above = await keptAboveAny(this.#tx, this.#name, ends, this.#everyWay(own));
    for (const id of concerned.keys()) this.#touched.add(id);
    await markShared(this.#tx, this.#name, [...concerned.keys(), ...above.keys()]);
    await this.#spoil([...concerned.keys()]);
  }

  /** What these are for sums; of those that are not linked any more nothing is told. */
  async #targetsAmong(ids: readonly number[], linked: ReadonlySet<number>): Promise<Targets> {
    const { reader, trackers, revisions } = this.#readContext;
    // All of them before any sum: in this order everybody locks.
    const rows = await lockValues(this.#tx, ids);
    const kept = await lockKept(this.#tx, this.#name, ids);
    const weights: Weights = new Map();
    let below = nothingBelow;
    for (const { id, tracker_id, document, is_restricted } of rows) {
      const tracker = await trackers.find(reader, tracker_id, revisions);
      const part = contributionOf(tracker, this.#name, document);
      weights.set(id, this.#weightOf(part, kept.get(id)));
      if (!linked.has(id)) continue;
      below = bothBelow(below, belowOf(tracker, this.#name, is_restricted === 1));
      if (part === 'descend') below = bothBelow(below, kept.get(id) ?? nothingBelow);
    }
    for (const id of ids) if (!weights.has(id)) weights.set(id, zeroSum);
    return { weights, below };
  }

  /** Works out again what a change left unknown, as long as that is little; the rest is left to the background. */
  async #workOut(): Promise<void> {
    const { id } = this.#change;
    const order = [...this.#stale].sort((left, right) => Number(right === id) - Number(left === id));
    for (const artifactId of order.slice(0, mostWorkedOut)) {
      const kept = (await lockKept(this.#tx, this.#name, [artifactId])).get(artifactId);
      const graph = new Graph({ ...this.#readContext, reader: this.#tx });
      const sum = kept && (await sumUpKept(graph, this.#name, kept, { most: mostLooks }));
      if (kept === undefined || sum === undefined) return;
      await storeSum(this.#tx, this.#name, kept, sum);
    }
  }
}

/** Before all rows of a name are there, none holds: it is enough that none is missing. */
async function prepare(
  tx: Transaction,
  { name, build }: SummedName,
  { id, before, after }: SummedChange,
): Promise<void> {
  const isManual = contributionIn(after, name) !== 'descend';
  if (takenIn(after, name).size > 0 && !isSame(takenIn(before, name), takenIn(after, name)))
    await insertKept(tx, { name, build }, [{ artifactId: id, isManual }], true);
  else await setManual(tx, name, id, isManual);
}

/**
 * Keeps the sums that take an artifact in, and its own, when it changes: to be called when its row and its links are
 * written, in the same transaction. Answers that show one of these sums are told to be old; that of the artifact itself is
 * old anyway.
 */
export async function keepTotals(
  tx: Transaction,
  readContext: ReadContext,
  change: SummedChange,
): Promise<void> {
  const sums = await readContext.trackers.sums(tx, readContext.revisions);
  const names = sums.size === 0 ? [] : summedNames(change, sums);
  if (names.length === 0) return;
  const touched = new Set<number>();
  for (const state of await lockNames(tx, names)) {
    if (!state.isReady) await prepare(tx, state, change);
    else for (const id of await new Upkeep(tx, readContext, state, change).run()) touched.add(id);
  }
  touched.delete(change.id);
  await raiseRelatedVersions(tx, [...touched]);
}
