export { AccessKeeper, findServedRepository } from './access-keeper.ts';
export { type AccessVersion, listAccessVersions } from './access-versions.ts';
export { readSvnAdministrators } from './administrators.ts';
export { secretHeader } from './apache-config.ts';
export {
  browsedPath,
  type LastChange,
  type LogEntry,
  openRepository,
  type RepositoryView,
} from './browsing.ts';
export { changeRepository } from './changes.ts';
export { type CommitFacts, CommitRegister } from './commit-facts.ts';
export { createRepository } from './creation.ts';
export { answerDavLine, type DavDoor, DavLine, type DavSecrets, DavServer } from './dav-server.ts';
export { type DeletedRepository, listDeletedRepositories } from './deletion.ts';
export { type Desk, deskOn } from './desk.ts';
export { DeletedRepositories, dumpFileOf, dumpRepository } from './dumps.ts';
export { repositoriesInProjects } from './extension.ts';
export { unasked, undecided } from './hook-scripts.ts';
export { HookServer } from './hook-server.ts';
export { CommitJudge } from './hooks.ts';
export { forgetUnfinished, withCopy } from './hotcopy.ts';
export type { Change } from './immutable-tags.ts';
export {
  type ArchivedRepository,
  discardRepositories,
  type ExportedRepository,
  exportedRepositories,
  type ImportedRepository,
  importRepository,
  showRepositories,
} from './importing.ts';
export { inspectRepositories, type RepositoryFaults } from './inspection.ts';
export { sweepRepositories } from './leftovers.ts';
export { type Notification, type Repository, type RepositorySettings, svnService } from './model.ts';
export type { GivenNotification } from './notifications.ts';
export { type SvnOperations, svnOperations } from './operations.ts';
export { providePackages } from './packages.ts';
export { missingParts, requireSubversion } from './parts.ts';
export { purgeRepositories } from './purging.ts';
export { listRepositories, readRepository, type SeenRepository } from './reading.ts';
export { commitsAsReferences } from './references.ts';
export { removeOldTransactions, removeUnfinished, renewAllAccess, renewHooks } from './upkeep.ts';
export { type RepositoryPlace, Workplace } from './workplace.ts';
