/*
 * Sums over linked artifacts, and charts made of them.
 *
 * totals.ts         the sum that a viewer is shown: read it first
 * contributions.ts  what each artifact adds, and through which fields
 * kept/             sums that are stored and kept up to date by every change below
 * burndown.ts       what was left on each day; past-totals.ts and past-values.ts read that out of the history
 * value-turns.ts    how values became what they are, kept for charts over time
 * timeframes.ts     when work begins and ends; opening-days.ts counts days without weekends
 *
 * A sum counts exactly the artifacts that its viewer may see.
 */

export { readBurndowns } from './burndown.ts';
export {
  addTotalRows,
  announceSum,
  contributionsChanged,
  finishBuild,
  keepTotals,
  storeTotals,
  sweepTotalRows,
  TotalsKeeper,
  unsettleTotalsOf,
} from './kept/index.ts';
export { endOf, startOf } from './opening-days.ts';
export {
  linksIn,
  type Moment,
  movedLinks,
  readMoments,
  readSteps,
  shortChanges,
  wholeChanges,
} from './past-values.ts';
export { amountOf, readTimeframes, type Timeframe, timeframeFields } from './timeframes.ts';
export { noTotal, readTotals, type ShownTotal, type ShownTotals, type Totals, totalKey } from './totals.ts';
export { type ValueTurn, ValueTurns } from './value-turns.ts';
