import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { SqliteQueryCompiler } from '@bundled/kysely';
import { isThere } from '../kernel/folders.ts';
import { insertInBatches, newIdsByCounter } from './bulk.ts';
import { sqliteCatalog } from './catalog-sqlite.ts';
import type { Capabilities, Engine, Executable, Health, Row, Session } from './engine.ts';
import { Connection, isBusy, translated } from './sqlite-connection.ts';

const sqliteCapabilities: Capabilities = {
  name: 'SQLite',
  locksRows: false,
  isRemote: false,
  needsWriterThread: true,
  columns: {
    identity: 'integer primary key autoincrement',
    integer: 'integer',
    real: 'real',
    text: 'text',
    bytes: 'blob',
  },
  tableOptions: ' strict',
  keyedTableOptions: ' strict, without rowid',
  startCounting: (table, first) => [
    `delete from sqlite_sequence where name = '${table}'`,
    `insert into sqlite_sequence (name, seq) values ('${table}', ${first - 1})`,
  ],
  dropReference: (_table, _column, rebuild) => rebuild,
  keepsTextParts: true,
  numberNotes: () => [],
  // Without positions and without the texts themselves: what it finds is looked at again.
  indexTextParts: (name) => [
    `create virtual table ${name} using fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1')`,
  ],
  keysIn: (column) => `(select group_concat(key, ' ') from json_each(${column}))`,
  catalog: sqliteCatalog,
  parameter: () => '?',
  insertMany: insertInBatches,
  newIds: newIdsByCounter,
  createQueryCompiler: () => new SqliteQueryCompiler(),
};

/** Units of work that are committed together at the most: with more of them, both threads wait for each other in turn. */
const largestGroup = 8;
/** Milliseconds of work after which no more is committed together: whoever comes then would wait for all of it, and for all of the next group. */
const longestGroup = 50;
/** How long a reader waits, without blocking its thread, for a recovery that another process runs. */
const readLockPatience = 5_000;

interface WaitingWork {
  readonly work: (session: Session) => Promise<unknown>;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** Work that waits, of everybody in turn: whoever asks for much waits for themselves. */
class WaitingLine {
  /** By account, in the order of their turns. */
  readonly #work = new Map<number, WaitingWork[]>();

  get isEmpty(): boolean {
    return this.#work.size === 0;
  }

  add(account: number, work: WaitingWork): void {
    const own = this.#work.get(account);
    if (own === undefined) this.#work.set(account, [work]);
    else own.push(work);
  }

  /** Takes the first of whose turn it is, and puts them behind all others. */
  take(): WaitingWork | undefined {
    const [turn] = this.#work;
    if (turn === undefined) return undefined;
    const [account, own] = turn;
    const first = own.shift();
    this.#work.delete(account);
    if (own.length > 0) this.#work.set(account, own);
    return first;
  }
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * SQLite in WAL mode. Reading uses a read-only connection of its own that never waits for a lock inside SQLite, so an
 * event loop that reads is never blocked. Writing belongs to one thread of the process; units of work that wait are
 * run one after the other, everybody's in turn and each in its own savepoint, and share one commit.
 */
export class SqliteEngine implements Engine {
  readonly capabilities = sqliteCapabilities;
  readonly #path: string;
  readonly #lockPatience: number;
  #reader: Connection | undefined;
  #writer: Connection | undefined;
  #hasSnapshot = false;
  #mark: number | undefined;
  #isTurn = false;
  /** Set where the turn began after all requests had been received: those that come next begin another. */
  #isLate = false;
  readonly #endOfTurn = () => {
    this.#isTurn = false;
    this.renew();
  };
  readonly #waiting = new WaitingLine();
  #isDraining = false;
  /** A connection for reads that belong together, and the last of them that waits. */
  #looker: Connection | undefined;
  #lastLook: Promise<unknown> = Promise.resolve();

  /** `lockPatience`: how long a write waits for another process's, in milliseconds. It blocks the calling thread. */
  constructor(path: string, lockPatience: number) {
    this.#path = path;
    this.#lockPatience = lockPatience;
  }

  #reading(): Connection {
    this.#reader ??= new Connection(this.#path, { readOnly: true, timeout: 0 });
    return this.#reader;
  }

  #writing(): Connection {
    this.#writer ??= new Connection(this.#path, { readOnly: false, timeout: this.#lockPatience });
    return this.#writer;
  }

  /** Waits in JavaScript, so that the thread can do other things, for a recovery that another process runs. */
  async #again<T>(first: unknown, attempt: () => T): Promise<T> {
    const giveUpAt = performance.now() + readLockPatience;
    for (let error = first; ; ) {
      this.renew();
      if (!isBusy(error) || performance.now() > giveUpAt) throw translated(error, this.#path);
      await pause(5);
      try {
        return attempt();
      } catch (again) {
        error = again;
      }
    }
  }

  async all(statement: Executable): Promise<Row[]> {
    return this.#patient(() => this.#snapshot().all(statement));
  }

  async allOf(statements: readonly Executable[]): Promise<Row[][]> {
    const answers: Row[][] = [];
    for (const statement of statements) answers.push(await this.all(statement));
    return answers;
  }

  allAtOnce(statement: Executable): Row[] | undefined {
    try {
      return this.#snapshot().all(statement);
    } catch {
      this.renew();
      return undefined;
    }
  }

  /**
   * From here to the end of this turn of the event loop all reads share one read transaction, because taking the locks
   * of a read costs more than the read. To be called only where a request has just been received: everything that a
   * turn receives was sent before its first read, so no request misses a commit that its sender could know of.
   */
  beginTurn(): void {
    this.#begin(false);
  }

  beginLateTurn(): void {
    this.#begin(true);
  }

  #begin(isLate: boolean): void {
    if (this.#isTurn && !this.#isLate) return;
    this.renew();
    this.#isLate = isLate;
    if (this.#isTurn) return;
    this.#isTurn = true;
    setImmediate(this.#endOfTurn);
  }

  #snapshot(): Connection {
    const reader = this.#reading();
    if (this.#isTurn && !this.#hasSnapshot) {
      reader.begin();
      this.#hasSnapshot = true;
    }
    return reader;
  }

  /** The next read sees everything that has been committed until now. */
  renew(): void {
    if (!this.#hasSnapshot) return;
    this.#hasSnapshot = false;
    this.#mark = undefined;
    this.#reader?.commit();
  }

  run(statement: Executable): Promise<number> {
    return this.transaction((session) => session.run(statement));
  }

  write(statement: Executable): Promise<void> {
    return this.transaction((session) => session.write(statement));
  }

  changeMark(): number | undefined {
    if (this.#mark !== undefined && this.#hasSnapshot) return this.#mark;
    try {
      this.#mark = this.#snapshot().dataVersion();
      return this.#mark;
    } catch (error) {
      this.renew();
      if (isBusy(error)) return undefined;
      throw translated(error, this.#path);
    }
  }

  connectionUse(): undefined {
    return undefined;
  }

  revisionRows(statement: Executable): Promise<Row[]> {
    return this.all(statement);
  }

  /** There is one place to read from. */
  beginReads(): undefined {
    return undefined;
  }

  placeOfReads(): object {
    return this;
  }

  readNewest<T>(work: () => T): T {
    return work();
  }

  async settle(): Promise<void> {}

  replicaUse(): undefined {
    return undefined;
  }

  async longestTransaction(): Promise<number> {
    return 0;
  }

  async hasTable(name: string): Promise<boolean> {
    if (!(await isThere(this.#path))) return false;
    const sql = "select name from sqlite_master where type = 'table' and name = ?";
    return (await this.all({ sql, values: [name] })).length > 0;
  }

  /** Whatever is committed is written behind what is there. */
  async requireRoom(): Promise<void> {}

  /** It comes with this program. */
  async requireFit(): Promise<void> {}

  async checkHealth(isGlance = false): Promise<Health> {
    const version = process.versions.sqlite ?? '';
    if (!(await isThere(this.#path))) return { version, faults: [], bytes: 0 };
    const { size: bytes } = statSync(this.#path);
    if (isGlance) return { version, faults: [], bytes };
    const findings = await this.all({ sql: 'pragma quick_check(3)', values: [] });
    const damages = findings.map(({ quick_check }) => String(quick_check)).filter((text) => text !== 'ok');
    if (damages.length === 0) return { version, faults: [], bytes };
    const advice = 'Stop the service and restore a backup.';
    return { version, faults: [`The file is damaged (${damages.join('; ')}). ${advice}`], bytes };
  }

  transaction<T>(work: (session: Session) => Promise<T>, account = 0): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(account, { work, done: (result) => resolve(result as T), failed: reject });
      if (!this.#isDraining) void this.#drain();
    });
  }

  /** One after the other: a snapshot belongs to its connection. */
  consistently<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const look = this.#lastLook.then(() => this.#look(work));
    this.#lastLook = look.catch(() => {});
    return look;
  }

  #searchRun(): Connection {
    try {
      this.#looker ??= new Connection(this.#path, { readOnly: true, timeout: 0 });
      this.#looker.begin();
      return this.#looker;
    } catch (error) {
      throw translated(error, this.#path);
    }
  }

  async #look<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const looker = this.#searchRun();
    try {
      return await work({
        all: async (statement) => this.#patient(() => looker.all(statement)),
        run: async () => 0,
        write: async () => {},
      });
    } finally {
      looker.commit();
    }
  }

  async #patient<T>(attempt: () => T): Promise<T> {
    try {
      return attempt();
    } catch (error) {
      return this.#again(error, attempt);
    }
  }

  /** `begin immediate` already keeps every other process's writer out. */
  exclusiveTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    do {
      // One turn of the loop lets messages that have already arrived join the group, and the answers of the last one go.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#runGroup();
    } while (!this.#waiting.isEmpty);
    this.#isDraining = false;
  }

  async #runGroup(): Promise<void> {
    const group: WaitingWork[] = [];
    let outcomes: Outcome[];
    try {
      outcomes = await this.#commitTogether(group);
    } catch (error) {
      // Where not even a beginning was possible, each would wait for that as long by itself; others are tried.
      if (group.length === 0) while (group.length < largestGroup && this.#takeInto(group) !== undefined);
      const reason = translated(error, this.#path);
      for (const { failed } of group) failed(reason);
      return;
    }
    this.renew();
    outcomes.forEach((outcome, index) => {
      if ('error' in outcome) group[index]?.failed(translated(outcome.error, this.#path));
      else group[index]?.done(outcome.result);
    });
  }

  #takeInto(group: WaitingWork[]): WaitingWork | undefined {
    const next = this.#waiting.take();
    if (next !== undefined) group.push(next);
    return next;
  }

  /** `group` gets whatever is begun. */
  async #commitTogether(group: WaitingWork[]): Promise<Outcome[]> {
    const writer = this.#writing();
    writer.exec('begin immediate');
    const end = performance.now() + longestGroup;
    try {
      const outcomes: Outcome[] = [];
      do {
        const next = this.#takeInto(group);
        if (next === undefined) break;
        outcomes.push(await inSavepoint(writer, next.work));
      } while (group.length < largestGroup && performance.now() < end);
      writer.exec('commit');
      return outcomes;
    } catch (error) {
      if (writer.database.isTransaction) writer.exec('rollback');
      throw error;
    }
  }

  async close(): Promise<void> {
    while (this.#isDraining) await pause(5);
    this.renew();
    await this.#lastLook;
    this.#looker?.database.close();
    this.#looker = undefined;
    this.#reader?.database.close();
    if (this.#writer !== undefined) closeWriter(this.#writer);
    this.#reader = undefined;
    this.#writer = undefined;
  }
}

/** Moves what was written into the database file itself, so that a copy of that one file is a backup. */
function closeWriter(writer: Connection): void {
  try {
    writer.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // Another process still reads older pages: the rest stays in the log, which belongs to the database as well.
  }
  writer.database.close();
}

async function inSavepoint(writer: Connection, work: WaitingWork['work']): Promise<Outcome> {
  const session: Session = {
    all: async (statement) => writer.all(statement),
    run: async (statement) => writer.run(statement),
    write: async (statement) => void writer.run(statement),
  };
  writer.exec('savepoint work');
  try {
    const result = await work(session);
    writer.exec('release work');
    return { result };
  } catch (error) {
    // A full disk or a broken file makes SQLite roll the whole group back: then nobody's work was stored.
    if (!writer.database.isTransaction) throw error;
    writer.exec('rollback to work; release work');
    return { error };
  }
}
