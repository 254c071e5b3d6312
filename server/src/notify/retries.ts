import { hour, minute, second } from '../kernel/clock.ts';

/**
 * Pauses before each next try, a day in all. That a day has passed is told by the tries, never by the clock: one that jumps
 * ahead cuts short no more than one pause.
 */
const pauses: readonly number[] = [
  2 * second,
  10 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  ...Array.from({ length: 23 }, () => hour),
];

/** How long something that failed so often is left alone; undefined: for good. */
export const pauseAfter = (failures: number): number | undefined => pauses[failures - 1];

/** How long something that was taken is left to its taker, who is done or dead by then. */
export const lease = 2 * minute;
