import type { Counter, StoredColumn } from '../catalog.ts';

/** What a dump says about itself, in `database.json`. */
export interface DumpDescription {
  /** The engine that it was taken from; it can be loaded into any. */
  readonly engine: string;
  readonly schema: number;
  readonly tables: readonly DumpedTable[];
  readonly counters: readonly Counter[];
}

export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  readonly rows: number;
  /** Files with its rows, one row a line, in the order of its primary key. */
  readonly files: readonly string[];
}

export const descriptionFile = 'database.json';

/** Derived from the other tables by engines that have use for them: made anew where the dump is loaded. */
const derived = ['posting', 'search_pending', 'text_pending', 'word_block', 'word_posting', 'word_pending'];

/** What a dump holds. The migrations of the database that loads it are its own. */
export const isDumped = (table: string) => table !== 'migration' && !derived.includes(table);

/** The dump cannot be loaded; says why. */
export class BadDump extends Error {}
