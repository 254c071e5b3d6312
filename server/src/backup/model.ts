/** Bytes by what they are: the same bytes are kept once, however many files have them. */
export interface Content {
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
  readonly size: number;
}

/** A file of a backup. */
export interface FileEntry extends Content {
  /** Where it belongs, below the parts that `parts` names. */
  readonly path: string;
  readonly executable?: true;
}

/** A folder that must be there though nothing is in it. */
export interface FolderEntry {
  readonly folder: string;
}

export type BackupEntry = FileEntry | FolderEntry;

/** What the paths of a backup begin with. */
export const parts = {
  database: 'database',
  blobs: 'blobs',
  repositories: 'repositories',
  dumps: 'dumps',
  deleted: 'deleted',
  waiting: 'imported-repositories',
  imports: 'imports',
  environment: 'environment.json',
} as const;

/** The form that this program writes and reads. */
export const backupForm = 1;

/** What a backup says of itself before it lists its files. */
export interface Head {
  /** The form of the backup. */
  readonly atelier_backup: number;
  /** Of the program that wrote it. */
  readonly version: string;
  readonly begun_at: string;
  readonly engine: string;
  readonly schema: number;
}

/** And what it says after them. */
export interface Tail {
  readonly files: number;
  readonly bytes: number;
  /** What the platform itself had lost when the backup was made, in words. */
  readonly missing: readonly string[];
}

/** How far something is. */
export interface Progress {
  readonly stage: string;
  readonly done: number;
  /** 0 where it is not known. */
  readonly total: number;
}

export type Tell = (progress: Progress) => void;

/** The backup, or the place it is to be in or restored to, is not as it must be; says what to do. */
export class BackupFault extends Error {}

/** Where the contents of a backup are, and its lists of files. */
export const objectsFolder = 'objects';
export const listsFolder = 'backups';

export const objectPath = (sha256: string) => `${objectsFolder}/${sha256.slice(0, 2)}/${sha256}`;

const pathForm = /^[^/\0]+(\/[^/\0]+)*$/;

/** Whether a path leads nowhere but down. */
export const isInside = (path: string) =>
  pathForm.test(path) && path.split('/').every((name) => name !== '.' && name !== '..');
