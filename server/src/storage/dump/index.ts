export type { Catalog } from './catalog.ts';
export { isUntouched, loadDatabase } from './loading.ts';
export { BadDump, type DumpDescription } from './model.ts';
export { readDescription, readDumpedRows } from './reading.ts';
export { dumpDatabase } from './writing.ts';
