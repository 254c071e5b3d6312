import type { Calls, Database } from '../storage/index.ts';
import type { SvnOperations } from './operations.ts';
import { type SvnConfig, SvnParts, SvnWorkspace } from './workspace/index.ts';

/** What repositories are made and changed with: the database for what is said about them, the workspace for themselves. */
export interface SvnDeps {
  readonly database: Database;
  readonly operations: Calls<SvnOperations>;
  readonly svnWorkspace: SvnWorkspace;
  /** Whether Subversion is there to work on them. */
  readonly parts: SvnParts;
}

/** The workspace is looked for when it is first needed: without Subversion there need not be one. */
export function svnDepsOn(config: SvnConfig, database: Database, operations: Calls<SvnOperations>): SvnDeps {
  let svnWorkspace: SvnWorkspace | undefined;
  const parts = new SvnParts(config);
  return {
    ...{ database, operations, parts },
    get svnWorkspace() {
      svnWorkspace ??= new SvnWorkspace(config, parts);
      return svnWorkspace;
    },
  };
}
