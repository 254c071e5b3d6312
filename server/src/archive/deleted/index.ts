/*
 * Deleted artifacts, kept as archives until they are brought back or their time is over.
 *
 * archives.ts  writes, finds and reads them: read it first
 * xml.ts       the elements of one artifact; rows.ts has what elements cannot tell, as plain rows
 * inspect.ts   compares the folder with the database, for the doctor
 *
 * Whatever was deleted can be brought back as it was, by whoever may, for as long as its archive is there.
 */

export { DeletedArtifacts } from './archives.ts';
export { type ArchiveFaults, inspectArchives } from './inspect.ts';
