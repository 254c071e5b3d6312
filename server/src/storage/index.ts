/*
 * The only room that knows SQL engines.
 *
 * engine.ts     what an engine must do, as a list of capabilities with typed faults: read it first
 * engine-sqlite.ts, engine-postgres.ts   the two there are (sqlite-connection.ts, postgres-statements.ts, postgres-pool.ts, postgres-watch.ts,
 *               session.ts), opened in open.ts
 * engine-replicated.ts   PostgreSQL with replicas to read from (replica.ts)
 * database.ts   Database, Reader and Transaction: what everybody else works with
 * statement.ts  statements that are compiled once, with named holes; bulk.ts many rows at once; reads-by-id.ts rows of one turn by one statement,
 *               reads-together.ts lists that belong together by one, gathered.ts what work side by side reads
 * tables*.ts    every table and column (column-types.ts); migrations/ how they came to be, migrate.ts applies them
 * turns.ts, turn-reader.ts   one snapshot for everything that a turn of the event loop reads
 * outbox.ts     events, in the transaction of the change; event-log.ts those of the last minutes, in the order of commits; jobs.ts work that one process does for all; calls.ts operations by name
 * blobs/        bytes of files; dump/ all tables as lines (catalog.ts, catalog-sqlite.ts, catalog-postgres.ts: what the database knows of them); removal-hold.ts lets backups finish
 *
 * Nobody outside asks which engine runs. A transaction is durable when it returns, and one that failed left nothing.
 */

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
  holdBlobs,
  KeptBytes,
  type OpenBlob,
  openBlobs,
  pieceSize,
  releaseBlobs,
  removalMark,
  type StoredBlob,
  type Take,
} from './blobs/index.ts';
export type { RowOf } from './bulk.ts';
export {
  answerCalls,
  CallLine,
  type Calls,
  callNamed,
  type OperationTable,
  operationsOn,
  remoteCalls,
  type Search,
  type SearchTable,
  searchesOn,
  wrappedCalls,
} from './calls.ts';
export { type Flag, toFlag } from './column-types.ts';
export {
  type Database,
  isSameRevisions,
  type Reader,
  type Revisions,
  readRevisions,
  type Transaction,
} from './database.ts';
export {
  type DumpDescription,
  dumpDatabase,
  isUntouched,
  loadDatabase,
  readDescription,
  readDumpedRows,
} from './dump/index.ts';
export {
  type CallerReads,
  ConcurrentChange,
  type Health,
  StorageUnavailable,
  UnfitDatabase,
} from './engine.ts';
export {
  eventsKeptFor,
  hasUnnumberedEvents,
  isInEventLog,
  type LoggedEvent,
  lastEventNumber,
  logEvent,
  readEventLog,
} from './event-log.ts';
export { doJob, findDueJobs, type JobOperations, type PeriodicJob, storageOperations } from './jobs.ts';
export {
  firstReleasedSchema,
  migrate,
  NewerDatabase,
  newestSchema,
  type PendingMigration,
  pendingMigrations,
  storedSchema,
} from './migrate.ts';
export { openDatabase, prepareReplicas, replicaStates } from './open.ts';
export { appendEvent, appendLiveEvent, eventIn } from './outbox.ts';
export { ReadsById } from './reads-by-id.ts';
export { ReadsTogether } from './reads-together.ts';
export { areRemovalsHeld, holdRemovals } from './removal-hold.ts';
export type { ReplicaState } from './replica.ts';
export {
  contains,
  containsInAnyCase,
  isOneOf,
  lockingStatement,
  mostIds,
  type SqlBuilder,
  type Statement,
  statement,
  statementOverIds,
} from './statement.ts';
export type { Tables } from './tables.ts';
export { type Turn, TurnOver } from './turns.ts';
