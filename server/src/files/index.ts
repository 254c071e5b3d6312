/*
 * Attachments: from the first byte to the last.
 *
 * model.ts     what a file is; uploads.ts, reservations.ts, temporary.ts the three ways in
 * usage.ts     what temporary files of somebody come to
 * receive.ts   bytes as they arrive, piece by piece (pieces.ts)
 * attach.ts    files of artifacts; delete.ts, expire.ts how they go
 * previews.ts  small pictures, made in a process of their own (preview-maker.ts, preview-process.ts)
 * import.ts, archived-files.ts   files in archives; verify.ts looks for missing and damaged ones
 *
 * Bytes are stored before the row that points to them and removed after it; nothing holds a file whole.
 */

export { type ArchiveUpload, reserveArchiveUpload } from './archived-files.ts';
export { changeFiles, checkFiles, describeFiles, moveFiles, newDescriptions } from './attach.ts';
export {
  type ArchivedFile,
  abandonFiles,
  addRestoredPieces,
  attachRestored,
  dropRestored,
  findFilesOf,
  insertRestored,
} from './delete.ts';
export { addBytes, type FileDeps } from './deps.ts';
export { holdNew, insertAttached, type NewAttachment } from './import.ts';
export {
  checkedLabel,
  chunkSize,
  type FileFacts,
  isComplete,
  isPicture,
  type StoredFile,
  uploadLifetime,
} from './model.ts';
export { fileOperations } from './operations.ts';
export { dropPieces, findPieces, openSpan, type Piece, type Span, type StoredPart } from './pieces.ts';
export { PreviewMaker } from './preview-maker.ts';
export { type Checksum, ChecksumMismatch, checksumAlgorithms, receive } from './receive.ts';
export { findFile, findFiles, lockQuotaOf } from './store.ts';
export { listTemporaryFiles, readTemporaryFile, requireChunkNumber, requireRoom } from './temporary.ts';
export { readUpload, type Upload } from './uploads.ts';
export { readUsage } from './usage.ts';
export { type BadFile, type Verification, verifyFiles } from './verify.ts';
