/*
 * Sums that are stored, so that showing one is reading a row (decisions 19 and 31).
 *
 * update.ts        what one change does to the sums above it, in its transaction: read it first
 * changes.ts       what of a change sums look at; above.ts finds whom it concerns; traversal.ts adds up what must be added up anew
 * build.ts         fills the rows of a sum that is new, step by step; keeper.ts runs those steps in the background
 * names.ts         which sums are ready; rows.ts the rows themselves; exact.ts numbers that add up to the last digit
 * viewer-reach.ts  when a stored sum is what a viewer may be shown
 *
 * A sum that is not ready is worked out on the spot: it is slower then, and never wrong.
 */

export { addTotalRows, announceSum, finishBuild, storeTotals, sweepTotalRows } from './build.ts';
export { addUp, exactOf, type Sum, shownSum, zeroSum } from './exact.ts';
export { TotalsKeeper } from './keeper.ts';
export { contributionsChanged, findReady, unsettleTotalsOf } from './names.ts';
export { findKept } from './rows.ts';
export { Graph, sumUp, sumUpKept } from './traversal.ts';
export { keepTotals } from './update.ts';
export { ViewerReach } from './viewer-reach.ts';
