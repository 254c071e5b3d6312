export {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from '@bundled/kysely';
export {
  BlobKeeper,
  BlobMissing,
  type Blobs,
  type ByteRange,
  holdBlobs,
  Kept,
  type ListedBlob,
  type OpenBlob,
  openBlobs,
  pieceSize,
  releaseBlobs,
  removalMark,
  type StoredBlob,
  type Take,
} from './blobs/index.ts';
export type { ColumnOf, NumberedTable, RowOf } from './bulk.ts';
export {
  answerCalls,
  CallLine,
  type Calls,
  callNamed,
  type Operation,
  type OperationTable,
  operationsOn,
  remoteCalls,
  type Search,
  type SearchTable,
  searchesOn,
  wrappedCalls,
} from './calls.ts';
export {
  type Database,
  type Reader,
  type RevisionName,
  type Revisions,
  readRevisions,
  type Transaction,
} from './database.ts';
export {
  BadDump,
  type DumpDescription,
  dumpDatabase,
  isUntouched,
  loadDatabase,
  readDescription,
  readDumpedRows,
} from './dump/index.ts';
export { ConcurrentChange, type Health, StorageUnavailable, UnfitDatabase } from './engine.ts';
export { doJob, findDueJobs, type JobOperations, type PeriodicJob, storageOperations } from './jobs.ts';
export { migrate, NewerDatabase, newestSchema, storedSchema } from './migrate.ts';
export { openDatabase, type StorageOptions } from './open.ts';
export { appendEvent, eventIn } from './outbox.ts';
export { areRemovalsHeld, holdRemovals } from './removal-hold.ts';
export {
  contains,
  lockingStatement,
  mostIds,
  type SqlBuilder,
  statement,
  statementOverIds,
} from './statement.ts';
export type { Flag, Tables } from './tables.ts';
export { type Turn, TurnOver } from './turns.ts';
