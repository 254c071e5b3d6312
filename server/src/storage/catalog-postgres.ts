import { type Catalog, type ColumnKind, type Counter, quoted, type StoredTable } from './catalog.ts';
import type { Session } from './engine.ts';

const kinds: Readonly<Record<string, ColumnKind>> = {
  bigint: 'integer',
  integer: 'integer',
  'double precision': 'real',
  text: 'text',
  bytea: 'bytes',
};

function kindOf(type: string): ColumnKind {
  const kind = kinds[type];
  if (kind === undefined) throw new Error(`No dump knows columns of the type ${type}.`);
  return kind;
}

/** Every column of every table of ours, with its place in the primary key. */
const allColumns = `select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
    array_position(k.conkey, a.attnum) as place
  from pg_class c
  inner join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  order by c.relname collate "C", a.attnum`;

async function tables(session: Session): Promise<StoredTable[]> {
  const rows = await session.all({ sql: allColumns, values: [] });
  return [...Map.groupBy(rows, (row) => String(row['table']))].map(([name, columns]) => ({
    name,
    columns: columns.map((column) => ({
      name: String(column['name']),
      kind: kindOf(String(column['type'])),
    })),
    key: columns
      .filter(({ place }) => place !== null)
      .sort((one, other) => Number(one['place']) - Number(other['place']))
      .map((column) => String(column['name'])),
  }));
}

const countingColumns = `select c.relname as "table", a.attname as "column",
    pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
  from pg_class c inner join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  order by c.relname collate "C"`;

/** Sequences are no part of a snapshot: they tell what was given until now, which is never too little. */
async function counters(session: Session): Promise<Counter[]> {
  const rows = await session.all({ sql: countingColumns, values: [] });
  return Array.fromAsync(rows, async (row) => {
    const sql = `select case when is_called then last_value else last_value - 1 end as last from ${row['sequence']}`;
    const [found] = await session.all({ sql, values: [] });
    return { table: String(row['table']), column: String(row['column']), last: Number(found?.['last'] ?? 0) };
  });
}

async function setCounter(session: Session, { table, column, last }: Counter): Promise<void> {
  const sql = `alter table ${quoted(table)} alter column ${quoted(column)} restart with ${Math.trunc(last) + 1}`;
  await session.run({ sql, values: [] });
}

const allReferences = `select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k inner join pg_class c on c.oid = k.conrelid
  where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace
  order by c.relname, k.conname`;

/** They are taken away and put back, which checks each once for all rows: much faster than row by row. */
async function suspendReferences(session: Session): Promise<() => Promise<void>> {
  const references = await session.all({ sql: allReferences, values: [] });
  const change = async (table: unknown, what: string) => {
    await session.run({ sql: `alter table ${quoted(String(table))} ${what}`, values: [] });
  };
  for (const { table, name } of references) await change(table, `drop constraint ${quoted(String(name))}`);
  return async () => {
    for (const { table, name, definition } of references)
      await change(table, `add constraint ${quoted(String(name))} ${definition}`);
  };
}

export const postgresCatalog: Catalog = { tables, counters, setCounter, suspendReferences };
