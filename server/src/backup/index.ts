/*
 * Backups: one state of the database, and all that it points to. From the bottom up:
 *
 * model.ts              what a backup consists of; platform.ts what it is taken of, environment.ts which of its variables are in it
 * contents.ts           bytes, their digests, and what lies in folders
 * list.ts               the list of a backup: every file with its size and digest
 * vault.ts              where backups are written to: folder.ts (several, sharing bytes), tar.ts (one)
 * blob-copies.ts        bytes of files, which are copied before as well as after the state of the database is read
 * snapshot-contents.ts  all that a state of the database points to
 * backup.ts             takeBackup: while the service runs
 * place.ts              backUp: the same, to a place that a path names
 * last-backup.ts        what is remembered of the last one
 * started.ts            one that is started from the service, in a process of its own
 * source.ts             a backup that is read again
 * verify.ts             verifyBackup
 * disk-faults.ts        what disks say, in words
 * restore.ts            restoreBackup: into an empty platform, on either engine
 */

export type { TakenBackup } from './backup.ts';
export { type LastBackup, readLastBackup } from './last-backup.ts';
export { BackupFault, type Progress } from './model.ts';
export { backUp } from './place.ts';
export type { BackedUpPlatform } from './platform.ts';
export { type RestoredBackup, requireApart, restoreBackup } from './restore.ts';
export { type BackupOrder, type BackupRun, readBackupRun, runStartedBackup, startBackup } from './started.ts';
export { type VerifiedBackup, verifyBackup } from './verify.ts';
