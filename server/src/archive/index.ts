/*
 * What there is (files in this folder beside `project/`):
 *
 * kernel/xml.ts     XmlElement: one small element held whole, plain data; `element`, `childOf`, `attributeOf`, ...
 * container.ts      openArchive(path, limits?): Archive          a folder or a zip; `open(path)`, `has(path)`, `paths`, `close()`
 * zip-writer.ts     ZipWriter.create(path): `add(name, bytes)`, `finish()` (fsynced), `abandon()`
 * xml-writer.ts     new XmlWriter(sink): `begin`, `end`, `element`, `await settle()`, `finish()`
 * xml-reader.ts     new XmlReader(file, bytes): `root()`, `children()`, `whole()`; faults say file, line and reason
 * people.ts         ArchivedPeople (plain tables name/id/ldap/email -> account id) and `personOf(people, reference)`;
 *                   AccountReferences: references to accounts while writing, and `written`: all accounts for users.xml
 * tracker-writer.ts trackerElement(tracker, references): Promise<XmlElement>       structure without artifacts
 *                   triggerElements(trackers): XmlElement                          the <triggers> of a project
 * artifact-writer.ts writeArtifacts(out, source, tracker, options)                 <artifacts>, page by page, constant memory
 *                   writeArtifact(out, source, tracker, id, options)
 *                   addFiles(zip, source, artifacts)                               data/Artifact<n>
 * tracker-reader.ts readTracker(element, {people, warn}): TrackerDraft             pure; nothing is written
 * tracker-import.ts operations `importTracker` {projectId, element, people, trackerIds} -> {id, fields, values, warnings}
 *                   and `tieTrackers` (hierarchy and triggers, when all artifacts are in)
 * artifact-survey.ts ArtifactSurvey: `add(element)`; ids in order, people, link types; for the check before anything is written
 * artifact-import.ts ArtifactImport: `add(trackerKey, element)`, `finish()`: short transactions through operations
 * operations.ts     archiveOperations: what the thread that writes does for all this
 */

export { openArchive } from './container.ts';
export { DeletedArtifacts } from './deleted/archives.ts';
export {
  type Archive,
  type ArchiveLimits,
  type ArchiveWarning,
  archiveFault,
  pathIn,
  type Warn,
  type WarningCode,
} from './model.ts';
export { XmlReader, type XmlStart } from './xml-reader.ts';
export { XmlWriter } from './xml-writer.ts';
export { ZipWriter } from './zip-writer.ts';
export {
  type ExportMode,
  type ExportReport,
  exportProject,
  type ImportRecord,
  type ImportReport,
  importFromPath,
  listImports,
  type Progress,
  projectCalled,
  projectImportOperations,
  readImport,
  readShippedTemplate,
  removeAbandonedImports,
  runRequestedImports,
  suggestUserMap,
  uploadOfImport,
  type Workshop,
} from './project/index.ts';
