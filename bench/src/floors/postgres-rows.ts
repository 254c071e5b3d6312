import pg from 'pg';

/** Connections of the floor that reads, as few as answer its load. */
const connections = 8;

/** Beside the tables of the product, which looks at its own schema only. */
const schema = 'floors';

/** Where the rows of one floor are. */
export interface PostgresRows {
  url: string;
  table: string;
}

/** Writes the table of which the floor with PostgreSQL reads one row for each request; ids count from 1. */
export async function writePostgresRows({ url, table }: PostgresRows, bodies: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create schema if not exists ${schema}; drop table if exists ${schema}.${table}`);
    await client.query(`create table ${schema}.${table} (id bigint primary key, body text not null)`);
    const insert = `insert into ${schema}.${table} select ordinality, body from unnest($1::text[]) with ordinality as given (body)`;
    await client.query(insert, [bodies]);
    await client.query(`analyze ${schema}.${table}`);
  } finally {
    await client.end();
  }
}

/** A reader with one named statement over a pool of connections. */
export function openPostgresRows({ url, table }: PostgresRows): (id: number) => Promise<string> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  const text = `select body from ${schema}.${table} where id = $1`;
  return async (id) => {
    const { rows } = await pool.query<{ body: string }>({ name: 'row', text, values: [id] });
    const [row] = rows;
    if (row === undefined) throw new Error(`There is no row ${id}`);
    return row.body;
  };
}
