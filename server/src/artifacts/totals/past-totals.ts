import type { Field, Stored } from '../../trackers/index.ts';
import { linkField } from '../model.ts';
import { findVisibilityRows, inParts, type VisibilityRow } from '../store.ts';
import type { ReadContext } from '../visibility.ts';
import { isSum, summedField } from './contributions.ts';
import { addUp, exactOf, type Sum, shownSum, ViewerReach, zeroSum } from './kept/index.ts';
import { type Day, dayOf } from './opening-days.ts';
import { findChanges, linksIn, wholeChanges } from './past-values.ts';
import { noTotal, type ShownTotal } from './totals.ts';

/** What something became on a day. */
interface Turn<T> {
  readonly day: Day;
  readonly value: T;
}

const atEndOf = <T>(turns: readonly Turn<T>[], day: Day): T | undefined =>
  turns.findLast((turn) => turn.day <= day)?.value;

/** What an artifact contributed to sums over time, and what it linked to. */
interface PastNode {
  readonly field: Field;
  readonly values: Turn<Stored>[];
  readonly targets: Turn<readonly number[]>[];
}

function contribution({ field, values }: PastNode, day: Day): number | null | 'descend' {
  return field.type.value?.contribution?.(field, atEndOf(values, day)) ?? null;
}

/**
 * Sums of the fields of one name over linked artifacts, as they were at the end of past days, from what the viewer may see
 * and read today.
 */
export class PastTotals {
  readonly #readContext: ReadContext;
  readonly #viewerReach: ViewerReach;
  /** What sums leave out, because the viewer may not be told of it. */
  readonly #hidden = new Set<number>();
  readonly #name: string;
  readonly #nodes = new Map<number, PastNode>();
  readonly #seen = new Set<number>();
  readonly #turns = new Set<Day>();

  constructor(readContext: ReadContext, name: string) {
    this.#readContext = readContext;
    this.#viewerReach = new ViewerReach(readContext);
    this.#name = name;
  }

  /** Reads the history of these artifacts and of all that they ever took sums from, level by level. */
  async load(roots: readonly number[]): Promise<void> {
    let level = [...roots];
    while (level.length > 0) {
      const fresh = [...new Set(level)].filter((id) => !this.#seen.has(id));
      for (const id of fresh) this.#seen.add(id);
      await this.#loadLevel(await findVisibilityRows(this.#readContext.reader, fresh));
      level = fresh.flatMap((id) => this.#everLinked(id));
    }
  }

  #everLinked(id: number): number[] {
    const node = this.#nodes.get(id);
    return node === undefined ? [] : node.targets.flatMap(({ value }) => [...value]);
  }

  async #loadLevel(rows: readonly VisibilityRow[]): Promise<void> {
    const { trackers, reader, revisions } = this.#readContext;
    for (const [trackerId, some] of Map.groupBy(rows, ({ tracker_id }) => tracker_id)) {
      const tracker = await trackers.find(reader, trackerId, revisions);
      const field = summedField(tracker, this.#name);
      if (tracker === undefined || field === undefined) continue;
      const links = isSum(field) ? linkField(tracker) : undefined;
      const told = await this.#viewerReach.toldAmong(this.#name, some);
      for (const { id } of some)
        if (told.has(id)) this.#nodes.set(id, { field, values: [], targets: [] });
        else this.#hidden.add(id);
      await this.#loadTurns([...told], field, links);
    }
  }

  async #loadTurns(ids: readonly number[], field: Field, links: Field | undefined): Promise<void> {
    const { reader } = this.#readContext;
    const fieldIds = links === undefined ? [field.id] : [field.id, links.id];
    const rows = await inParts(ids, (some) => reader.all(findChanges(reader, some, fieldIds)));
    for (const row of rows) {
      const { artifact_id, submitted_on } = row;
      const node = this.#nodes.get(artifact_id);
      const changes = await wholeChanges(reader, row);
      const day = dayOf(submitted_on);
      this.#turns.add(day);
      const value = changes[field.id];
      if (value !== undefined) node?.values.push({ day, value });
      const linked = links === undefined ? undefined : changes[links.id];
      if (linked !== undefined) node?.targets.push({ day, value: linksIn(linked).map(([id]) => id) });
    }
  }

  /** Whether anything changed after one day and until the end of another. */
  #hasTurned(after: Day, until: Day): boolean {
    for (let day = after + 1; day <= until; day++) if (this.#turns.has(day)) return true;
    return false;
  }

  /** As sums of today: each artifact counts once, so that loops end. */
  #sum(root: number, day: Day): ShownTotal {
    const seen = new Set([root]);
    let total: Sum = zeroSum;
    let isPartial = false;
    let level = [root];
    while (level.length > 0) {
      const targets = level.flatMap((id) => atEndOf(this.#nodes.get(id)?.targets ?? [], day) ?? []);
      const fresh = [...new Set(targets)].filter((id) => !seen.has(id));
      level = [];
      for (const id of fresh) {
        seen.add(id);
        if (this.#hidden.has(id)) isPartial = true;
        const node = this.#nodes.get(id);
        const part = node === undefined ? null : contribution(node, day);
        if (part === 'descend') level.push(id);
        else if (part !== null) total = addUp(total, { sum: exactOf(part), parts: 1 });
      }
    }
    return { value: shownSum(total), isPartial };
  }

  #valueAt(root: number, day: Day): ShownTotal {
    const node = this.#nodes.get(root);
    const own = node === undefined ? null : contribution(node, day);
    return own === 'descend' ? this.#sum(root, day) : { value: own, isPartial: false };
  }

  /** The field's value at the end of each of these days, which follow each other. */
  valuesAt(root: number, days: readonly Day[]): ShownTotal[] {
    const values: ShownTotal[] = [];
    for (const [index, day] of days.entries()) {
      const before = days[index - 1];
      const isSame = before !== undefined && !this.#hasTurned(before, day);
      values.push(isSame ? (values[index - 1] ?? noTotal) : this.#valueAt(root, day));
    }
    return values;
  }
}
