import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { minute } from '../../kernel/clock.ts';
import { quoted, type StoredColumn, type StoredTable } from '../catalog.ts';
import type { Database } from '../database.ts';
import type { Row, Session } from '../engine.ts';
import { storedSchema } from '../migrate.ts';
import { type DumpDescription, type DumpedTable, descriptionFile, isDumped } from './model.ts';
import { dumpLine } from './rows.ts';

/** Told now and then: tables that are done, of how many. */
export type TellTables = (done: number, total: number) => void;

/** Each statement reads one page by the primary key, so none takes long. */
const longestStatement = 10 * minute;

/**
 * Rows of one file: those whose number, in the first column of the key, is in the same range. Rows that nobody touched lie in
 * the same file in the next dump, which then need not be copied again.
 */
const idsInFile = 65_536;

/**
 * Rows that one statement gives: as many as hold about so many characters, by what the page before had. Texts may be long, so the
 * most are few where there are texts.
 */
const pageSizes = { first: 16, narrow: 4096, wide: 64, characters: 1_000_000 };

const mostRowsOf = ({ columns }: StoredTable) =>
  columns.some(({ kind }) => kind === 'text' || kind === 'bytes') ? pageSizes.wide : pageSizes.narrow;

const charactersOf = (rows: readonly Row[]) =>
  rows.reduce(
    (sum, row) =>
      Object.values(row).reduce<number>(
        (length, value) =>
          length + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
        sum,
      ),
    0,
  );

/** How many rows the page after one of so many rows has. */
function nextSize(rows: readonly Row[], most: number): number {
  const average = charactersOf(rows) / rows.length;
  return Math.max(1, Math.min(most, Math.floor(pageSizes.characters / average)));
}

function pageQuery({ name, columns, key }: StoredTable, parameter: (index: number) => string) {
  const names = (list: readonly string[]) => list.map(quoted).join(', ');
  const select = `select ${names(columns.map((column) => column.name))} from ${quoted(name)}`;
  const order = `order by ${names(key)}`;
  const after = `where (${names(key)}) > (${key.map((_, index) => parameter(index)).join(', ')})`;
  return { first: `${select} ${order}`, next: `${select} ${after} ${order}` };
}

/** All rows of a table in the order of its key, a page at a time. */
async function* pagesOf(
  session: Session,
  table: StoredTable,
  parameter: (index: number) => string,
): AsyncGenerator<Row[]> {
  if (table.key.length === 0) throw new Error(`The table ${table.name} has no primary key to be read by.`);
  const { first, next } = pageQuery(table, parameter);
  let [last, limit]: [Row | undefined, number] = [undefined, pageSizes.first];
  for (;;) {
    const [sql, after] = last === undefined ? [first, []] : [next, table.key.map((name) => last?.[name])];
    const rows = await session.all({
      sql: `${sql} limit ${parameter(after.length)}`,
      values: [...after, limit],
    });
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
    limit = nextSize(rows, mostRowsOf(table));
  }
}

/** Lines that are handed on at once: not one by one where they are short, and never all of a page where they are long. */
const chunkLength = 65_536;

function* chunksOf(rows: readonly Row[], columns: readonly StoredColumn[]): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${dumpLine(row, columns)}\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Which of the files of its table a row belongs to. */
function fileNumberOf({ columns, key }: StoredTable, row: Row): number {
  const isNumbered = columns.find(({ name }) => name === key[0])?.kind === 'integer';
  return isNumbered ? Math.floor(Number(row[key[0] ?? '']) / idsInFile) : 0;
}

interface Portion {
  readonly file: number;
  readonly rows: readonly Row[];
}

async function* portionsOf(pages: AsyncIterable<Row[]>, table: StoredTable): AsyncGenerator<Portion> {
  for await (const page of pages)
    for (const [file, rows] of Map.groupBy(page, (row) => fileNumberOf(table, row))) yield { file, rows };
}

/** Takes portions of one file from those of all, and leaves the first of the next one. */
class Portions {
  readonly #all: AsyncIterator<Portion>;
  #next: Portion | undefined;

  private constructor(all: AsyncIterable<Portion>) {
    this.#all = all[Symbol.asyncIterator]();
  }

  static async begin(all: AsyncIterable<Portion>): Promise<Portions> {
    const portions = new Portions(all);
    await portions.#step();
    return portions;
  }

  get nextFile(): number | undefined {
    return this.#next?.file;
  }

  async #step(): Promise<void> {
    const { done, value } = await this.#all.next();
    this.#next = done === true ? undefined : value;
  }

  async *takeFile(): AsyncGenerator<readonly Row[]> {
    for (const file = this.nextFile; this.#next !== undefined && this.#next.file === file; await this.#step())
      yield this.#next.rows;
  }
}

async function dumpTable(
  session: Session,
  table: StoredTable,
  folder: string,
  parameter: (index: number) => string,
): Promise<DumpedTable> {
  const { name, columns } = table;
  const portions = await Portions.begin(portionsOf(pagesOf(session, table, parameter), table));
  const files: string[] = [];
  let count = 0;
  async function* lines() {
    for await (const rows of portions.takeFile()) {
      count += rows.length;
      yield* chunksOf(rows, columns);
    }
  }
  for (let number = portions.nextFile; number !== undefined; number = portions.nextFile) {
    const file = `${name}.${number}.jsonl.gz`;
    await pipeline(lines, createGzip({ level: 4 }), createWriteStream(join(folder, file), { mode: 0o600 }));
    files.push(file);
  }
  return { name, columns, rows: count, files };
}

/**
 * Writes all that is stored into a folder, as one state of the database: lines of JSON, which every engine can load. Others go on
 * reading and writing meanwhile.
 */
export async function dumpDatabase(
  database: Database,
  folder: string,
  tell: TellTables,
): Promise<DumpDescription> {
  const { catalog, name: engine, parameter } = database.capabilities;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const schema = await storedSchema(database);
  const description = await database.consistentSession(longestStatement, async (session) => {
    const tables = (await catalog.tables(session)).filter(({ name }) => isDumped(name));
    const dumped: DumpedTable[] = [];
    for (const table of tables) {
      tell(dumped.length, tables.length);
      dumped.push(await dumpTable(session, table, folder, parameter));
    }
    const counters = (await catalog.counters(session)).filter(({ table }) => isDumped(table));
    return { engine, schema, tables: dumped, counters };
  });
  await writeFile(join(folder, descriptionFile), `${JSON.stringify(description, null, 2)}\n`, {
    mode: 0o600,
  });
  return description;
}
