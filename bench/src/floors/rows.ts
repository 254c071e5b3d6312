import { DatabaseSync } from 'node:sqlite';

/** Writes the table of which the floor with SQLite reads one row for each request; ids count from 1. */
export function writeRows(path: string, bodies: string[]): void {
  using database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; create table rows (id integer primary key, body text not null)');
  const insert = database.prepare('insert into rows (body) values (?)');
  database.exec('begin');
  for (const body of bodies) insert.run(body);
  database.exec('commit');
}

/** A reader with one prepared statement on a read-only connection. */
export function openRows(path: string): (id: number) => string {
  const database = new DatabaseSync(path, { readOnly: true });
  // As much cache as the product gives its own connections.
  database.exec('pragma cache_size = -16000');
  const select = database.prepare('select body from rows where id = ?');
  return (id) => {
    const body = select.get(id)?.['body'];
    if (typeof body !== 'string') throw new Error(`There is no row ${id}`);
    return body;
  };
}
