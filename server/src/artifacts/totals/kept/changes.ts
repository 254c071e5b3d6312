import type { StoredLink, Tracker } from '../../../trackers/index.ts';
import type { Document } from '../../model.ts';
import { contributionOf, summedField, sumsUp } from '../contributions.ts';
import { type Below, nothingBelow } from './rows.ts';

/** An artifact at one time, as far as sums look at it. */
export interface SummedState {
  readonly tracker: Tracker;
  readonly document: Document;
  readonly links: readonly StoredLink[];
  /** Whether it is for certain groups only. */
  readonly isRestricted: boolean;
}

/** A change of one artifact; undefined: it is not there. */
export interface SummedChange {
  readonly id: number;
  readonly before: SummedState | undefined;
  readonly after: SummedState | undefined;
  /** Whether others than before may see it now: they are shown other sums. */
  readonly changesVisibility?: boolean;
}

export type Contribution = number | null | 'descend';

export const contributionIn = (state: SummedState | undefined, name: string): Contribution =>
  state === undefined ? null : contributionOf(state.tracker, name, state.document);

/** The artifacts that a sum of this name takes in directly. */
export const takenIn = (state: SummedState | undefined, name: string): ReadonlySet<number> =>
  new Set(state !== undefined && sumsUp(state.tracker, name) ? state.links.map(([id]) => id) : []);

export const isSame = (left: ReadonlySet<number>, right: ReadonlySet<number>) =>
  left.size === right.size && left.isSubsetOf(right);

/** What an artifact itself is, to those who are shown sums of this name that take it in. */
export function belowOf(tracker: Tracker | undefined, name: string, isRestricted: boolean): Below {
  if (tracker === undefined || summedField(tracker, name) === undefined) return nothingBelow;
  return { trackers: new Set([tracker.id]), hasRestricted: isRestricted };
}

/** Whether others than before may be told of the artifact by sums of this name: it comes, goes, moves, or is seen by others. */
export function isSeenAnew({ before, after, changesVisibility }: SummedChange, name: string): boolean {
  const isElsewhere = before?.tracker.id !== after?.tracker.id;
  if (!isElsewhere && changesVisibility !== true) return false;
  return [before, after].some((state) => summedField(state?.tracker, name) !== undefined);
}

function concerns(change: SummedChange, name: string): boolean {
  const { before, after } = change;
  return (
    isSeenAnew(change, name) ||
    contributionIn(before, name) !== contributionIn(after, name) ||
    (before?.links !== after?.links && !isSame(takenIn(before, name), takenIn(after, name)))
  );
}

/** The names of the sums that a change concerns. */
export function summedNames(change: SummedChange, sums: ReadonlySet<string>): string[] {
  const fields = [change.before, change.after].flatMap((state) => state?.tracker.elements ?? []);
  const names = fields.filter(({ isUsed, name }) => isUsed && sums.has(name)).map(({ name }) => name);
  return [...new Set(names)].filter((name) => concerns(change, name));
}
