import { type Database, openDatabase, sql } from '../../../server/src/storage/index.ts';
import type { Home, Place } from './home.ts';
import { SqliteHome } from './sqlite-home.ts';

const databaseOf = (name: string) => `atelier_bench_${name}`;

/** A database for each place on one server, and a folder for what the product keeps beside it. */
export class PostgresHome implements Home {
  readonly engine = 'PostgreSQL';
  readonly #folders: SqliteHome;
  readonly #serverUrl: string;
  readonly #server: Database;
  readonly #leave: () => Promise<void>;
  readonly #made = new Set<string>();

  private constructor(folder: string, serverUrl: string, server: Database, leave: () => Promise<void>) {
    this.#folders = new SqliteHome(folder);
    this.#serverUrl = serverUrl;
    this.#server = server;
    this.#leave = leave;
  }

  /**
   * The address may be of any database on the server; its user must be allowed to create others. `leave` is the last
   * thing that happens when the home is left.
   */
  static async open(
    folder: string,
    serverUrl: string,
    leave: () => Promise<void> = async () => {},
  ): Promise<PostgresHome> {
    const server = await openDatabase({ folder, databaseUrl: serverUrl, connections: 1 });
    return new PostgresHome(folder, serverUrl, server, leave);
  }

  place(name: string): Place {
    const url = new URL(this.#serverUrl);
    url.pathname = `/${databaseOf(name)}`;
    return { ...this.#folders.place(name), databaseUrl: url.href };
  }

  async create(name: string): Promise<Place> {
    await this.#remove(name);
    await this.#folders.create(name);
    return this.#add(name, `create database ${databaseOf(name)}`);
  }

  async copy(from: string, to: string): Promise<Place> {
    await this.#remove(to);
    await this.#folders.copy(from, to);
    return this.#add(to, `create database ${databaseOf(to)} template ${databaseOf(from)} strategy file_copy`);
  }

  keep(name: string): void {
    this.#folders.keep(name);
    this.#made.delete(name);
  }

  async #add(name: string, statement: string): Promise<Place> {
    await this.#run(statement);
    this.#made.add(name);
    return this.place(name);
  }

  #remove(name: string): Promise<unknown> {
    return this.#run(`drop database if exists ${databaseOf(name)} with (force)`);
  }

  #run(statement: string): Promise<unknown> {
    return runOutside(this.#server, statement);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#made) await this.#remove(name);
    await this.#server.close();
    await this.#folders[Symbol.asyncDispose]();
    await this.#leave();
  }
}

/** Runs a statement that no transaction may hold. */
export async function runOutside(database: Database, statement: string): Promise<void> {
  await database.all({ compile: () => sql.raw(statement).compile(database.sql) });
}
