/** One statement with its values, ready to be run. */
export interface Executable {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Set on statements that are built once and run often; engines keep those prepared. */
  readonly name?: string;
}

/** Whether it may hold several commands: what has values, or is asked for by name, is one. */
export const isScript = ({ values, name }: Executable) => values.length === 0 && name === undefined;

export type Row = Record<string, unknown>;

/** Something that runs statements: a connection, or a transaction on one. */
export interface Session {
  all(statement: Executable): Promise<Row[]>;
  /** Runs a statement and tells how many rows it changed. */
  run(statement: Executable): Promise<number>;
  /**
   * Runs a statement of which nobody needs to know what it did. Over a network it is sent and not waited for: statements run in
   * the order in which they were sent, and when one fails, the next one that is waited for fails with its fault, at the latest the commit.
   */
  write(statement: Executable): Promise<void>;
}
