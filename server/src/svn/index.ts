export { AccessKeeper, findServedRepository } from './access/keeper.ts';
export { type AccessVersion, listAccessVersions } from './access/versions.ts';
export {
  browsedPath,
  type LastChange,
  type LogEntry,
  openRepository,
  type RepositoryView,
} from './browse/browse.ts';
export { type CommitFacts, CommitRegister, type SeenCommit } from './browse/commit-facts.ts';
export type { Change } from './commits/immutable-tags.ts';
export { commitsAsReferences } from './commits/references.ts';
export { type SvnDeps, svnDepsOn } from './deps.ts';
export { repositoriesInProjects } from './extension.ts';
export { createRepository } from './lifecycle/create.ts';
export { type DeletedRepository, listDeletedRepositories } from './lifecycle/delete.ts';
export { DeletedRepositories, dumpFileOf, dumpRepository } from './lifecycle/dumps.ts';
export { forgetUnfinished, withCopy } from './lifecycle/hotcopy.ts';
export {
  type ArchivedRepository,
  discardRepositories,
  type ExportedRepository,
  exportedRepositories,
  type ImportedRepository,
  importRepository,
  showRepositories,
} from './lifecycle/import.ts';
export { inspectRepositories, type RepositoryFaults } from './lifecycle/inspect.ts';
export { purgeRepositories } from './lifecycle/purge.ts';
export { sweepRepositories } from './lifecycle/sweep.ts';
export { removeOldTransactions, removeUnfinished, renewAllAccess, renewHooks } from './lifecycle/upkeep.ts';
export { type Notification, type Repository, type RepositorySettings, svnService } from './model.ts';
export { type SvnOperations, svnOperations, svnSearches } from './operations.ts';
export { listRepositories, readRepository, type SeenRepository } from './read.ts';
export { secretHeader } from './server/apache-config.ts';
export { answerDavLine, type DavDoor, DavLine, type DavSecrets, DavServer } from './server/dav-server.ts';
export { unasked, undecided } from './server/hook-scripts.ts';
export { HookServer } from './server/hook-server.ts';
export { CommitJudge } from './server/hooks.ts';
export { providePackages } from './server/packages.ts';
export { SvnParts, type SvnPlaces } from './server/parts.ts';
export { type RepositoryPlace, type SvnConfig, SvnWorkspace } from './server/workspace.ts';
export { readSvnAdministrators } from './settings/administrators.ts';
export { changeRepository } from './settings/change.ts';
export type { GivenNotification } from './settings/notifications.ts';
