/*
 * Archives, in and out. From the bottom up:
 *
 * kernel/xml.ts        XmlElement: one small element held whole, plain data; `element`, `childOf`, `attributeOf`, ...
 * container.ts         openArchive(path, limits?): a folder or a zip; `open(path)`, `size(path)`, `paths`, `close()`
 * zip-reader.ts        entries of a zip; zip-records.ts the form of its records, in and out
 * zip-writer.ts        ZipWriter.create(path): `add(name, bytes)`, `addXml(name, write)`, `finish()` (fsynced), `abandon()`
 * xml-writer.ts        XmlWriter: `begin`, `end`, `element`, `await settle()` now and then
 * xml-reader.ts        XmlReader: `root()`, `children()`, `whole()`; faults say file, line and reason
 * people.ts            ArchivedPeople: plain tables from names, ids, ldap ids and addresses to account ids
 *                      AccountReferences: references to accounts while writing, and `written`: all accounts for users.xml
 * model.ts             an open archive, and what an import warns of; words.ts names of any length in those words
 * keys.ts, group-names.ts   how archives name what is in them
 * tracker-writer.ts    trackerElement(tracker, references, reports): the structure of a tracker; `artifacts` follows its last child
 * workflow-writer.ts   triggersElement(trackers): the `triggers` of a project; report-writer.ts, semantics.ts (in and out) other parts of it
 * artifact-writer.ts   writeArtifacts(out, reader, tracker, scope, ids?): `artifacts`, in constant memory
 * file-writer.ts       addFiles(zip, reader, blobs, attachedFiles(reader, trackerId)): data/Artifact<n>
 * tracker-reader.ts    readTracker(element, source): TrackerDraft; pure, for checks before anything is written
 * form-reader.ts, permission-reader.ts, workflow-reader.ts, report-reader.ts   its parts; draft-numbers.ts what their names stand for
 * tracker-import.ts    the operations `importTracker` and `tieTrackers`
 * artifact-survey.ts   ArtifactSurvey: `add(place, artifact)`, `addTracker(element)`: ids in order, people, link types
 * artifact-reader.ts   changesets of an artifact as they are stored; file-intake.ts bytes of its files
 * artifact-import.ts   ArtifactImport: `begin(places in import order)`, `add(place, artifact)`, `finish()` or `abandon()`
 * operations.ts        archiveOperations: what the thread that writes does for all this
 */

export { ArtifactImport } from './artifact-import.ts';
export { ArtifactSurvey } from './artifact-survey.ts';
export { writeArtifacts } from './artifact-writer.ts';
export { openArchive } from './container.ts';
export { type ArchiveFaults, DeletedArtifacts, inspectArchives } from './deleted/index.ts';
export { addFiles, attachedFiles } from './file-writer.ts';
export { type Archive, type ArchiveWarning, pathIn } from './model.ts';
export { archiveOperations } from './operations.ts';
export { AccountReferences, type ArchivedPeople } from './people.ts';
export {
  type ArchiveDeps,
  archivesInProjects,
  type ClaimedImport,
  countOpenImports,
  type ExportMode,
  exportProject,
  giveUpImport,
  type ImportProgress,
  type ImportRecord,
  type ImportReport,
  importFromPath,
  listImports,
  listShippedTemplates,
  loadWaitingRepositories,
  projectCalled,
  projectImportOperations,
  purgeDueProjects,
  purgeProject,
  readImport,
  readShippedTemplate,
  readTemplateTracker,
  readTrackerFile,
  removeAbandonedImports,
  runClaimedImport,
  runRequestedImports,
  settleUploads,
  suggestUserMap,
  sweepDataFolder,
  uploadOfImport,
} from './project/index.ts';
export { readTracker } from './tracker-reader.ts';
export { trackerElement } from './tracker-writer.ts';
export { triggersElement } from './workflow-writer.ts';
export { XmlReader } from './xml-reader.ts';
export { ZipWriter } from './zip-writer.ts';
