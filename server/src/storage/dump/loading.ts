import { quoted, type StoredTable } from '../catalog.ts';
import type { Database, Transaction } from '../database.ts';
import type { Capabilities, Session } from '../engine.ts';
import { applyMigrations, NewerDatabase, newestSchema } from '../migrate.ts';
import { BadDump, type DumpDescription, type DumpedTable, isDumped } from './model.ts';
import { dumpedRows, readDescription } from './reading.ts';
import type { TellTables } from './writing.ts';

/** Rows, and characters in them, that are inserted at once. */
const batch = { rows: 1024, characters: 4_000_000 };

const lengthOf = (values: readonly unknown[]) =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);

async function* batchesOf(rows: AsyncIterable<unknown[]>): AsyncGenerator<unknown[][]> {
  let some: unknown[][] = [];
  let characters = 0;
  for await (const values of rows) {
    some.push(values);
    characters += lengthOf(values);
    if (some.length < batch.rows && characters < batch.characters) continue;
    yield some;
    some = [];
    characters = 0;
  }
  if (some.length > 0) yield some;
}

/** Refuses a table that this program would not have at the schema of the dump. */
function checkTable({ name, columns }: DumpedTable, known: ReadonlyMap<string, StoredTable>): void {
  const table = known.get(name);
  const names = new Set(table?.columns.map((column) => column.name));
  if (table === undefined || !isDumped(name) || columns.some((column) => !names.has(column.name)))
    throw new BadDump(`The table ${name} of the dump is not one of this program.`);
}

async function loadTable(
  session: Session,
  { insertMany }: Pick<Capabilities, 'insertMany'>,
  folder: string,
  dumped: DumpedTable,
): Promise<void> {
  const columns = dumped.columns.map(({ name }) => name);
  let count = 0;
  for await (const rows of batchesOf(dumpedRows(folder, dumped))) {
    await insertMany(session, { table: dumped.name, columns, rows });
    count += rows.length;
  }
  if (count !== dumped.rows)
    throw new BadDump(`The table ${dumped.name} of the dump has ${count} rows instead of ${dumped.rows}.`);
}

async function loadTables(
  session: Session,
  { catalog, insertMany }: Capabilities,
  folder: string,
  { tables: dumped, counters }: DumpDescription,
  tell: TellTables,
): Promise<void> {
  const known = new Map((await catalog.tables(session)).map((table) => [table.name, table]));
  for (const table of dumped) checkTable(table, known);
  const resume = await catalog.suspendReferences(session);
  // Migrations put rows of their own into some tables, which are in the dump as well.
  for (const { name } of [...known.values()].filter((table) => isDumped(table.name)))
    await session.run({ sql: `delete from ${quoted(name)}`, values: [] });
  for (const [index, table] of dumped.entries()) {
    tell(index, dumped.length);
    await loadTable(session, { insertMany }, folder, table);
  }
  for (const counter of counters) await catalog.setCounter(session, counter);
  await resume();
}

/** Whether there is nothing at all in the database. */
export async function isUntouched(database: Database): Promise<boolean> {
  const { catalog } = database.capabilities;
  return database.exclusiveTransaction(async (_, session) => (await catalog.tables(session)).length === 0);
}

/**
 * Fills an empty database from a dump, at the schema of the dump, brings it to that of this program, and lets `settle` finish it:
 * all of it, or nothing.
 */
export async function loadDatabase(
  database: Database,
  folder: string,
  settle: (tx: Transaction) => Promise<void>,
  tell: TellTables,
): Promise<void> {
  const description = await readDescription(folder);
  if (description.schema > newestSchema) throw new NewerDatabase(description.schema);
  await database.requireFit();
  await database.exclusiveTransaction(async (tx, session) => {
    const { capabilities } = database;
    await applyMigrations(tx, session, capabilities, description.schema);
    await loadTables(session, capabilities, folder, description, tell);
    await applyMigrations(tx, session, capabilities, newestSchema);
    await settle(tx);
  });
}
