import type { Viewer } from '../kernel/viewer.ts';
import type { ProjectExtension } from '../projects/index.ts';
import type { Transaction } from '../storage/index.ts';
import { setSvnAdministrators } from './administrators.ts';
import { setSubjectHeader, storeRepositorySettings } from './changes.ts';
import { type Commit, recordCommit } from './commits.ts';
import { abandonRepository, beginRepository, publishRepository } from './creation.ts';
import {
  claimDeletion,
  claimRestoration,
  postponeDeletion,
  purgeRepository,
  releaseRestoration,
  requestDeletion,
  settleDeletion,
  settleRestoration,
  undoDeletion,
} from './deletion.ts';
import { insertImportedRepository } from './importing.ts';
import { forgetRepository } from './purging.ts';

/** Everything that is written down about repositories. Each runs in one transaction, wherever writes run. */
export function svnOperations(extensions: readonly ProjectExtension[]) {
  return {
    beginRepository,
    publishRepository,
    abandonRepository,
    storeRepositorySettings,
    setSubjectHeader,
    setSvnAdministrators,
    requestDeletion,
    undoDeletion,
    claimDeletion,
    claimRestoration,
    releaseRestoration,
    settleDeletion,
    postponeDeletion,
    settleRestoration,
    purgeRepository,
    forgetRepository,
    insertImportedRepository,
    recordCommit: (tx: Transaction, viewer: Viewer, commit: Commit) =>
      recordCommit(tx, viewer, commit, extensions),
  };
}
export type SvnOperations = ReturnType<typeof svnOperations>;
