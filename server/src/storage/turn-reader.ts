import type { Compilable } from '@bundled/kysely';
import type { Soon } from '../kernel/soon.ts';
import type { Reader } from './database.ts';
import type { SqlBuilder, Statement } from './statement.ts';
import type { Turn } from './turns.ts';

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

  get keepsTextParts(): boolean {
    return this.#reader.keepsTextParts;
  }

  get isRemote(): boolean {
    return this.#reader.isRemote;
  }

  async all<R>(query: Compilable<R> | Statement<unknown, R>, parameters?: unknown): Promise<R[]> {
    this.turn.check();
    // Which of the two it is, both readers find out for themselves.
    return this.#reader.all(query as Statement<unknown, R>, parameters);
  }

  soon<P, R>(query: Statement<P, R>, parameters: P): Soon<R[]> {
    this.turn.check();
    return this.#reader.soon(query, parameters);
  }

  async first<R>(query: Compilable<R> | Statement<unknown, R>, parameters?: unknown): Promise<R | undefined> {
    return (await this.all(query, parameters))[0];
  }

  gathered(): Reader {
    return new TurnReader(this.#reader.gathered(), this.turn);
  }

  consistently<T>(longest: number, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#reader.consistently(longest, (reader) => work(new TurnReader(reader, this.turn)));
  }
}
