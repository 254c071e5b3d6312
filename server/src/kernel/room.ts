import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * What one answer may hold in memory while it is made. Whoever is about to read much says so first, and waits until all
 * answers of the thread together hold little enough.
 */
export interface Room {
  /** Waits until so many bytes may be held, and others have had their turn; those that were held before are given back. */
  need(bytes: number): Promise<void>;
  /** Tells how many are held in truth, now that it is known. */
  hold(bytes: number): void;
}

/** For work that is bounded in another way. */
export const boundless: Room = { need: () => nextTurn(), hold: () => {} };
