import type { Content } from './model.ts';

export interface FinishedBackup {
  /** Where it is. */
  readonly place: string;
  /** What is wrong with older ones beside it, in words. */
  readonly faults: readonly string[];
}

/** Where a backup is written to. What is there already is not written again. */
export interface Vault {
  /** A folder for what is in the making, removed at the end. */
  readonly workFolder: string;
  has(content: Content): Promise<boolean>;
  putBytes(content: Content, bytes: Uint8Array): Promise<void>;
  /** Copies a file that is known to have this content; it fails when it has another. */
  putFile(content: Content, path: string): Promise<void>;
  /** Makes the backup whole by its list. */
  finish(listPath: string, name: string): Promise<FinishedBackup>;
  /** Removes what is in the making. What was whole before is as it was. */
  close(): Promise<void>;
}
