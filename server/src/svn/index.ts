/*
 * Subversion repositories of projects: the real Subversion, kept and served by the platform.
 *
 * model.ts      what a repository is: read it first; store.ts, policy.ts, read.ts, search.ts, notifications.ts, immutable-tags.ts, previews.ts
 * records/      what the database keeps of them, in transactions; operations.ts lists those
 * workspace/    the Subversion of this machine: programs, folders, hook scripts
 * lifecycle/    making, deleting, dumping, importing; settings/ changing what is set; access/ who may read and write which paths
 * server/       Apache and its hooks; commits/ what messages refer to; browse/ what is in a repository
 * deps.ts       what all of this is handed; extension.ts what follows when projects and groups change
 *
 * Without Subversion on the machine everything else works, and what needs it says which packages are missing.
 */

export { AccessKeeper, findServedRepository, requireReadingAll } from './access/index.ts';
export {
  browsedPath,
  type CommitFacts,
  CommitRegister,
  type LastChange,
  type LogEntry,
  openRepository,
  type RepositoryView,
  type SeenCommit,
} from './browse/index.ts';
export { commitsAsReferences } from './commits/index.ts';
export { type SvnDeps, svnDepsOn } from './deps.ts';
export { repositoriesInProjects, repositoriesOfAccounts } from './extension.ts';
export {
  type ArchivedRepository,
  createRepository,
  DamagedRepository,
  DeletedRepositories,
  discardRepositories,
  dumpRepository,
  type ExportedRepository,
  exportedRepositories,
  forgetUnfinished,
  importRepository,
  inspectRepositories,
  purgeRepositories,
  type RepositoryFaults,
  removeOldTransactions,
  removeUnfinished,
  renewAllAccess,
  renewHooks,
  showRepositories,
  sweepRepositories,
  withCopy,
} from './lifecycle/index.ts';
export { type Notification, type Repository, type RepositorySettings, svnService } from './model.ts';
export { type SvnOperations, svnOperations, svnSearches } from './operations.ts';
export { previewTags, tryAccessFile } from './previews.ts';
export { type ListedRepository, listRepositories, readRepository } from './read.ts';
export {
  type DeletedRepository,
  dumpFileOf,
  listAccessVersions,
  listDeletedRepositories,
  readSvnAdministrators,
  readSvnStatistics,
  repositoryNamePart,
  type SvnStatistic,
  type SvnUse,
  svnDayOf,
} from './records/index.ts';
export {
  answerDavLine,
  CommitJudge,
  type DavDoor,
  DavLine,
  type DavSecrets,
  DavServer,
  HookServer,
  placesOf,
  recordMissingCommits,
  secretHeader,
} from './server/index.ts';
export { changeRepository } from './settings/index.ts';
export {
  providePackages,
  type RepositoryPlace,
  type SvnConfig,
  SvnParts,
  type SvnPlaces,
  SvnWorkspace,
  svnUserFault,
  unasked,
  undecided,
} from './workspace/index.ts';
