import { sql } from '@bundled/kysely';
import type { Database, Transaction } from './database.ts';
import type { Session } from './engine.ts';
import { type Ddl, migrations } from './migrations/index.ts';

/** The schema that this program writes. */
export const newestSchema = migrations.at(-1)?.id ?? 0;

/** The schema of the first release. What was stored since then can be copied as it is. */
export const firstReleasedSchema = 41;

/** The stored data was written by a newer program; this one must not touch it. */
export class NewerDatabase extends Error {
  constructor(stored: number) {
    super(
      `The database was written by a newer version of Atelier (schema ${stored}, this program knows ${newestSchema}). ` +
        'Nothing was changed. Install the newer version, or restore a backup made by this one.',
    );
  }
}

async function appliedMigrations(transaction: Transaction, session: Session, ddl: Ddl): Promise<Set<number>> {
  const { integer, text } = ddl.columns;
  await session.run({
    sql: `create table if not exists migration (id ${integer} primary key, name ${text} not null, applied_at ${integer} not null)${ddl.tableOptions}`,
    values: [],
  });
  const rows = await transaction.all(transaction.sql.selectFrom('migration').select('id'));
  return new Set(rows.map(({ id }) => id));
}

/** The schema that the stored data has; 0 before the first start. */
export async function storedSchema(database: Database): Promise<number> {
  if (!(await database.hasTable('migration'))) return 0;
  const rows = await database.all<{ id: number }>(database.sql.selectFrom('migration').select('id'));
  return Math.max(0, ...rows.map(({ id }) => id));
}

/** A migration that was not applied yet, and the tables of stored rows that it reads or writes as a whole. */
export interface PendingMigration {
  readonly id: number;
  readonly name: string;
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/** Adding or renaming a column touches no row; these do, row by row. */
const wholeTables = [
  /\bcreate\s+(?:unique\s+)?index\s+\w+\s+on\s+(\w+)/gi,
  /\bupdate\s+(\w+)\s+set\b/gi,
  /\bfrom\s+(\w+)/gi,
  /\balter\s+table\s+(\w+)\s+(?:drop|alter)\s+column/gi,
];

const tablesIn = (statements: readonly string[]) =>
  new Set(
    wholeTables.flatMap((pattern) =>
      statements.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name ?? '')),
    ),
  );

async function rowsOf(database: Database, table: string): Promise<number> {
  const stored = database.sql
    .selectFrom(sql.table(table).as('stored'))
    .select(({ fn }) => fn.countAll<number>().as('rows'));
  const [row] = await database.all<{ rows: number }>(stored);
  return Number(row?.rows ?? 0);
}

async function filledTables(
  database: Database,
  names: Iterable<string>,
): Promise<PendingMigration['tables']> {
  const tables: { name: string; rows: number }[] = [];
  for (const name of names) {
    // What is not there yet is made by a migration before, and is empty.
    const rows = (await database.hasTable(name)) ? await rowsOf(database, name) : 0;
    if (rows > 0) tables.push({ name, rows });
  }
  return tables;
}

/** What the next start would apply, with how much there is to work on. Nothing is changed. */
export async function pendingMigrations(database: Database): Promise<PendingMigration[]> {
  const stored = await storedSchema(database);
  if (stored > newestSchema) throw new NewerDatabase(stored);
  const pending: PendingMigration[] = [];
  for (const { id, name, statements } of migrations.filter((migration) => migration.id > stored))
    pending.push({
      id,
      name,
      tables: await filledTables(database, tablesIn(statements(database.capabilities))),
    });
  return pending;
}

async function refuseNewer(database: Database): Promise<void> {
  const stored = await storedSchema(database);
  if (stored > newestSchema) throw new NewerDatabase(stored);
}

/** Applies what was not applied yet, in order, up to a schema. To be called in an exclusive transaction. */
export async function applyMigrations(
  transaction: Transaction,
  session: Session,
  ddl: Ddl,
  schema: number,
): Promise<void> {
  const applied = await appliedMigrations(transaction, session, ddl);
  const stored = Math.max(0, ...applied);
  if (stored > newestSchema) throw new NewerDatabase(stored);
  for (const { id, name, statements } of migrations) {
    if (applied.has(id) || id > schema) continue;
    for (const sql of statements(ddl)) await session.run({ sql, values: [] });
    await transaction.run(
      transaction.sql.insertInto('migration').values({ id, name, applied_at: Date.now() }),
    );
  }
}

/** Brings the database to this program's schema: in order, all or nothing, one process at a time. */
export async function migrate(database: Database): Promise<void> {
  await database.requireFit();
  await refuseNewer(database);
  await database.exclusiveTransaction((transaction, session) =>
    applyMigrations(transaction, session, database.capabilities, newestSchema),
  );
}
