/*
 * Whole projects as archives.
 *
 * look.ts        reads an archive to its end before anything is written (read.ts, draft.ts, user-map.ts)
 * import.ts      takes it in behind a project that nobody sees, in short transactions; publish.ts shows it, remove.ts takes back what failed
 * requests.ts    imports that people ask for over the API, and run-requested.ts runs them; path-import.ts what lies on this machine
 * export.ts      writes one (exported.ts, repositories-out.ts) and names what it leaves out (losses.ts); shipped.ts templates that come with the product; tracker-file.ts one tracker
 * people.ts, settled-people.ts, memberships.ts   people of the archive and who they are here
 * repositories.ts, repositories-in.ts            Subversion repositories on their way in
 * file-names.ts, tracker-order.ts, dates.ts      where things are in an archive, and what follows from their order and age
 * records.ts, report.ts   what is written down of an import; sweep.ts, purge.ts what is left of old ones
 *
 * An import is there as a whole or not at all, whatever happens on the way.
 */

export { type ArchiveDeps, removeAbandonedImports } from './deps.ts';
export { exportProject } from './export.ts';
export type { ExportMode } from './exported.ts';
export { projectImportOperations } from './operations.ts';
export { importFromPath, suggestUserMap } from './path-import.ts';
export { purgeDueProjects, purgeProject } from './purge.ts';
export {
  countOpenImports,
  type ImportProgress,
  type ImportRecord,
  listImports,
  readImport,
  uploadOfImport,
} from './records.ts';
export type { ImportReport } from './report.ts';
export { loadWaitingRepositories } from './repositories-in.ts';
export { projectCalled } from './requests.ts';
export {
  type ClaimedImport,
  giveUpImport,
  runClaimedImport,
  runRequestedImports,
  settleUploads,
} from './run-requested.ts';
export {
  archivesInProjects,
  listShippedTemplates,
  readShippedTemplate,
  readTemplateTracker,
} from './shipped.ts';
export { sweepDataFolder } from './sweep.ts';
export { readTrackerFile } from './tracker-file.ts';
