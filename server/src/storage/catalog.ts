import type { Session } from './session.ts';

/** What a column holds, whatever the engine calls it. */
export type ColumnKind = 'integer' | 'real' | 'text' | 'bytes';

export interface StoredColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A table as the database itself describes it. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** The columns of its primary key, in their order. */
  readonly key: readonly string[];
}

/** Where a table that numbers its rows has got to. */
export interface Counter {
  readonly table: string;
  readonly column: string;
  /** The last number that was given; 0: none. */
  readonly last: number;
}

/** What the database knows of itself. No list of tables is kept by hand, so none can be forgotten. */
export interface Catalog {
  /** All tables that have rows of their own, by name. */
  tables(session: Session): Promise<StoredTable[]>;
  counters(session: Session): Promise<Counter[]>;
  setCounter(session: Session, counter: Counter): Promise<void>;
  /**
   * Lets rows come in any order until the function is called that this gives, in the same transaction. By the end of that
   * every reference leads somewhere, or the transaction fails.
   */
  suspendReferences(session: Session): Promise<() => Promise<void>>;
}

export const quoted = (name: string) => `"${name}"`;
