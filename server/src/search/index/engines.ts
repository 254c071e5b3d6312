import type { Reader } from '../../storage/index.ts';
import { postgresIndex } from './postgres/index.ts';
import type { SearchIndex } from './search-index.ts';
import { sqliteIndex } from './sqlite/index.ts';

export { searchOperations } from './sqlite/index.ts';

/** The index of the engine that a reader reads: the one place where that is asked. */
export const searchIndexOn = ({ foldsPostings }: Pick<Reader, 'foldsPostings'>): SearchIndex =>
  foldsPostings ? sqliteIndex : postgresIndex;
