import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

/**
 * `temporary`: comes in chunks, by `artifact_temporary_files`. `upload`: reserved for a field, comes by tus. `attached`: in
 * the current version of an artifact. `removed`: was once; history still names it, its bytes are gone.
 */
export type AttachmentState = 'temporary' | 'upload' | 'attached' | 'removed';

export interface AttachmentTable {
  id: Generated<number>;
  submitted_by: number;
  /** Null until it is attached. */
  artifact_id: number | null;
  /** The field it is attached to, or that an upload was reserved for. */
  field_id: number | null;
  name: string;
  type: string;
  /** Bytes that have arrived. */
  size: number;
  description: string;
  /** The description that it came with; null where it has never had another. */
  first_description: Generated<string | null>;
  created_at: number;
  state: Generated<AttachmentState>;
  /** What an upload will have when it is complete. */
  expected_size: Generated<number | null>;
  /** How many chunks a temporary file was made from. */
  chunks: Generated<number>;
  /** When it is gone unless it is attached; null once it is. */
  expires_at: Generated<number | null>;
  /** Null until somebody asked for a preview; `none` where there can be none. */
  preview: Generated<'made' | 'none' | null>;
  /** Who is writing to the upload now, and until when that holds without being renewed. */
  lock_token: Generated<string | null>;
  lock_until: Generated<number | null>;
}

/** Bytes that are stored. A row is made after the bytes are there, and goes with them; `blobs/rows.ts` alone touches it. */
export interface BlobTable {
  /** SHA-256 in hexadecimal digits. */
  hash: string;
  size: number;
  /** From when on it can be removed if nothing points to it; null while something does. */
  released_at: Generated<number | null>;
  /** When somebody began to remove its bytes. */
  removing_at: Generated<number | null>;
}

/** Where the bytes of a file are: its pieces in the order of their positions, joined, are the file. */
export interface AttachmentPieceTable {
  attachment_id: number;
  /** Its preview is one piece of its own. */
  is_preview: Flag;
  position: number;
  /** The place of its first byte in the file. */
  start: number;
  size: number;
  hash: string;
}

/** What the temporary files of somebody come to, those included that expired and are not removed yet; `files/usage.ts` alone touches it. */
export interface TemporaryUsageTable {
  account_id: number;
  files: number;
  bytes: number;
}

export interface FileTables {
  attachment: AttachmentTable;
  attachment_piece: AttachmentPieceTable;
  blob: BlobTable;
  temporary_usage: TemporaryUsageTable;
}
