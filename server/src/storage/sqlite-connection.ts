import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ConcurrentChange, type Executable, type Row, StorageUnavailable } from './engine.ts';

/** Prepared statements that one connection keeps. */
const keptStatements = 400;

type SqliteValue = null | number | bigint | string | Uint8Array;

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** The lower byte of an extended result code is the kind of fault. */
const primary = (error: unknown) => (codeOf(error) ?? 0) & 0xff;
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;
const brokenCodes: readonly number[] = [
  codes.readOnly,
  codes.ioError,
  codes.corrupt,
  codes.full,
  codes.cannotOpen,
  codes.notADatabase,
];

export const isBusy = (error: unknown) => primary(error) === codes.busy || primary(error) === codes.locked;

const ownership =
  'Let the user of the service own the folder and all in it, on a file system that is mounted writable.';

/** What an operator can do about each. */
const remedies: Readonly<Record<number, string>> = {
  [codes.readOnly]: ownership,
  [codes.ioError]: 'Look whether the disk is full or damaged.',
  [codes.corrupt]: 'The file is damaged: restore a backup.',
  [codes.full]: 'Make room on that disk.',
  [codes.cannotOpen]: ownership,
  [codes.notADatabase]: 'Restore a backup, or name another data folder with ATELIER_DATA.',
};

/** What is wrong with a place, and what can be done about it. */
interface PlaceFault {
  readonly words: string;
  readonly advice: string;
}

const codeOfFile = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

function unwritable(path: string): PlaceFault | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    const code = codeOfFile(error);
    if (code === 'EACCES' || code === 'EPERM')
      return { words: `this user may not write ${path}`, advice: ownership };
    return code === 'EROFS'
      ? { words: `the file system of ${path} is read-only`, advice: ownership }
      : undefined;
  }
}

function unopenable(path: string): PlaceFault | undefined {
  try {
    closeSync(openSync(path, 'r'));
    return undefined;
  } catch (error) {
    const isCrowded = codeOfFile(error) === 'EMFILE' || codeOfFile(error) === 'ENFILE';
    return isCrowded
      ? { words: 'too many files are open', advice: 'Let the process open more of them (ulimit -n).' }
      : undefined;
  }
}

/** SQLite tells such things in few words, or the wrong ones. */
function placeFault(path: string): PlaceFault | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return { words: 'it is a folder', advice: ownership };
  return unwritable(dirname(path)) ?? unwritable(path) ?? unopenable(path);
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function brokenWords(error: unknown, path: string): string {
  const { words, advice } = placeFault(path) ?? { words: wordsOf(error), advice: remedies[primary(error)] };
  return `The database ${path} cannot be used: ${words}. ${advice}`;
}

/** What other code knows of a fault of SQLite's. */
export function translated(error: unknown, path: string): unknown {
  if (primary(error) === codes.constraint) return new ConcurrentChange(String(error));
  if (isBusy(error)) return new StorageUnavailable(String(error), 'busy');
  if (brokenCodes.includes(primary(error))) return new StorageUnavailable(brokenWords(error, path), 'broken');
  return error;
}

/**
 * A prepared statement. Rows are asked for as arrays and made into objects here: those that node:sqlite makes have no
 * shape, and reading a member of one costs as much as reading the row.
 */
class Prepared {
  readonly #statement: StatementSync;
  readonly #columns: readonly string[];

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#columns = this.#statement.columns().map(({ name }) => name);
    this.#statement.setReturnArrays(true);
    // The index of texts leaves a last row id that is no safe number, and telling it would throw after the fact.
    if (this.#columns.length === 0) this.#statement.setReadBigInts(true);
  }

  all(values: readonly unknown[]): Row[] {
    const rows: unknown = this.#statement.all(...(values as SqliteValue[]));
    return (rows as unknown[][]).map((row) => this.#toObject(row));
  }

  #toObject(row: readonly unknown[]): Row {
    const object: Row = {};
    for (let index = 0; index < this.#columns.length; index++)
      object[this.#columns[index] as string] = row[index];
    return object;
  }

  run(values: readonly unknown[]): number {
    return Number(this.#statement.run(...(values as SqliteValue[])).changes);
  }
}

/** One connection with its prepared statements. All calls are synchronous. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(path: string, options: { readOnly: boolean; timeout: number }) {
    this.database = new DatabaseSync(path, { ...options, enableForeignKeyConstraints: true });
    this.database.exec('pragma cache_size = -16000; pragma mmap_size = 2147418112');
    if (!options.readOnly) this.database.exec('pragma journal_mode = wal; pragma synchronous = full');
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = new Prepared(this.database, sql);
    if (this.#statements.size >= keptStatements) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, prepared);
    return prepared;
  }

  all({ sql, values }: Executable): Row[] {
    return this.#prepare(sql).all(values);
  }

  run({ sql, values }: Executable): number {
    return this.#prepare(sql).run(values);
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  begin(): void {
    this.#prepare('begin').run([]);
  }

  commit(): void {
    if (this.database.isTransaction) this.#prepare('commit').run([]);
  }

  /** Another number after every commit by anybody else. */
  dataVersion(): number {
    return Number(this.#prepare('pragma data_version').all([])[0]?.['data_version']);
  }
}
