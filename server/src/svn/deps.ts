import type { Config } from '../kernel/config.ts';
import type { Calls, Database } from '../storage/index.ts';
import type { SvnOperations } from './operations.ts';
import { Workplace } from './server/workspace.ts';

/** What repositories are made and changed with: the database for what is said about them, the workplace for themselves. */
export interface Desk {
  readonly database: Database;
  readonly operations: Calls<SvnOperations>;
  readonly workplace: Workplace;
}

/** The workplace is looked for when it is first needed: without Subversion there need not be one. */
export function deskOn(
  config: Pick<Config, 'dataFolder' | 'svnUser'>,
  database: Database,
  operations: Calls<SvnOperations>,
): Desk {
  let workplace: Workplace | undefined;
  return {
    ...{ database, operations },
    get workplace() {
      workplace ??= new Workplace(config);
      return workplace;
    },
  };
}
