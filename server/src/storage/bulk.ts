import type { Generated, Insertable } from '@bundled/kysely';
import type { Session } from './session.ts';
import type { Tables } from './tables.ts';

export type ColumnOf<Table extends keyof Tables> = keyof Insertable<Tables[Table]> & string;

/** The values of the named columns, in their order. */
export type RowOf<Table extends keyof Tables, Columns extends readonly ColumnOf<Table>[]> = {
  readonly [Index in keyof Columns]: Exclude<Insertable<Tables[Table]>[Columns[Index]], undefined>;
};

/** Tables whose rows the database numbers. */
export type NumberedTable = {
  [Table in keyof Tables]: Tables[Table] extends { id: Generated<number> } ? Table : never;
}[keyof Tables];

/** Many rows for one table. */
export interface BulkInsert {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Rows of one statement: fewer cost more calls, more bring nothing and meet SQLite's limit of 32 766 values. */
const rowsAtOnce = { sqlite: 128, postgres: 2000 };
/** Characters of one statement to PostgreSQL, which is sent whole. */
const charactersAtOnce = 4_000_000;

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

const insertInto = ({ table, columns }: BulkInsert) => `insert into "${table}" (${quoted(columns)})`;

function valuesClause({ columns }: BulkInsert, rows: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`;
  return `values ${Array.from({ length: rows }, () => row).join(', ')}`;
}

/** All values of some rows in one list; `flat()` takes several times as long. */
function valuesOf(rows: BulkInsert['rows'], start: number, end: number): unknown[] {
  const values: unknown[] = [];
  for (let index = start; index < end; index++) for (const value of rows[index] ?? []) values.push(value);
  return values;
}

interface BatchStatements {
  readonly table: string;
  /** By the number of their rows. */
  readonly bySize: Map<number, string>;
}

/** By the list of columns, which callers keep. */
const writtenBatches = new WeakMap<readonly string[], BatchStatements>();

function batchStatement(insert: BulkInsert, rows: number): string {
  const { table, columns } = insert;
  const known = writtenBatches.get(columns);
  const { bySize } = known?.table === table ? known : { bySize: new Map<number, string>() };
  writtenBatches.set(columns, { table, bySize });
  const written = bySize.get(rows) ?? `${insertInto(insert)} ${valuesClause(insert, rows)}`;
  bySize.set(rows, written);
  return written;
}

/** Few statements, all kept prepared: full batches, and for the rest each half as long as the one before. */
export async function insertInBatches(session: Session, insert: BulkInsert): Promise<void> {
  const { rows } = insert;
  for (let start = 0, size = rowsAtOnce.sqlite; start < rows.length; ) {
    while (size > rows.length - start) size /= 2;
    const values = valuesOf(rows, start, start + size);
    await session.run({ sql: batchStatement(insert, size), values });
    start += size;
  }
}

const lengthOf = (row: readonly unknown[]) =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);

/** Rows that follow one another, neither too many nor too long for one statement. */
function* statementSized(rows: BulkInsert['rows']): Generator<BulkInsert['rows']> {
  let start = 0;
  let characters = 0;
  for (const [index, row] of rows.entries()) {
    characters += lengthOf(row);
    const isFull = index + 1 - start === rowsAtOnce.postgres || characters >= charactersAtOnce;
    if (!isFull) continue;
    yield rows.slice(start, index + 1);
    start = index + 1;
    characters = 0;
  }
  if (start < rows.length) yield rows.slice(start);
}

const columnTypes =
  'select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass';

/** By the list of columns, which callers keep, and the table. */
const writtenArrays = new WeakMap<readonly string[], ArrayStatement>();

interface ArrayStatement {
  readonly table: string;
  readonly sql: string;
  /** Kept prepared under it. */
  readonly name: string;
}

let arrayStatements = 0;

/** The types of columns never change, so that each statement is written once. */
async function arrayStatement(session: Session, insert: BulkInsert): Promise<ArrayStatement> {
  const { table, columns } = insert;
  const known = writtenArrays.get(columns);
  if (known?.table === table) return known;
  const found = await session.all({ sql: columnTypes, values: [`"${table}"`], name: 'column types' });
  const types = new Map(found.map(({ name, type }) => [name, type]));
  const arrays = columns.map((name, index) => `$${index + 1}::${types.get(name)}[]`);
  const sql = `${insertInto(insert)} select * from unnest(${arrays.join(', ')})`;
  const written = { table, sql, name: `rows ${++arrayStatements}` };
  writtenArrays.set(columns, written);
  return written;
}

/** An array a column, whatever the number of rows: one short statement with few values. */
export async function insertFromArrays(session: Session, insert: BulkInsert): Promise<void> {
  const { columns, rows } = insert;
  if (rows.length === 0) return;
  const { sql, name } = await arrayStatement(session, insert);
  for (const some of statementSized(rows))
    await session.write({ sql, name, values: columns.map((_, index) => some.map((row) => row[index])) });
}

/** The counter of a table is a row that the transaction changes, so nobody else gets these. */
export async function newIdsByCounter(session: Session, table: string, count: number): Promise<number[]> {
  const raise = 'update sqlite_sequence set seq = seq + ? where name = ? returning seq';
  const [raised] = await session.all({ sql: raise, values: [count, table] });
  const begin = 'insert into sqlite_sequence (name, seq) values (?, ?)';
  if (raised === undefined) await session.run({ sql: begin, values: [table, count] });
  const last = Number(raised?.['seq'] ?? count);
  return Array.from({ length: count }, (_, index) => last - count + 1 + index);
}

/** A sequence never gives a number twice, not even after a rollback. */
export async function newIdsBySequence(session: Session, table: string, count: number): Promise<number[]> {
  const sql = "select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2)";
  const rows = await session.all({ sql, values: [`"${table}"`, count], name: 'new ids' });
  return rows.map(({ id }) => Number(id));
}
