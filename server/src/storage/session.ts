/** One statement with its values, ready to be run. */
export interface Executable {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Set on statements that are built once and run often; engines keep those prepared. */
  readonly name?: string;
}

export type Row = Record<string, unknown>;

/** Something that runs statements: a connection, or a transaction on one. */
export interface Session {
  all(statement: Executable): Promise<Row[]>;
  /** Runs a statement and tells how many rows it changed. */
  run(statement: Executable): Promise<number>;
}
