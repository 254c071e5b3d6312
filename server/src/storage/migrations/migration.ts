import type { Capabilities } from '../engine.ts';

/** What a migration may ask of the engine to write its statements. */
export type Ddl = Pick<
  Capabilities,
  | 'columns'
  | 'tableOptions'
  | 'keyedTableOptions'
  | 'startCounting'
  | 'dropReference'
  | 'indexTextParts'
  | 'numberNotes'
  | 'keysIn'
>;

export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: (ddl: Ddl) => readonly string[];
}
