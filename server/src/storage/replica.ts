import { setTimeout as pause } from 'node:timers/promises';
import { type Executable, type Row, StorageUnavailable } from './engine.ts';
import { PostgresEngine, type PostgresLimits } from './engine-postgres.ts';

/** Milliseconds. */
const times = {
  /** How often is looked at a replica. */
  look: 100,
  /** How long it may take to say where it is, before it is left out. */
  answer: 1_000,
  /** How far it may be behind, before it is left out. */
  behind: 10_000,
  /** How long somebody waits for it to come to what they must see, and how often it is asked meanwhile. */
  patience: 50,
  asking: 3,
  /** One that was so far behind at the last look is not waited for. */
  late: 100,
};

const whereItIs = {
  name: 'replica position',
  sql: "select pg_is_in_recovery() as follows, (pg_last_wal_replay_lsn() - '0/0')::bigint as position",
  values: [],
};

/** What tells servers of one origin from all others; undefined where nobody may know. A server that is away tells nothing. */
export async function systemOf(all: (statement: Executable) => Promise<Row[]>): Promise<unknown> {
  const sql = 'select system_identifier::text as system from pg_control_system()';
  const rows = await all({ sql, values: [] }).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) throw error;
    return [];
  });
  return rows[0]?.['system'];
}

/** What a replica follows. */
interface Followed {
  /** Where the database itself was when it was last heard of. */
  newest(): number;
  system(): Promise<unknown>;
}

/** What a replica is to have come to, and when it was told so. */
interface Goal {
  readonly position: number;
  readonly since: number;
}

/** A replica of the database, which follows it and is read from for as long as it answers and does not fall behind. */
export class Replica {
  readonly engine: PostgresEngine;
  readonly #followed: Followed;
  #position = 0;
  #isUsed = false;
  #uses = 0;
  #goal: Goal | undefined;
  #asked: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, limits: PostgresLimits, followed: Followed) {
    this.engine = new PostgresEngine(url, { ...limits, tries: 1 });
    this.#followed = followed;
    this.#timer = setInterval(() => void this.#look(), times.look).unref();
    void this.#look();
  }

  /** It has all that was written up to here: it may have more, and never less. */
  get position(): number {
    return this.#position;
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Another number each time that it comes back: what was learned before may not go as far back as it does. */
  get uses(): number {
    return this.#uses;
  }

  /** Whether it has all up to that position, or comes to it at once. */
  async reaches(position: number): Promise<boolean> {
    const end = performance.now() + (this.#isLate() ? 0 : times.patience);
    while (this.#isUsed && this.#position < position) {
      await this.#look();
      if (this.#position >= position || performance.now() > end) break;
      await pause(times.asking);
    }
    return this.#isUsed && this.#position >= position;
  }

  #isLate(): boolean {
    return this.#goal !== undefined && performance.now() - this.#goal.since > times.late;
  }

  /** Asks where it is; once for all who want to know. */
  #look(): Promise<void> {
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  async #ask(): Promise<void> {
    // Whatever it comes to from now on, it was to have come to this.
    this.#goal ??= { position: this.#followed.newest(), since: performance.now() };
    const enough = new AbortController();
    const tooLong = pause(times.answer, undefined, { signal: enough.signal }).then(() => undefined);
    const position = await Promise.race([
      this.#where().catch(() => undefined),
      tooLong.catch(() => undefined),
    ]);
    enough.abort();
    if (position === undefined) this.leaveOut();
    else this.#follow(position);
  }

  /** Undefined for a server that follows nobody, or somebody else. */
  async #where(): Promise<number | undefined> {
    if (!this.#isUsed && !(await this.#isOfOurs())) return undefined;
    const [{ follows, position } = {}] = await this.engine.all(whereItIs);
    return follows === true && typeof position === 'number' ? position : undefined;
  }

  async #isOfOurs(): Promise<boolean> {
    const system = await systemOf((statement) => this.engine.all(statement));
    const followed = await this.#followed.system();
    return system === undefined || followed === undefined || system === followed;
  }

  #follow(position: number): void {
    // One that was made anew from an older copy goes on from there.
    if (position < this.#position) this.leaveOut();
    this.#position = position;
    if (this.#goal !== undefined && position >= this.#goal.position) this.#goal = undefined;
    const isBehind = this.#goal !== undefined && performance.now() - this.#goal.since > times.behind;
    if (isBehind) return this.leaveOut();
    // Whoever was away or behind comes back when it has come to the present.
    if (this.#isUsed || this.#goal !== undefined) return;
    this.#isUsed = true;
    this.#uses++;
  }

  /** It is not read from until it has answered again. */
  leaveOut(): void {
    this.#isUsed = false;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#asked;
    await this.engine.close();
  }
}

/** How a replica is: `away`: it does not answer; `alone`: it follows nobody; `foreign`: it follows another database. */
export interface ReplicaState {
  /** Host and port. */
  readonly place: string;
  readonly state: 'follows' | 'away' | 'alone' | 'foreign';
  /** Bytes of the log that it does not have yet. */
  readonly behind: number;
}

/** Looks at replicas once, for whoever wants to know how they are. */
export async function lookAtReplicas(url: string, readUrls: readonly string[]): Promise<ReplicaState[]> {
  const limits = { connections: 1, lockPatience: times.answer, statementPatience: times.answer, tries: 1 };
  const database = new PostgresEngine(url, limits);
  const look = async (readUrl: string): Promise<ReplicaState> => {
    const replica = new PostgresEngine(readUrl, limits);
    const { host } = new URL(readUrl);
    try {
      const sql = "select (pg_current_wal_lsn() - '0/0')::bigint as position";
      const [newest] = await database.all({ sql, values: [] });
      const [{ follows, position } = {}] = await replica.all(whereItIs);
      const [ours, theirs] = [
        await systemOf((each) => database.all(each)),
        await systemOf((each) => replica.all(each)),
      ];
      const isForeign = ours !== undefined && theirs !== undefined && ours !== theirs;
      const state = isForeign ? 'foreign' : follows === true ? 'follows' : 'alone';
      return {
        place: host,
        state,
        behind: Math.max(0, Number(newest?.['position']) - Number(position ?? 0)),
      };
    } catch {
      return { place: host, state: 'away', behind: 0 };
    } finally {
      await replica.close();
    }
  };
  try {
    return await Promise.all(readUrls.map(look));
  } finally {
    await database.close();
  }
}
