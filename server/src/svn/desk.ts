import type { Calls, Database } from '../storage/index.ts';
import type { SvnOperations } from './operations.ts';
import type { Workplace } from './workplace.ts';

/** What repositories are made and changed with: the database for what is said about them, the workplace for themselves. */
export interface Desk {
  readonly database: Database;
  readonly operations: Calls<SvnOperations>;
  readonly workplace: Workplace;
}
