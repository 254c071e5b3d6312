import { setTimeout as pause } from 'node:timers/promises';
import type { Compilable, SelectQueryBuilder } from '@bundled/kysely';
import { Refusal, unavailable } from '../kernel/errors.ts';
import type { Soon } from '../kernel/soon.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { ColumnOf, NumberedTable, RowOf } from './bulk.ts';
import {
  type CallerReads,
  CommitUncertain,
  ConcurrentChange,
  type ConnectionUse,
  type Engine,
  type Executable,
  type Health,
  type ReplicaUse,
  type Session,
  StorageUnavailable,
  TooLong,
} from './engine.ts';
import { GatheredReads } from './gathered.ts';
import { createBuilder, type SqlBuilder, Statement, statement } from './statement.ts';
import type { Tables } from './tables.ts';
import type { Turn } from './turns.ts';

/**
 * Things whose change every thread and process must notice before its next answer. `identity`: accounts and what they
 * prove themselves with. `structure`: projects, who is in them and their groups, trackers and their form.
 */
export type RevisionName = 'identity' | 'structure';
export type Revisions = Readonly<Record<RevisionName, number>>;

export const isSameRevisions = (left: Revisions, right: Revisions): boolean =>
  left.identity === right.identity && left.structure === right.structure;

/**
 * What only one transaction at a time may decide about: names of users and projects, who administers the platform, the
 * order of artifacts, the order of what happened.
 */
export type LockName = 'names' | 'administrators' | 'ranks' | 'events';

/** Reads: from the database as it is, or from inside a transaction. */
export interface Reader {
  readonly sql: SqlBuilder;
  all<R>(query: Compilable<R>): Promise<R[]>;
  all<P, R>(query: Statement<P, R>, parameters: P): Promise<R[]>;
  first<R>(query: Compilable<R>): Promise<R | undefined>;
  first<P, R>(query: Statement<P, R>, parameters: P): Promise<R | undefined>;
  /** As `all`, at once where nobody has to be waited for. */
  soon<P, R>(query: Statement<P, R>, parameters: P): Soon<R[]>;
  /** Whether the parts of texts are in a table of their own. */
  readonly keepsTextParts: boolean;
  /** Whether statements go over a network. */
  readonly isRemote: boolean;
  /** The same for work that goes on side by side: what it reads is asked for together. */
  gathered(): Reader;
  /** How long whoever reads may take; undefined: they need not hurry. */
  readonly turn?: Turn;
  /** The revisions as they were told here last, which may be old; undefined where asking for them takes no time. */
  recentRevisions?(): Revisions | undefined;
  /** Runs reads that all see one state; `longest`: milliseconds that each of them may take at the most. */
  consistently<T>(longest: number, work: (reader: Reader) => Promise<T>): Promise<T>;
}

/** One unit of work. A function that takes a transaction joins it: there is no other way to nest. */
export interface Transaction extends Reader {
  /** The page or program that caused it, as it named itself. */
  readonly client?: string | undefined;
  /** Runs a statement and tells how many rows it changed. */
  run(query: Compilable<unknown>): Promise<number>;
  run<P>(query: Statement<P, unknown>, parameters: P): Promise<number>;
  /** Runs a statement of which nobody needs to know what it did; over a network it is not waited for. What it fails with fails the transaction. */
  write(query: Compilable<unknown>): Promise<void>;
  write<P>(query: Statement<P, unknown>, parameters: P): Promise<void>;
  /** Inserts many rows, each the values of the named columns in their order: for imports and the like. */
  insertMany<Table extends keyof Tables, const Columns extends readonly ColumnOf<Table>[]>(
    table: Table,
    columns: Columns,
    rows: readonly RowOf<Table, Columns>[],
  ): Promise<void>;
  /** Ascending ids for rows that are still to be inserted; the table's own counting goes on behind them. */
  newIds(table: NumberedTable, count: number): Promise<number[]>;
  /** Whether other transactions may run meanwhile, so that rows must be locked. */
  readonly locksRows: boolean;
  /** Reads rows and keeps other transactions from changing them until this one ends. */
  lock<R>(query: SelectQueryBuilder<Tables, keyof Tables, R>): Promise<R[]>;
  /** As `lock`, but leaves out rows that another transaction holds: for work that somebody takes, no matter who. */
  lockFree<R>(query: SelectQueryBuilder<Tables, keyof Tables, R>): Promise<R[]>;
  /** Runs work that may turn out to be in vain: when it gives false, all that it did is undone, locks included. */
  tentatively(work: () => Promise<boolean>): Promise<boolean>;
  /** Keeps out every other transaction that asks for the same, for rules that no single row can hold. */
  alone(about: LockName): Promise<void>;
  /** Tells every thread and process that what they remember of this may be old. */
  touch(...revisions: RevisionName[]): Promise<void>;
}

const allRevisions = statement((sql) => sql.selectFrom('revision').select(['name', 'value']));

/** The revisions as the reader sees them: inside a transaction, those that hold there. */
export async function readRevisions(reader: Reader): Promise<Revisions> {
  return revisionsIn(await reader.all(allRevisions, {}));
}

function revisionsIn(rows: readonly { readonly name: string; readonly value: number }[]): Revisions {
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  return { identity: values.get('identity') ?? 0, structure: values.get('structure') ?? 0 };
}

class SessionReader implements Reader {
  readonly sql: SqlBuilder;
  protected readonly engine: Engine;
  protected readonly session: Session;

  constructor(engine: Engine, sql: SqlBuilder, session: Session) {
    this.engine = engine;
    this.sql = sql;
    this.session = session;
  }

  protected executable(query: unknown, parameters: unknown): Executable {
    if (query instanceof Statement) return query.on(this.engine.capabilities, this.sql, parameters);
    const compiled = (query as Compilable<unknown>).compile();
    return { sql: compiled.sql, values: compiled.parameters };
  }

  all<R>(query: unknown, parameters?: unknown): Promise<R[]> {
    return this.session.all(this.executable(query, parameters)) as Promise<R[]>;
  }

  soon<P, R>(query: Statement<P, R>, parameters: P): Soon<R[]> {
    return this.all<R>(query, parameters);
  }

  /** Whoever is in a transaction asks in there. */
  recentRevisions(): Revisions | undefined {
    return undefined;
  }

  get keepsTextParts(): boolean {
    return this.engine.capabilities.keepsTextParts;
  }

  get isRemote(): boolean {
    return this.engine.capabilities.isRemote;
  }

  /** What is asked for on one connection goes out together anyway. */
  gathered(): Reader {
    return this;
  }

  /** Whoever is in a transaction sees one state already. */
  consistently<T>(_: number, work: (reader: Reader) => Promise<T>): Promise<T> {
    return work(this);
  }

  async first<R>(query: unknown, parameters?: unknown): Promise<R | undefined> {
    return (await this.all<R>(query, parameters))[0];
  }
}

class SessionTransaction extends SessionReader implements Transaction {
  readonly client: string | undefined;
  /** Whether nothing was asked of the database since the transaction began. */
  #isFresh: boolean;

  constructor(
    engine: Engine,
    sql: SqlBuilder,
    session: Session,
    { client, isFresh }: { readonly client?: string | undefined; readonly isFresh: boolean },
  ) {
    super(engine, sql, session);
    this.client = client;
    this.#isFresh = isFresh;
  }

  protected override executable(query: unknown, parameters: unknown): Executable {
    this.#isFresh = false;
    return super.executable(query, parameters);
  }

  run(query: unknown, parameters?: unknown): Promise<number> {
    return this.session.run(this.executable(query, parameters));
  }

  write(query: unknown, parameters?: unknown): Promise<void> {
    return this.session.write(this.executable(query, parameters));
  }

  insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ): Promise<void> {
    this.#isFresh = false;
    return this.engine.capabilities.insertMany(this.session, { table, columns, rows });
  }

  newIds(table: string, count: number): Promise<number[]> {
    this.#isFresh = false;
    return this.engine.capabilities.newIds(this.session, table, count);
  }

  get locksRows(): boolean {
    return this.engine.capabilities.locksRows;
  }

  lock<R>(query: SelectQueryBuilder<Tables, keyof Tables, R>): Promise<R[]> {
    return this.all<R>(this.locksRows ? query.forNoKeyUpdate() : query);
  }

  lockFree<R>(query: SelectQueryBuilder<Tables, keyof Tables, R>): Promise<R[]> {
    return this.all<R>(this.locksRows ? query.forNoKeyUpdate().skipLocked() : query);
  }

  async tentatively(work: () => Promise<boolean>): Promise<boolean> {
    if (this.#isFresh && this.locksRows) return this.#tryFromTheBeginning(work);
    await this.#say('savepoint attempt');
    const isDone = await work();
    if (!isDone) await this.#say('rollback to savepoint attempt');
    await this.#say('release savepoint attempt');
    return isDone;
  }

  /** As `tentatively` where nothing was done before: the whole transaction begins anew, and none that ends well needs a savepoint. */
  async #tryFromTheBeginning(work: () => Promise<boolean>): Promise<boolean> {
    // What is tried within is undone by itself.
    this.#isFresh = false;
    const isDone = await work();
    if (!isDone) await this.#say('rollback and chain');
    this.#isFresh = !isDone;
    return isDone;
  }

  #say(sql: string): Promise<void> {
    return this.session.write({ sql, values: [], name: sql });
  }

  async alone(name: LockName): Promise<void> {
    await this.lock(this.sql.selectFrom('revision').select('name').where('name', '=', name));
  }

  /**
   * The new value is no number that was ever used before, not even by a transaction that came to nothing: what was
   * remembered under one never stands for something else.
   */
  async touch(...revisions: RevisionName[]): Promise<void> {
    const now = Date.now();
    const raise = this.sql.updateTable('revision').set((row) => ({
      value: row
        .case()
        .when('value', '<', now)
        .then(now)
        .else(row('value', '+', 1))
        .end(),
    }));
    await this.write(raise.where('name', 'in', revisions));
  }
}

/** How often work is run at the most. */
const attempts = { afterConflict: 6, afterLoss: 3 };

/** The only way to the stored data. One instance a thread. */
export class Database extends SessionReader {
  #mark: number | undefined;
  #revisions: Revisions | undefined;
  /** By where they are asked. */
  readonly #asked = new WeakMap<object, Promise<Revisions>>();
  readonly #told = new WeakMap<object, Revisions>();

  /** `reads`: what single reads are asked of. */
  constructor(engine: Engine, reads: Session = engine) {
    super(engine, createBuilder(engine.capabilities.createQueryCompiler()), reads);
  }

  override gathered(): Database {
    return this.isRemote ? new Database(this.engine, new GatheredReads(this.engine)) : this;
  }

  get capabilities() {
    return this.engine.capabilities;
  }

  override all<R>(query: unknown, parameters?: unknown): Promise<R[]> {
    return super.all<R>(query, parameters).catch(refuse);
  }

  override async consistently<T>(longest: number, work: (reader: Reader) => Promise<T>): Promise<T> {
    const look = (session: Session) => work(new SessionReader(this.engine, this.sql, session));
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.engine.consistently(look, longest);
      } catch (error) {
        if (!(error instanceof ConcurrentChange) || attempt >= attempts.afterConflict) throw asRefusal(error);
      }
    }
  }

  /** As `consistently`, for reads of whatever tables there are. */
  consistentSession<T>(longest: number, work: (session: Session) => Promise<T>): Promise<T> {
    return this.engine.consistently(work, longest).catch(refuse);
  }

  override soon<P, R>(query: Statement<P, R>, parameters: P): Soon<R[]> {
    const executable = this.executable(query, parameters);
    const rows = this.engine.allAtOnce(executable) as R[] | undefined;
    return rows ?? (this.session.all(executable) as Promise<R[]>).catch(refuse);
  }

  /** Runs work of somebody in one transaction, again when something got in its way and nothing was stored. */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { client, userId }: Partial<Pick<Viewer, 'client' | 'userId'>> = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.engine.transaction(
          (session) =>
            work(new SessionTransaction(this.engine, this.sql, session, { client, isFresh: true })),
          userId,
        );
      } catch (error) {
        if (!this.#mayTryAgain(error, attempt)) throw asRefusal(error);
        await pause(Math.random() * 20 * attempt);
      }
    }
  }

  /** A lost connection is worth another try; whoever waited for a lock in vain has waited long enough. */
  #mayTryAgain(error: unknown, attempt: number): boolean {
    if (error instanceof ConcurrentChange) return attempt < attempts.afterConflict;
    return error instanceof StorageUnavailable && error.trouble === 'lost' && attempt < attempts.afterLoss;
  }

  exclusiveTransaction<T>(work: (transaction: Transaction, session: Session) => Promise<T>): Promise<T> {
    return this.engine.exclusiveTransaction((session) =>
      work(new SessionTransaction(this.engine, this.sql, session, { isFresh: false }), session),
    );
  }

  /** The current revisions, when they can be told without asking the database. */
  knownRevisions(): Revisions | undefined {
    const mark = this.engine.changeMark();
    if (mark === undefined || mark !== this.#mark) this.#revisions = undefined;
    this.#mark = mark;
    return mark === undefined ? undefined : this.#revisions;
  }

  knownRevision(name: RevisionName): number | undefined {
    return this.knownRevisions()?.[name];
  }

  /** The current revisions, asked of the database only when they may have changed. */
  async revisions(): Promise<Revisions> {
    const known = this.knownRevisions();
    if (known !== undefined) return known;
    if (this.isRemote) return this.#askTogether();
    this.#revisions = await readRevisions(this);
    return this.#revisions;
  }

  /** One question for all who ask in this turn of the event loop, sent when it is over: nobody hears what was before they asked. */
  #askTogether(): Promise<Revisions> {
    const place = this.placeOfReads();
    const asked = this.#asked.get(place) ?? this.#ask(place);
    this.#asked.set(place, asked);
    return asked;
  }

  async #ask(place: object): Promise<Revisions> {
    await Promise.resolve();
    this.#asked.delete(place);
    const rows = await this.engine.revisionRows(this.executable(allRevisions, {})).catch(refuse);
    const revisions = revisionsIn(rows as { name: string; value: number }[]);
    this.#told.set(place, revisions);
    return revisions;
  }

  override recentRevisions(): Revisions | undefined {
    return this.#told.get(this.placeOfReads());
  }

  async revision(name: RevisionName): Promise<number> {
    return (await this.revisions())[name];
  }

  /** As the engine's: another number whenever something may have been stored since it was last given. */
  changeMark(): number | undefined {
    return this.engine.changeMark();
  }

  beginTurn(): void {
    this.engine.beginTurn();
  }

  beginLateTurn(): void {
    this.engine.beginLateTurn();
  }

  renew(): void {
    this.engine.renew();
  }

  connectionUse(): ConnectionUse | undefined {
    return this.engine.connectionUse();
  }

  /** As the engine's: where reads go now. */
  placeOfReads(): object {
    return this.engine.placeOfReads();
  }

  /** Begins reads of a caller who was identified just now; undefined where there is one place to read from. */
  beginReads({ userId }: Pick<Viewer, 'userId'>): Promise<CallerReads> | undefined {
    return this.engine
      .beginReads(userId)
      ?.then(({ isReplica, within, end }) => ({ isReplica, within, end: () => end().catch(refuse) }));
  }

  /** As the engine's: for what is remembered for everybody. */
  readNewest<T>(work: () => T): T {
    return this.engine.readNewest(work);
  }

  /** As the engine's: before others are told of something that they will read. */
  settle(): Promise<void> {
    return this.engine.settle().catch(refuse);
  }

  replicaUse(): ReplicaUse | undefined {
    return this.engine.replicaUse();
  }

  longestTransaction(): Promise<number> {
    return this.engine.longestTransaction();
  }

  hasTable(name: string): Promise<boolean> {
    return this.engine.hasTable(name);
  }

  /** Looks for damage; faults of reaching the database are thrown as they are. */
  checkHealth(isGlance = false): Promise<Health> {
    return this.engine.checkHealth(isGlance);
  }

  /** As the engine's; faults are thrown as they are. */
  requireRoom(): Promise<void> {
    return this.engine.requireRoom();
  }

  /** Fails with `UnfitDatabase` where this program cannot work. */
  requireFit(): Promise<void> {
    return this.engine.requireFit();
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

function refuse(error: unknown): never {
  throw asRefusal(error);
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error;
  const cause = error.message;
  if (error instanceof StorageUnavailable && error.trouble === 'broken') {
    const words = 'The database cannot be used; the log says why. Nothing was changed.';
    return unavailable(words, { cause, retryAfter: 30 });
  }
  if (error instanceof StorageUnavailable) {
    return unavailable('The database is busy or away. Nothing was changed.', { cause, retryAfter: 2 });
  }
  if (error instanceof TooLong) {
    return unavailable('This takes too long. Ask for less.', { cause });
  }
  if (error instanceof CommitUncertain) {
    const words =
      'The database went away in the middle. Look whether the change was stored before you repeat it.';
    return unavailable(words, { cause, retryAfter: 2 });
  }
  if (error instanceof ConcurrentChange) {
    const words = 'Too many simultaneous changes of the same thing. Nothing was changed.';
    return unavailable(words, { cause, retryAfter: 1 });
  }
  return error;
}
