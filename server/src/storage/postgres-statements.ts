import pg from 'pg';
import type { Executable, Row } from './session.ts';

/** What of the library's connection is used here. */
interface Wire {
  parse(statement: { text: string; name: string }): void;
  bind(values: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  close(statement: { type: 'S'; name: string }): void;
  sync(): void;
  readonly stream: { cork(): void; uncork(): void };
}

/** How the rows of an answer are read. */
interface Columns {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

const noColumns: Columns = { names: [], parsers: [] };

/** A statement that the server was told to keep. */
interface Prepared {
  readonly name: string | undefined;
  /** Unset until the server told them. */
  columns: Columns | undefined;
  /** Set when nobody knows whether the server keeps it, or what it keeps is of no use any more. */
  isUncertain: boolean;
}

/** By connection and name. */
const preparedOn = new WeakMap<Wire, Map<string, Prepared>>();

export interface Answer {
  readonly rows: Row[];
  /** How many rows it changed, or told. */
  readonly count: number;
}

/** How it ended: for all of the statements, or with a fault after so many of them. */
export type Ending = { readonly answers: Answer[] } | { readonly fault: unknown; readonly done: number };

/** Tables are others than when the statement was prepared, or the server knows it no more. Nothing of it was run: it is worth another try. */
export const isUnprepared = (error: unknown) =>
  error instanceof pg.DatabaseError &&
  (error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery'));

/** Its types know the class as something that is made and left to itself. */
const LibraryQuery = pg.Query as unknown as new (config: object) => object;

/**
 * Statements that are sent together and answered together. Behind each that is asked for by itself the server sends what it has to say and
 * wakes up who asked, which costs both sides more than most statements do. Nor does it tell the columns of an answer again that it
 * told before. When one fails, the server leaves out those behind it.
 */
class Together extends LibraryQuery {
  readonly #statements: readonly Executable[];
  readonly #types: pg.CustomTypesConfig;
  readonly #end: (ending: Ending) => void;
  readonly #asked: Prepared[] = [];
  #known = new Map<string, Prepared>();
  readonly #answers: Answer[] = [];
  #rows: Row[] = [];
  /** Here rather than at the server. */
  #fault: unknown;

  constructor(statements: readonly Executable[], types: pg.CustomTypesConfig, end: (ending: Ending) => void) {
    super({});
    this.#statements = statements;
    this.#types = types;
    this.#end = end;
  }

  submit(connection: object): null {
    // The types of the library ask for more than its code does.
    const wire = connection as Wire;
    this.#known = preparedOn.get(wire) ?? this.#known;
    preparedOn.set(wire, this.#known);
    wire.stream.cork();
    try {
      for (const statement of this.#statements) this.#send(wire, statement);
    } catch (error) {
      // A value that cannot be sent: nothing behind it is.
      this.#fault = error;
    } finally {
      wire.sync();
      wire.stream.uncork();
    }
    return null;
  }

  #send(wire: Wire, { sql, values, name }: Executable): void {
    const sent = values.map(sentValue);
    const former = name === undefined ? undefined : this.#known.get(name);
    const isKnown = former !== undefined && !former.isUncertain;
    const prepared = isKnown ? former : { name, columns: undefined, isUncertain: false };
    if (!isKnown) {
      if (former?.name !== undefined) wire.close({ type: 'S', name: former.name });
      wire.parse({ text: sql, name: name ?? '' });
      if (name !== undefined) this.#known.set(name, prepared);
    }
    this.#asked.push(prepared);
    wire.bind({ statement: name ?? '', values: sent });
    if (prepared.columns === undefined) wire.describe({ type: 'P' });
    wire.execute();
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    const prepared = this.#asked[this.#answers.length];
    if (prepared === undefined) return;
    prepared.columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => this.#types.getTypeParser(dataTypeID, 'text')),
    };
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { names, parsers } = this.#asked[this.#answers.length]?.columns ?? noColumns;
    const row: Row = {};
    for (let i = 0; i < names.length; i++) {
      const text = fields[i] ?? null;
      row[names[i] as string] = text === null ? null : parsers[i]?.(text);
    }
    this.#rows.push(row);
  }

  /** The number is the last word: `UPDATE 3`, `INSERT 0 1`, and none in `BEGIN`. */
  handleCommandComplete({ text }: { text: string }): void {
    const prepared = this.#asked[this.#answers.length];
    if (prepared !== undefined) prepared.columns ??= noColumns;
    this.#answers.push({ rows: this.#rows, count: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 });
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(fault: unknown): void {
    const done = this.#answers.length;
    const [failed, ...leftOut] = this.#asked.slice(done);
    // Those behind it were not even prepared, if they were to be.
    for (const prepared of leftOut) prepared.isUncertain ||= prepared.columns === undefined;
    if (failed !== undefined) failed.isUncertain ||= failed.columns === undefined;
    // What is true of one statement is likely to be true of others; each would fail somebody's work by itself.
    if (isUnprepared(fault)) for (const prepared of this.#known.values()) prepared.isUncertain = true;
    this.#end({ fault, done });
  }

  handleReadyForQuery(): void {
    if (this.#fault === undefined) this.#end({ answers: this.#answers });
    else this.#end({ fault: this.#fault, done: this.#answers.length });
  }
}

/** Asks for statements, one at least, each of one command. */
export const askTogether = (
  client: pg.PoolClient,
  statements: readonly Executable[],
  types: pg.CustomTypesConfig,
): Promise<Ending> =>
  new Promise((resolve) => {
    client.query(new Together(statements, types, resolve));
  });

/** As the server reads it. */
function sentValue(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(sentItem).join()}}`;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'object') throw new TypeError('A statement takes no such value.');
  return String(value);
}

/** In an array of any type but arrays. */
function sentItem(item: unknown): string {
  if (item === null || item === undefined) return 'NULL';
  if (typeof item === 'number') return String(item);
  if (item instanceof Uint8Array) return `"\\\\x${Buffer.from(item).toString('hex')}"`;
  return `"${String(item).replace(/["\\]/g, '\\$&')}"`;
}
