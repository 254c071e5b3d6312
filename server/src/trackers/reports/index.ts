/*
 * Saved searches of a tracker, with the ways in which they show what they find.
 *
 * model.ts   what a report is; read.ts those that a viewer sees; change.ts what people change; renderers.ts columns and sorting, settings.ts what else there is to say
 * store.ts   rows; copy.ts takes reports along when a tracker is copied or imported
 */

export { type ReportLanguage, type ReportRequest, reportOperations } from './change.ts';
export { copyReports, insertCopies } from './copy.ts';
export {
  columnsOf,
  defaultReport,
  mayName,
  type NewRenderer,
  type NewReport,
  type Renderer,
  type Report,
  type ReportColumn,
  type SavedCriterion,
  type SortKey,
  shownColumns,
  usualTable,
} from './model.ts';
export { type ListedReport, listReports, requireReport, type SeenReport } from './read.ts';
export { shownSettings } from './settings.ts';
export {
  changeReportQueries,
  countReportsByField,
  insertReport,
  loadPublicReports,
  renameFieldInSettings,
  trackersInReportQueries,
} from './store.ts';
