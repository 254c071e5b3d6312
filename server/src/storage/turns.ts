import type { Compilable } from '@bundled/kysely';
import type { Reader } from './database.ts';
import type { SqlBuilder, Statement } from './statement.ts';

/** Whoever reads had their turn, and others wait: what was read so far is read again where there is time. */
export class TurnOver extends Error {}

/** Milliseconds that this thread worked. On a busy machine that is less than what went by. */
const worked = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** So often the length of a turn may go by, however little work was done: whoever waits for the disk keeps others waiting, too. */
const mostWaiting = 5;

/** So many milliseconds of work of this thread. */
export class Turn {
  readonly #end: number;
  readonly #latest: number;

  constructor(length: number) {
    this.#end = worked() + length;
    this.#latest = performance.now() + length * mostWaiting;
  }

  /** To be called between parts of long work. */
  check(): void {
    if (worked() > this.#end || performance.now() > this.#latest) throw new TurnOver('The turn is over.');
  }
}

/** Reads until a turn is over, and then begins no other statement. */
export class TurnReader implements Reader {
  readonly sql: SqlBuilder;
  readonly turn: Turn;
  readonly #reader: Reader;

  constructor(reader: Reader, turn: Turn) {
    this.#reader = reader;
    this.turn = turn;
    this.sql = reader.sql;
  }

  get foldsPostings(): boolean {
    return this.#reader.foldsPostings;
  }

  async all<R>(query: Compilable<R> | Statement<unknown, R>, parameters?: unknown): Promise<R[]> {
    this.turn.check();
    // Which of the two it is, both readers find out for themselves.
    return this.#reader.all(query as Statement<unknown, R>, parameters);
  }

  async first<R>(query: Compilable<R> | Statement<unknown, R>, parameters?: unknown): Promise<R | undefined> {
    return (await this.all(query, parameters))[0];
  }

  consistently<T>(longest: number, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#reader.consistently(longest, (reader) => work(new TurnReader(reader, this.turn)));
  }
}
