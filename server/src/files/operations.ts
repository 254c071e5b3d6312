import type { Viewer } from '../kernel/viewer.ts';
import type { Calls, Transaction } from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';
import { dropArchiveUpload } from './archived-files.ts';
import { removeExpiredFiles } from './expire.ts';
import { rememberPreview } from './previews.ts';
import { type NewUpload, reserveUpload } from './reservations.ts';
import { appendChunk, createTemporaryFile, deleteTemporaryFile } from './temporary.ts';
import { beginWriting, cancelUpload, endWriting, keepWriting, writeOn } from './uploads.ts';

/** Everything that changes files before they are attached, and after. */
export function fileOperations(trackers: Trackers) {
  return {
    createTemporaryFile,
    appendChunk,
    deleteTemporaryFile,
    reserveUpload: (tx: Transaction, viewer: Viewer, input: NewUpload) =>
      reserveUpload(tx, viewer, input, trackers),
    beginWriting,
    keepWriting,
    writeOn,
    endWriting,
    cancelUpload,
    dropArchiveUpload,
    rememberPreview,
    removeExpiredFiles,
  };
}
export type FileOperations = Calls<ReturnType<typeof fileOperations>>;
