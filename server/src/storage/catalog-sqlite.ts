import type { Catalog, ColumnKind, Counter, StoredTable } from './catalog.ts';
import type { Row, Session } from './engine.ts';

const kinds: Readonly<Record<string, ColumnKind>> = {
  integer: 'integer',
  real: 'real',
  text: 'text',
  blob: 'bytes',
};

function kindOf(type: string): ColumnKind {
  const kind = kinds[type.toLowerCase()];
  if (kind === undefined) throw new Error(`No dump knows columns of the type ${type}.`);
  return kind;
}

/** The tables of the index of texts, and those of SQLite itself, are of other types or begin with its name. */
const tableNames =
  "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%' order by name";

async function describe(session: Session, name: string): Promise<StoredTable> {
  const sql = 'select name, type, pk from pragma_table_info(?) order by cid';
  const rows: Row[] = await session.all({ sql, values: [name] });
  const inKey = rows
    .filter(({ pk }) => Number(pk) > 0)
    .sort((one, other) => Number(one['pk']) - Number(other['pk']));
  return {
    name,
    columns: rows.map((row) => ({ name: String(row['name']), kind: kindOf(String(row['type'])) })),
    key: inKey.map((row) => String(row['name'])),
  };
}

async function tables(session: Session): Promise<StoredTable[]> {
  const rows = await session.all({ sql: tableNames, values: [] });
  return Array.fromAsync(rows, ({ name }) => describe(session, String(name)));
}

async function counters(session: Session): Promise<Counter[]> {
  const rows = await session.all({ sql: 'select name, seq from sqlite_sequence order by name', values: [] });
  return Array.fromAsync(rows, async ({ name, seq }) => {
    const { key } = await describe(session, String(name));
    return { table: String(name), column: key[0] ?? 'id', last: Number(seq) };
  });
}

async function setCounter(session: Session, { table, last }: Counter): Promise<void> {
  await session.run({ sql: 'delete from sqlite_sequence where name = ?', values: [table] });
  const sql = 'insert into sqlite_sequence (name, seq) values (?, ?)';
  await session.run({ sql, values: [table, last] });
}

/** References are then looked at when the transaction ends. */
async function suspendReferences(session: Session): Promise<() => Promise<void>> {
  const defer = async (whether: 'on' | 'off') => {
    await session.run({ sql: `pragma defer_foreign_keys = ${whether}`, values: [] });
  };
  await defer('on');
  return () => defer('off');
}

export const sqliteCatalog: Catalog = { tables, counters, setCounter, suspendReferences };
