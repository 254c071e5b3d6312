/*
 * Repositories come and go.
 *
 * create.ts   makes one: the row, the folder, the layout, the hooks; disk.ts what that is on the disk: read these first
 * dumps.ts    a deleted repository is kept as a dump until it is brought back or purged (purge.ts)
 * import.ts, hotcopy.ts   repositories in archives and backups
 * inspect.ts, sweep.ts, upkeep.ts   find and clear what crashes and upgrades left
 *
 * What fails half-way leaves nothing behind that somebody could see.
 */

export { createRepository } from './create.ts';
export { DeletedRepositories, dumpRepository } from './dumps.ts';
export { DamagedRepository, forgetUnfinished, withCopy } from './hotcopy.ts';
export {
  type ArchivedRepository,
  discardRepositories,
  type ExportedRepository,
  exportedRepositories,
  importRepository,
  showRepositories,
} from './import.ts';
export { inspectRepositories, type RepositoryFaults } from './inspect.ts';
export { purgeRepositories } from './purge.ts';
export { sweepRepositories } from './sweep.ts';
export { removeOldTransactions, removeUnfinished, renewAllAccess, renewHooks } from './upkeep.ts';
