/*
 * All tables as lines of JSON that every engine loads: writing.ts, loading.ts, reading.ts; model.ts what a dump says of itself, rows.ts values as JSON has
 * them. Which tables and columns there are is asked in `storage/catalog-sqlite.ts` and `storage/catalog-postgres.ts`.
 *
 * A dump of one engine loads into the other, and what comes out is the same.
 */

export { isUntouched, loadDatabase } from './loading.ts';
export type { DumpDescription } from './model.ts';
export { readDescription, readDumpedRows } from './reading.ts';
export { dumpDatabase } from './writing.ts';
