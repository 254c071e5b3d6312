/*
 * What the database keeps of repositories. Every function here runs in one transaction, wherever writes run.
 *
 * create.ts, settings.ts, administrators.ts, access-versions.ts   making and changing; describe.ts words for the history of the project
 * delete.ts, purge.ts   a deletion from the wish to the end, and back; dump-names.ts  how its dump is called
 * changed.ts  what every change tells those who look
 * commits.ts  a commit, with the references in its message; uses.ts who read, wrote and looked, by day
 *
 * The disk is never touched here: `lifecycle/` and `settings/` do that around these transactions.
 */

export { listAccessVersions, saveAccessVersion } from './access-versions.ts';
export { readSvnAdministrators, setSvnAdministrators } from './administrators.ts';
export {
  type Commit,
  noteLastCommit,
  passRevision,
  readKeptPaths,
  recordCommit,
  revisionOrigin,
  rewordCommit,
} from './commits.ts';
export { abandonRepository, beginRepository, insertRepository, publishRepository } from './create.ts';
export {
  claimDeletion,
  claimRestoration,
  type DeletedRepository,
  findDueDeletions,
  listDeletedRepositories,
  postponeDeletion,
  purgeRepository,
  releaseRestoration,
  requestDeletion,
  requireRestorable,
  settleDeletion,
  settleRestoration,
  undoDeletion,
} from './delete.ts';
export { describeNotifications, describeRules, describeTags } from './describe.ts';
export { dumpFileOf, repositoryNamePart } from './dump-names.ts';
export { forgetRepository } from './purge.ts';
export { setSubjectHeader, storeRepositorySettings } from './settings.ts';
export {
  readSvnStatistics,
  recordSvnUses,
  type SvnStatistic,
  type SvnUse,
  svnDayOf,
} from './uses.ts';
