export { type ArchiveUpload, reserveArchiveUpload } from './archived-files.ts';
export { changeFiles, checkFiles, moveFiles, type Place } from './attach.ts';
export {
  type ArchivedFile,
  abandonFiles,
  addRestoredPieces,
  attachRestored,
  dropRestored,
  findFilesOf,
  insertRestored,
} from './delete.ts';
export { addBytes, discard, type FileDeps } from './deps.ts';
export { holdNew, insertAttached, type NewAttachment } from './import.ts';
export {
  checkedLabel,
  chunkSize,
  type FileFacts,
  type FileLabel,
  isComplete,
  isPicture,
  type StoredFile,
  uploadLifetime,
} from './model.ts';
export { type FileOperations, fileOperations } from './operations.ts';
export { dropPieces, findPieces, openSpan, type Piece, type Span, type StoredPart } from './pieces.ts';
export { PreviewMaker } from './preview-maker.ts';
export { type Checksum, ChecksumMismatch, checksumAlgorithms, receive } from './receive.ts';
export { findFile, findFiles, lockQuotaOf, readUsage } from './store.ts';
export { listTemporaryFiles, readTemporaryFile, requireChunkNumber, requireRoom } from './temporary.ts';
export { readUpload, type Upload } from './uploads.ts';
export { type BadFile, type Verification, verifyFiles } from './verify.ts';
