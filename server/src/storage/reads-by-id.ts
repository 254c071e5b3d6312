import type { Compilable } from '@bundled/kysely';
import type { Database } from './database.ts';
import { type SqlBuilder, Statement } from './statement.ts';

/** Rows of one statement at the most. */
const mostAtOnce = 64;

interface Waiting<Row> {
  readonly row: Promise<Row | undefined>;
  found(row: Row | undefined): void;
  failed(error: unknown): void;
}

type ByIds<Row> = Statement<{ readonly ids: readonly number[] }, Row>;

/**
 * Reads of one row each. All that are asked for in one turn of the event loop go over the network as one statement, which costs both
 * sides little more than one of them alone. It is sent when the turn is over, so that nobody misses what was committed before
 * they asked.
 */
export class ReadsById<Row extends { readonly id: number }> {
  readonly #statement: ByIds<Row>;
  /** By where they are read. */
  readonly #waiting = new WeakMap<object, Map<number, Waiting<Row>>>();

  constructor(build: (sql: SqlBuilder, parameters: { readonly ids: readonly number[] }) => Compilable<Row>) {
    this.#statement = new Statement(build);
  }

  find(database: Database, id: number): Promise<Row | undefined> {
    const place = database.placeOfReads();
    const gathered = this.#waiting.get(place) ?? this.#begin(database, place);
    const known = gathered.get(id);
    if (known !== undefined) return known.row;
    const { promise: row, resolve: found, reject: failed } = Promise.withResolvers<Row | undefined>();
    gathered.set(id, { row, found, failed });
    if (gathered.size === mostAtOnce) this.#send(database, place, gathered);
    return row;
  }

  #begin(database: Database, place: object): Map<number, Waiting<Row>> {
    const gathered = new Map<number, Waiting<Row>>();
    this.#waiting.set(place, gathered);
    queueMicrotask(() => this.#send(database, place, gathered));
    return gathered;
  }

  #send(database: Database, place: object, gathered: ReadonlyMap<number, Waiting<Row>>): void {
    // Full ones are sent before the turn is over.
    if (this.#waiting.get(place) !== gathered) return;
    this.#waiting.delete(place);
    database.all<Row>(this.#statement, { ids: [...gathered.keys()] }).then(
      (rows) => {
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const [id, { found }] of gathered) found(byId.get(id));
      },
      (error: unknown) => {
        for (const { failed } of gathered.values()) failed(error);
      },
    );
  }
}
