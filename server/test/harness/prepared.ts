/** What the set-up of a test run hands to the test files. */
export interface Prepared {
  /** A data folder with a migrated database in it, to be copied. */
  readonly sqliteFolder: string;
  readonly sqliteKey: string;
  /** Address of the PostgreSQL server, to which a database name is appended. */
  readonly postgresUrl: string;
  readonly postgresKey: string;
}

/** The access keys of the first account in the templates. */
export interface TemplateKeys {
  readonly sqlite: string;
  readonly postgres: string;
}

export const postgresTemplate = 'atelier_template';

/** Argon2 at its cheapest: tests are not about its cost. */
export const cheapHashing = { memory: 8, passes: 1 };

declare module 'vitest' {
  interface ProvidedContext {
    prepared: Prepared;
  }
}
