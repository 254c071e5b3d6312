import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallerReads,
  ConcurrentChange,
  type Engine,
  type Executable,
  type ReplicaUse,
  type Row,
  type Session,
  StorageUnavailable,
} from './engine.ts';
import { PostgresEngine, type PostgresLimits } from './engine-postgres.ts';
import { Replica, systemOf } from './replica.ts';

/** Where the reads of one request go; undefined: to the database itself. */
interface Reading {
  replica: Replica | undefined;
}

const readings = new AsyncLocalStorage<Reading>();

/** What everybody must see is kept under this number, which is no account's. */
const everyone = -1;

/** What goes beside the tables, so that no backup takes it along: it is worth nothing on another server. */
const positionTable = [
  'create schema if not exists atelier_reading',
  'create unlogged table if not exists atelier_reading.seen (account bigint primary key, position bigint not null)',
];

const here = "(pg_current_wal_insert_lsn() - '0/0')::bigint";

/** What is remembered is as old as the revisions say, and a position that is behind all replicas matters to nobody. */
const revisionsAndPositions = {
  name: 'revisions and positions',
  sql: `select 'revision' as kind, name, value from revision
    union all select 'here', '', ${here}
    union all select 'start', '', (extract(epoch from pg_postmaster_start_time()) * 1000)::bigint
    union all select 'seen', account::text, position from atelier_reading.seen where position > $1`,
};

const keepPositions = {
  name: 'keep positions',
  sql: `insert into atelier_reading.seen (account, position)
    select account, ${here} from unnest($1::bigint[]) as account order by account
    on conflict (account) do update set position = greatest(seen.position, excluded.position)
    returning account, position`,
};

const forgetPositions = {
  name: 'forget positions',
  sql: 'delete from atelier_reading.seen where position <= $1',
};

/** Milliseconds. */
const times = {
  /** Between two times at which positions are forgotten that matter to nobody any more. */
  cleaning: 30_000,
  /** For how long whoever wrote waits for their position to be kept, when that failed right behind the commit. */
  keeping: 5_000,
  /** Between two tries to do so. */
  keepingPause: 500,
};

function ignore(): void {}

/**
 * PostgreSQL with replicas that follow it. What is written, and whatever reads outside of a caller's request, goes to the database
 * itself, and so does the question for the revisions, which every request asks. With its answer come the positions that callers
 * must see, by account: where the log was when they last wrote, or last read from the database itself. A caller reads from one
 * replica, always the same, if that one has come to their position, and else from the database itself. So nobody misses what they
 * wrote, and nobody sees anything go back, whichever process they ask.
 */
export class ReplicatedEngine extends PostgresEngine implements Engine {
  readonly #replicas: readonly Replica[];
  /** What callers must see, by account, as far as some replica may not have it. */
  readonly #seen = new Map<number, number>();
  /** What everybody must see: the newest revisions. */
  #floor = 0;
  #newest = 0;
  #system: Promise<unknown> | undefined;
  /** The revisions and the start of the server, at the last answer. */
  #known = '';
  /** The use of each replica for which positions are known, and what it must have come to at the least since then. */
  readonly #learned = new Map<Replica, { readonly use: number; readonly floor: number }>();
  #waiting: { accounts: Set<number>; kept: Promise<void> } | undefined;
  /** Accounts that wrote and whose position could not be kept yet, each with what it wrote last: here they read from the database itself. */
  readonly #unkept = new Map<number, symbol>();
  #keepingUnkept: Promise<void> | undefined;
  #isClosed = false;
  readonly #timer: NodeJS.Timeout;

  constructor(url: string, readUrls: readonly string[], limits: PostgresLimits) {
    super(url, limits);
    this.#replicas = readUrls.map(
      (each) => new Replica(each, limits, { newest: () => this.#newest, system: () => this.#systemOnce() }),
    );
    this.#timer = setInterval(() => void this.#forget().catch(ignore), times.cleaning).unref();
  }

  /** Makes what the positions are kept in. */
  static async prepare(session: Session): Promise<void> {
    for (const sql of positionTable) await session.run({ sql, values: [] });
  }

  override replicaUse(): ReplicaUse {
    const used = this.#replicas.filter(({ isUsed }) => isUsed).length;
    return { used, leftOut: this.#replicas.length - used };
  }

  override placeOfReads(): object {
    return readings.getStore()?.replica ?? this;
  }

  override readNewest<T>(work: () => T): T {
    return readings.run({ replica: undefined }, work);
  }

  override all(statement: Executable): Promise<Row[]> {
    return this.#read(
      (engine) => engine.all(statement),
      () => super.all(statement),
    );
  }

  override consistently<T>(work: (session: Session) => Promise<T>, longest: number): Promise<T> {
    return this.#read(
      (engine) => engine.consistently(work, longest),
      () => super.consistently(work, longest),
    );
  }

  /** A replica that cannot be read from loses nothing: the database itself can. */
  async #read<T>(
    fromReplica: (engine: PostgresEngine) => Promise<T>,
    fromDatabase: () => Promise<T>,
  ): Promise<T> {
    const reading = readings.getStore();
    const replica = reading?.replica;
    if (reading === undefined || replica === undefined) return fromDatabase();
    try {
      return await fromReplica(replica.engine);
    } catch (error) {
      // The last: what it read was cleared away by what it follows.
      if (!(error instanceof StorageUnavailable || error instanceof ConcurrentChange)) throw error;
      if (error instanceof StorageUnavailable) replica.leaveOut();
    }
    reading.replica = undefined;
    const result = await fromDatabase();
    // Others may have asked for the same read together with this one.
    await this.#keep(everyone);
    return result;
  }

  override async transaction<T>(work: (session: Session) => Promise<T>, account?: number): Promise<T> {
    // Whoever writes in the middle of reading sees it from then on.
    const reading = readings.getStore();
    if (reading !== undefined) reading.replica = undefined;
    // Those without an account are nobody who could be told apart.
    if (account === undefined || account === 0) return super.transaction(work);
    let kept: Promise<Row[]> | undefined;
    const result = await this.transactionAndMore(account, work, (session) => {
      kept = session.all({ ...keepPositions, values: [[account]] });
      kept.catch(ignore);
    });
    // What is stored is told as stored, whatever becomes of its position.
    await kept?.then(
      (rows) => this.#take(rows),
      () => this.#keepUntilDone(account),
    );
    return result;
  }

  #take(rows: readonly Row[]): void {
    for (const { account, position } of rows) this.#see(Number(account), Number(position));
  }

  /**
   * The position of a change that is stored, where it was not kept at once: it is tried until it is done, and whoever made the change waits
   * for that a while. Until then they read from the database itself, as far as they ask here.
   */
  async #keepUntilDone(account: number): Promise<void> {
    this.#unkept.set(account, Symbol('change'));
    this.#keepingUnkept ??= this.#keepUnkept().finally(() => {
      this.#keepingUnkept = undefined;
    });
    const enough = new AbortController();
    const tooLong = pause(times.keeping, undefined, { signal: enough.signal }).catch(ignore);
    await Promise.race([this.#keepingUnkept, tooLong]);
    enough.abort();
  }

  async #keepUnkept(): Promise<void> {
    while (this.#unkept.size > 0 && !this.#isClosed) {
      const tried = [...this.#unkept];
      try {
        await this.#keepAll(tried.map(([account]) => account));
        // One that has written again meanwhile may have come too late for that.
        for (const [account, change] of tried)
          if (this.#unkept.get(account) === change) this.#unkept.delete(account);
      } catch {
        await pause(times.keepingPause, undefined, { ref: false });
      }
    }
  }

  #systemOnce(): Promise<unknown> {
    this.#system ??= systemOf((statement) => super.all(statement)).catch((error: unknown) => {
      this.#system = undefined;
      throw error;
    });
    return this.#system;
  }

  #see(account: number, position: number): void {
    if (position > (this.#seen.get(account) ?? 0)) this.#seen.set(account, position);
    this.#newest = Math.max(this.#newest, position);
  }

  /** From now on the account must see all that is there now; one statement for all of this turn of the event loop. */
  #keep(account: number): Promise<void> {
    if (this.#waiting === undefined) {
      const accounts = new Set<number>();
      const kept = Promise.resolve().then(() => {
        this.#waiting = undefined;
        return this.#keepAll([...accounts]);
      });
      this.#waiting = { accounts, kept };
    }
    this.#waiting.accounts.add(account);
    return this.#waiting.kept;
  }

  /** Fails where the positions cannot be kept and somebody may still read something older. */
  async #keepAll(accounts: readonly number[]): Promise<void> {
    try {
      this.#take(await super.all({ ...keepPositions, values: [accounts] }));
    } catch (error) {
      if (!(await this.#haveAllArrived())) throw error;
    }
  }

  override async revisionRows(statement: Executable): Promise<Row[]> {
    if (readings.getStore()?.replica !== undefined) return this.all(statement);
    const used = this.#replicas.filter(({ isUsed }) => isUsed);
    const uses = used.map((replica) => [replica, replica.uses] as const);
    const furthestBack = Math.min(Number.MAX_SAFE_INTEGER, ...used.map(({ position }) => position));
    const rows = await super.all({ ...revisionsAndPositions, values: [furthestBack] });
    const one = (kind: string) => Number(rows.find((row) => row['kind'] === kind)?.['value'] ?? 0);
    const revisions = rows.filter(({ kind }) => kind === 'revision');
    const position = one('here');
    for (const { kind, name, value } of rows) if (kind === 'seen') this.#see(Number(name), Number(value));
    this.#newest = Math.max(this.#newest, position);
    this.#raiseFloor(
      `${revisions.map(({ name, value }) => `${name} ${value}`).sort()} ${one('start')}`,
      position,
    );
    for (const [replica, use] of uses)
      if (this.#learned.get(replica)?.use !== use) this.#learned.set(replica, { use, floor: position });
    return revisions;
  }

  /**
   * What is remembered under new revisions is read from where they are already; and a server that was started anew does not know
   * positions any more.
   */
  #raiseFloor(known: string, position: number): void {
    if (known === this.#known) return;
    this.#known = known;
    // Answers may overtake each other: an older one takes nothing back.
    this.#floor = Math.max(this.#floor, position);
  }

  #required(account: number): number {
    return Math.max(this.#floor, this.#seen.get(account) ?? 0, this.#seen.get(everyone) ?? 0);
  }

  /** The replica of the account, if it has what they must see. Every process finds the same. */
  async #replicaFor(account: number): Promise<Replica | undefined> {
    const replica = this.#replicas[Math.max(0, account) % this.#replicas.length];
    const learned = replica && this.#learned.get(replica);
    if (replica === undefined || learned?.use !== replica.uses || this.#unkept.has(account)) return undefined;
    return (await replica.reaches(Math.max(learned.floor, this.#required(account)))) ? replica : undefined;
  }

  override async beginReads(account: number): Promise<CallerReads> {
    const reading: Reading = { replica: await this.#replicaFor(account) };
    return {
      isReplica: reading.replica !== undefined,
      within: (work) => readings.run(reading, work),
      end: async () => {
        const hasReadNewest = reading.replica === undefined;
        // What still runs in the name of the request after its end is not a part of it.
        reading.replica = undefined;
        if (hasReadNewest) await this.#keep(account);
      },
    };
  }

  /** Waits until everybody who reads from now on sees what is there now. */
  override async settle(): Promise<void> {
    if (!(await this.#haveAllArrived())) await this.#keep(everyone);
  }

  /** Whether every replica has, or comes at once to, what is there now. */
  async #haveAllArrived(): Promise<boolean> {
    const [row] = await super.all({ sql: `select ${here} as position`, values: [] });
    const position = Number(row?.['position']);
    this.#newest = Math.max(this.#newest, position);
    const used = this.#replicas.filter(({ isUsed }) => isUsed);
    const areThere = await Promise.all(used.map((replica) => replica.reaches(position)));
    // Another process may still read from one that this one has left out.
    return used.length === this.#replicas.length && !areThere.includes(false);
  }

  /** Forgets positions that every replica has come to. */
  async #forget(): Promise<void> {
    const reached = Math.min(...this.#replicas.map(({ position }) => position));
    for (const [account, position] of this.#seen) if (position <= reached) this.#seen.delete(account);
    if (this.#replicas.every(({ isUsed }) => isUsed))
      await super.run({ ...forgetPositions, values: [reached] });
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    await Promise.all(this.#replicas.map((replica) => replica.close()));
    await super.close();
  }
}
