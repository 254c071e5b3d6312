import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, type PostgresServer, startPostgres } from './postgres.ts';

/** Two servers of which one follows the other, as a log that is streamed to it says. */
export class ReplicatedPostgres {
  readonly url: string;
  readonly readUrl: string;
  readonly #folder: string;
  readonly #ports: { readonly database: number; readonly replica: number };
  #database: PostgresServer;
  #replica: PostgresServer | undefined;

  private constructor(
    folder: string,
    ports: { database: number; replica: number },
    servers: { database: PostgresServer; replica: PostgresServer },
  ) {
    this.#folder = folder;
    this.#ports = ports;
    this.#database = servers.database;
    this.#replica = servers.replica;
    this.url = servers.database.urlOf('atelier');
    this.readUrl = servers.replica.urlOf('atelier');
  }

  static async start(): Promise<ReplicatedPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-replicated-'));
    chmodSync(folder, 0o755);
    const ports = { database: await freePort(), replica: await freePort() };
    const [own, copy] = [join(folder, 'database'), join(folder, 'replica')];
    for (const each of [own, copy]) mkdirSync(each);
    const first = await startPostgres(own, { port: ports.database });
    await first.query('create database atelier');
    await first.stop();
    // A copy of a server that was stopped in order goes on from there by what it is sent.
    const { status, stderr } = spawnSync('cp', ['-a', join(own, 'cluster'), copy], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The cluster could not be copied: ${stderr}`);
    const follow = `primary_conninfo = 'host=127.0.0.1 port=${ports.database} user=atelier'\n`;
    writeFileSync(join(copy, 'cluster', 'postgresql.auto.conf'), follow);
    writeFileSync(join(copy, 'cluster', 'standby.signal'), '');
    const database = await startPostgres(own, { port: ports.database });
    const replica = await startPostgres(copy, { port: ports.replica });
    return new ReplicatedPostgres(folder, ports, { database, replica });
  }

  /** Runs a statement at the replica. */
  atReplica(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#ask(this.readUrl, sql);
  }

  /** Runs a statement at the database itself. */
  atDatabase(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#ask(this.url, sql);
  }

  async #ask(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Lets the replica receive what is written, and show nothing of it. */
  async hold(): Promise<void> {
    await this.atReplica('select pg_wal_replay_pause()');
  }

  async release(): Promise<void> {
    await this.atReplica('select pg_wal_replay_resume()');
  }

  /** Lets the replica show what is written so many milliseconds after it was. */
  async delay(milliseconds: number): Promise<void> {
    await this.atReplica(`alter system set recovery_min_apply_delay = ${milliseconds}`);
    await this.atReplica('select pg_reload_conf()');
  }

  async stopReplica(): Promise<void> {
    await this.#replica?.stop();
    this.#replica = undefined;
  }

  async startReplica(): Promise<void> {
    this.#replica = await startPostgres(join(this.#folder, 'replica'), { port: this.#ports.replica });
  }

  async restartDatabase(): Promise<void> {
    await this.#database.stop();
    this.#database = await startPostgres(join(this.#folder, 'database'), { port: this.#ports.database });
  }

  async remove(): Promise<void> {
    await this.stopReplica();
    await this.#database.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
