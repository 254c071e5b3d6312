/*
 * Saved searches of a tracker, with their tables.
 *
 * model.ts   what a report is; read.ts those that a viewer sees; change.ts what people change; tables.ts columns and sorting
 * store.ts   rows; copy.ts takes reports along when a tracker is copied or imported
 */

export { type ReportLanguage, type ReportRequest, reportOperations } from './change.ts';
export { copyReports, insertCopies } from './copy.ts';
export {
  columnsOf,
  defaultReport,
  mayName,
  type NewReport,
  type NewReportTable,
  type Report,
  type ReportColumn,
  type ReportTable,
  type SavedCriterion,
  type SortKey,
  shownColumns,
  usualTable,
} from './model.ts';
export { type ListedReport, listReports, requireReport, type SeenReport } from './read.ts';
export { countReportsByField, insertReport, loadPublicReports } from './store.ts';
