import type { Config } from '../kernel/config.ts';
import type { Calls, Database } from '../storage/index.ts';
import type { SvnOperations } from './operations.ts';
import { SvnWorkspace } from './server/workspace.ts';

/** What repositories are made and changed with: the database for what is said about them, the workspace for themselves. */
export interface SvnDeps {
  readonly database: Database;
  readonly operations: Calls<SvnOperations>;
  readonly svnWorkspace: SvnWorkspace;
}

/** The workspace is looked for when it is first needed: without Subversion there need not be one. */
export function svnDepsOn(
  config: Pick<Config, 'dataFolder' | 'svnUser'>,
  database: Database,
  operations: Calls<SvnOperations>,
): SvnDeps {
  let svnWorkspace: SvnWorkspace | undefined;
  return {
    ...{ database, operations },
    get svnWorkspace() {
      svnWorkspace ??= new SvnWorkspace(config);
      return svnWorkspace;
    },
  };
}
