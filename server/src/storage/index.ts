export {
  type Expression,
  expressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from '@bundled/kysely';
export {
  answerCalls,
  type Calls,
  type Operation,
  type OperationTable,
  operationsOn,
  remoteCalls,
  type Search,
  type SearchTable,
  searchesOn,
} from './calls.ts';
export type { Database, Reader, RevisionName, Transaction } from './database.ts';
export { type Health, StorageUnavailable } from './engine.ts';
export { storageOperations } from './jobs.ts';
export { migrate, NewerDatabase, newestSchema, storedSchema } from './migrate.ts';
export { openDatabase, type StorageOptions } from './open.ts';
export { contains, type SqlBuilder, statement } from './statement.ts';
export type { Flag, Tables } from './tables.ts';
