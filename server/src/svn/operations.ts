import type { Viewer } from '../kernel/viewer.ts';
import type { ProjectExtension } from '../projects/index.ts';
import type { Transaction } from '../storage/index.ts';
import {
  abandonRepository,
  beginRepository,
  type Commit,
  claimDeletion,
  claimRestoration,
  forgetRepository,
  insertRepository,
  noteLastCommit,
  passRevision,
  postponeDeletion,
  publishRepository,
  purgeRepository,
  recordCommit,
  recordSvnUses,
  releaseRestoration,
  requestDeletion,
  rewordCommit,
  setSubjectHeader,
  setSvnAdministrators,
  settleDeletion,
  settleRestoration,
  storeRepositorySettings,
  undoDeletion,
} from './records/index.ts';
import { searchRepositories } from './search.ts';

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
    /** One that an archive brings. */
    insertImportedRepository: insertRepository,
    noteLastCommit,
    passRevision,
    recordSvnUses,
    rewordCommit,
    recordCommit: (tx: Transaction, viewer: Viewer, commit: Commit) =>
      recordCommit(tx, viewer, commit, extensions),
  };
}
export type SvnOperations = ReturnType<typeof svnOperations>;

/** Reads that look through more than an index, and so run off the event loop. */
export const svnSearches = { searchRepositories };
