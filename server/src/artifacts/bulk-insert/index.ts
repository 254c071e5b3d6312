/*
 * Whole histories at once, as imports bring them (bulk-insert.ts): `prepareHistory` works them out, `insertHistory` stores them in one transaction, and `insertLinks`
 * follows when the artifacts on both ends are there.
 *
 * What a history leaves in the index, in sums and in counters is the same as if people had made every change by hand.
 */

export {
  insertHistory,
  insertLinks,
  type PastChangeset,
  prepareHistory,
  type ReadyBatch,
  type ReadyChangeset,
  type ReadyHistory,
  type ReferenceTarget,
} from './bulk-insert.ts';
