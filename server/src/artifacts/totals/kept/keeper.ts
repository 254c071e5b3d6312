import { systemViewer, type Viewer } from '../../../kernel/viewer.ts';
import { type Database, readRevisions } from '../../../storage/index.ts';
import { findSummingTrackers, type Trackers } from '../../../trackers/index.ts';
import {
  type BuildStep,
  type FoundTotal,
  findStale,
  findStates,
  hasStale,
  type StaleTotal,
} from './build.ts';
import { formatExact } from './exact.ts';
import type { SummedName } from './names.ts';
import type { WorkedOut } from './rows.ts';
import { Graph, sumUpKept } from './traversal.ts';

type Call<Input, Output> = (viewer: Viewer, input: Input) => Promise<Output>;

/** The operations that the keeper of totals asks for. */
export interface KeeperOperations {
  readonly announceSum: Call<{ name: string }, void>;
  readonly addTotalRows: Call<BuildStep, number | undefined>;
  readonly sweepTotalRows: Call<Omit<BuildStep, 'trackerId'>, number | undefined>;
  readonly finishBuild: Call<Pick<SummedName, 'name' | 'build'>, void>;
  readonly storeTotals: Call<{ totals: readonly FoundTotal[] }, number>;
}

const asFound = (
  row: StaleTotal,
  { sum, parts, isShared, trackers, hasRestricted }: WorkedOut,
): FoundTotal => ({
  ...row,
  sum: formatExact(sum),
  parts,
  isShared,
  trackers: trackers === undefined ? null : [...trackers],
  hasRestricted,
});

/** Sums that are worked out before they are stored together. */
const atOnce = 100;

/** Makes rows for names whose sums are not kept yet, and works out sums that do not hold. One in each process. */
export class TotalsKeeper {
  readonly #database: Database;
  readonly #trackers: Trackers;
  readonly #operations: KeeperOperations;
  /** When each building was first seen, by name and number. */
  readonly #seen = new Map<string, number>();

  constructor(database: Database, trackers: Trackers, operations: KeeperOperations) {
    this.#database = database;
    this.#trackers = trackers;
    this.#operations = operations;
  }

  /** Until everything is worked out, or the service stops. */
  async run(stopping: AbortSignal): Promise<void> {
    const states = await findStates(this.#database);
    for (const state of states) if (!state.isReady) await this.#build(state, stopping);
    if (!(await hasStale(this.#database))) return;
    for (const { name, isReady } of states)
      if (isReady) while (!stopping.aborted && (await this.#workOut(name)));
  }

  /**
   * Somebody who began to write before the name was announced does not know that rows are to be left, and may still add a
   * link: those are waited for.
   */
  async #isKnownToAll({ name, build }: SummedName): Promise<boolean> {
    const key = `${name} ${build}`;
    const now = performance.now();
    const seen = this.#seen.get(key) ?? now;
    this.#seen.set(key, seen);
    return (await this.#database.longestTransaction()) <= now - seen;
  }

  async #build(state: SummedName, stopping: AbortSignal): Promise<void> {
    const { name, build } = state;
    if (build === 0) return this.#operations.announceSum(systemViewer, { name });
    if (!(await this.#isKnownToAll(state))) return;
    for (const trackerId of await findSummingTrackers(this.#database, name))
      for (let afterId: number | undefined = 0; afterId !== undefined; stopping.throwIfAborted())
        afterId = await this.#operations.addTotalRows(systemViewer, { name, build, trackerId, afterId });
    for (let afterId: number | undefined = 0; afterId !== undefined; stopping.throwIfAborted())
      afterId = await this.#operations.sweepTotalRows(systemViewer, { name, build, afterId });
    await this.#operations.finishBuild(systemViewer, { name, build });
    this.#seen.clear();
  }

  /** Tells whether there is more to work out, and a point in trying. */
  async #workOut(name: string): Promise<boolean> {
    const stale = await findStale(this.#database, name, atOnce);
    if (stale.length === 0) return false;
    const revisions = await readRevisions(this.#database);
    const totals: FoundTotal[] = [];
    for (const row of stale) {
      const graph = new Graph({ reader: this.#database, trackers: this.#trackers, revisions });
      const found = await sumUpKept(graph, name, row);
      if (found !== undefined) totals.push(asFound(row, found));
    }
    const stored = await this.#operations.storeTotals(systemViewer, { totals });
    return stale.length === atOnce && stored > 0;
  }
}
