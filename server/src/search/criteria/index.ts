/*
 * What clients ask for as JSON, made into conditions.
 *
 * criteria.ts         `query={"status":"Open"}` of the compatible API: read it first
 * report-criteria.ts  the richer form of reports and tables; reports.ts saved reports
 * selection.ts        criteria or a query, whichever a request brings, as one condition
 *
 * A member that means nothing is refused by its name; nothing is ignored silently, but what the compatible API ignores.
 */

export { parseCriteria, requireShallow } from './criteria.ts';
export { queriesInTrackers, reportCondition, reportLanguage } from './reports.ts';
export {
  blamedOn,
  both,
  type CombinedSelection,
  type Selection,
  selectedBy,
  selectedByAll,
} from './selection.ts';
