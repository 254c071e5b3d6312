import type { TrackerView } from '../../../trackers/index.ts';
import type { VisibilityRow } from '../../store.ts';
import { type ReadContext, viewFor, visibleOf } from '../../visibility.ts';
import { summedField } from '../contributions.ts';
import type { Below } from './rows.ts';

/**
 * Somebody who is shown sums: they are told of what they may see and whose field they may read, and of nothing else, or sums
 * would tell the numbers of artifacts that are hidden from them.
 */
export class ViewerReach {
  readonly #readContext: ReadContext;
  /** Most sums of an answer are made from the same trackers. */
  readonly #verdicts = new Map<string, WeakMap<ReadonlySet<number>, Extent>>();

  constructor(readContext: ReadContext) {
    this.#readContext = readContext;
  }

  /** Whether they may be told of all that a kept sum is made from, so that it is theirs as it is. */
  async seesAll(name: string, { trackers, hasRestricted }: Below): Promise<boolean> {
    if (trackers === undefined) return false;
    const known = this.#verdicts.get(name) ?? new WeakMap<ReadonlySet<number>, Extent>();
    this.#verdicts.set(name, known);
    const extent = known.get(trackers) ?? (await this.#extentIn(name, trackers));
    known.set(trackers, extent);
    return extent === 'all' || (extent === 'unrestricted' && !hasRestricted);
  }

  /** How much of these trackers they are told, whichever artifacts it is about. */
  async #extentIn(name: string, trackers: ReadonlySet<number>): Promise<Extent> {
    let extent: Extent = 'all';
    for (const id of trackers) {
      const view = await viewFor(this.#readContext, id);
      const field = view && summedField(view.tracker, name);
      if (view === undefined || field === undefined || !view.canRead(field)) return 'some';
      const own = extentOf(view);
      if (own === 'some') return own;
      if (own === 'unrestricted') extent = own;
    }
    return extent;
  }

  /** Those of the artifacts that they may be told of. */
  async toldAmong(name: string, rows: readonly VisibilityRow[]): Promise<ReadonlySet<number>> {
    const told = new Set<number>();
    for (const { row, view } of await visibleOf(this.#readContext, rows)) {
      const field = summedField(view.tracker, name);
      if (field !== undefined && view.canRead(field)) told.add(row.id);
    }
    return told;
  }
}

/** All artifacts, all but those for certain groups, or some. */
type Extent = 'all' | 'unrestricted' | 'some';

function extentOf({ access }: TrackerView): Extent {
  if (access.all) return 'all';
  return access.full ? 'unrestricted' : 'some';
}
