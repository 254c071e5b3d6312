import type { QueryCompiler } from '@bundled/kysely';
import type { BulkInsert } from './bulk.ts';
import type { Catalog } from './catalog.ts';
import type { Executable, Row, Session } from './session.ts';

export type { Executable, Row, Session } from './session.ts';

/**
 * All that differs between the engines and that other code may ask about. Nobody outside the engine files looks at the
 * name to decide something.
 */
export interface Capabilities {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Whether `select … for update` exists; where one writer runs at a time it is not needed. */
  readonly locksRows: boolean;
  /** Whether statements go over a network, so that reads of one turn are better sent as one. */
  readonly isRemote: boolean;
  /** Whether writes of this process go through a thread of their own. */
  readonly needsWriterThread: boolean;
  readonly columns: {
    readonly identity: string;
    readonly integer: string;
    readonly real: string;
    readonly text: string;
    readonly bytes: string;
  };
  /** Written after the closing bracket of every `create table`. */
  readonly tableOptions: string;
  /** The same, for tables that hold little beside their primary key and are read by it. */
  readonly keyedTableOptions: string;
  /** Statements that let the ids of an empty table begin at the given number. */
  startCounting(table: string, first: number): readonly string[];
  /** Statements that end a foreign key; `rebuild` does so where the table must be made anew for it. */
  dropReference(table: string, column: string, rebuild: readonly string[]): readonly string[];
  /** Whether the parts of texts are in a table of their own, taken in after the change; elsewhere an index of the database has them. */
  readonly keepsTextParts: boolean;
  /**
   * Statements that let several rows of the table tell of the same thing, each with a number of its own: several transactions that write one
   * row at a time would wait for each other. None where one writer runs at a time.
   */
  numberNotes(table: string, key: string, number: string): readonly string[];
  /** Statements that let parts of the `text` of tables be found: in a table of its own, or by an index of each. */
  indexTextParts(name: string, tables: readonly string[]): readonly string[];
  /** An expression for the keys of the JSON object in a column, in their order and with a blank between two; null where it has none. */
  keysIn(column: string): string;
  /** What the database knows of itself. */
  readonly catalog: Catalog;
  /** How a statement names the value at that place, from 0. */
  parameter(index: number): string;
  insertMany(session: Session, insert: BulkInsert): Promise<void>;
  /** Ids of the table that nobody else will get. */
  newIds(session: Session, table: string, count: number): Promise<number[]>;
  createQueryCompiler(): QueryCompiler;
}

/** How a database is, by its own words. */
export interface Health {
  readonly version: string;
  /** What is wrong, in words for a person; empty when nothing is. */
  readonly faults: readonly string[];
  /** What it takes on its disk. */
  readonly bytes: number;
  /** How many connections it gives at the most; undefined where it is no server. */
  readonly connections?: number;
}

/** Connections of this thread to a server, by whether somebody uses them, and how many wait for one. */
export interface ConnectionUse {
  readonly used: number;
  readonly idle: number;
  readonly awaited: number;
}

/** Replicas by whether they are read from. */
export interface ReplicaUse {
  readonly used: number;
  readonly leftOut: number;
}

/** Reads of one request, from wherever they are right for who asks. */
export interface CallerReads {
  /** Whether they go to a replica. */
  readonly isReplica: boolean;
  /** Runs reads of the request. */
  within<T>(work: () => T): T;
  /** To be waited for before the answer leaves: whoever read the newest must not read anything older next time, wherever that is. */
  end(): Promise<void>;
}

export interface Engine extends Session {
  readonly capabilities: Capabilities;
  /** The rows of statements of one command each, from the database itself and asked for together where that is less work. All fail where one does. */
  allOf(statements: readonly Executable[]): Promise<Row[][]>;
  /** One atomic, durable unit of work, which that account sees from then on, wherever it reads. What `work` awaits must be statements of its session, and nothing else. */
  transaction<T>(work: (session: Session) => Promise<T>, account?: number): Promise<T>;
  /** Reads that all see one state. None of them may take longer than that many milliseconds, where that can be told. */
  consistently<T>(work: (session: Session) => Promise<T>, longest: number): Promise<T>;
  /** As `transaction`, alone among all processes that use this database: for migrations. */
  exclusiveTransaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** The rows, where they can be had without waiting for anybody; undefined where they cannot, or something went wrong. */
  allAtOnce(statement: Executable): Row[] | undefined;
  /**
   * A number that is another one whenever the stored revision may have changed since it was last given; undefined
   * when only asking the database can tell.
   */
  changeMark(): number | undefined;
  /** Called when a request has just been received; reads until the end of this turn of the loop may share a snapshot. */
  beginTurn(): void;
  /** The same for requests that were put by until all of this turn had been received. */
  beginLateTurn(): void;
  /** Makes the next read see everything committed until now. Needed after a commit that another thread told of. */
  renew(): void;
  /**
   * For how many milliseconds the longest transaction that still runs, in whatever process, has been running. 0 where
   * transactions follow one another and each sees what those before it did.
   */
  longestTransaction(): Promise<number>;
  /** Undefined where there is no server to connect to. */
  connectionUse(): ConnectionUse | undefined;
  /** Runs the statement that reads the revisions; where there are replicas, it is learned what callers must see of them. */
  revisionRows(statement: Executable): Promise<Row[]>;
  /** Begins reads of a caller about whom the revisions were asked just now. Undefined where there is one place to read from. */
  beginReads(account: number): Promise<CallerReads> | undefined;
  /** Where reads go now: those that go to the same place may be sent together. */
  placeOfReads(): object;
  /** Runs reads that see the newest, whoever asked: for what is remembered for everybody. */
  readNewest<T>(work: () => T): T;
  /** Waits until everybody who begins to read from now on sees what is there now. */
  settle(): Promise<void>;
  /** Undefined where there are none. */
  replicaUse(): ReplicaUse | undefined;
  /** Whether the table is there; where there is no database yet, it is not. */
  hasTable(name: string): Promise<boolean>;
  /** Looks for damage. May read all that is stored and block the thread meanwhile, unless a glance is enough. */
  checkHealth(isGlance?: boolean): Promise<Health>;
  /** Fails where a table could not grow, though there may be room in it: a row that is written again needs none. */
  requireRoom(): Promise<void>;
  /** Fails with `UnfitDatabase` where this program cannot work. */
  requireFit(): Promise<void>;
  close(): Promise<void>;
}

/** The database refused because of something another transaction did meanwhile; running the work again may succeed. */
export class ConcurrentChange extends Error {}

/**
 * Why the database cannot be used: `busy` with somebody else's work, `lost` its connection, or `broken`, which trying
 * again will not mend (a full disk, a read-only folder, a damaged file).
 */
export type Trouble = 'busy' | 'lost' | 'broken';

/** The database cannot be used; nothing of the unit of work was stored. */
export class StorageUnavailable extends Error {
  readonly trouble: Trouble;

  constructor(message: string, trouble: Trouble) {
    super(message);
    this.trouble = trouble;
  }
}

/** The database answers, and is not one that this program can work with; says what to do. */
export class UnfitDatabase extends Error {}

/** A read took longer than it may. */
export class TooLong extends Error {}

/** The connection was lost while the commit was on its way: only looking can tell whether it was stored. */
export class CommitUncertain extends Error {}
