/*
 * What the platform rests on, looked at. One file a subject, each gives findings (finding.ts) and changes nothing.
 *
 * data-folder.ts, database.ts, files.ts, kept-things.ts, web.ts, subversion.ts, mail.ts, replicas.ts   for `atelier doctor`, which opens everything itself
 * last-backup.ts, backup-folder.ts   when the last backup was made, whether that is long ago, and whether the next can be made
 * folders.ts       whether there is a folder, and whether one can be made
 * running.ts       the same for a service that runs, with what it has open: read it first
 */

export { checkBackupFolder } from './backup-folder.ts';
export { checkDataFolder } from './data-folder.ts';
export { checkDatabase } from './database.ts';
export { checkFilePlace, verifyBlobs } from './files.ts';
export type { HealthFinding } from './finding.ts';
export { checkKeptThings } from './kept-things.ts';
export { checkLastBackup } from './last-backup.ts';
export { checkMail, readMailRefusal } from './mail.ts';
export { checkReplicas } from './replicas.ts';
export { type Examined, type OpenService, RunningHealth } from './running.ts';
export { checkSubversion } from './subversion.ts';
export { checkWeb } from './web.ts';
