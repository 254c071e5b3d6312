/*
 * The Subversion of this machine.
 *
 * parts.ts         which programs there are; packages.ts installs them where that is possible
 * workspace.ts     folders of repositories, whom they belong to, and running programs on them: read it first
 * turns.ts         how many programs look something up at once, in all and for one person
 * hook-scripts.ts  the scripts that Subversion runs around a commit
 */

export {
  afterwards,
  canRefuse,
  type HookName,
  hookNames,
  hookScript,
  unasked,
  undecided,
} from './hook-scripts.ts';
export { providePackages } from './packages.ts';
export { SvnParts, type SvnPlaces } from './parts.ts';
export { inTurn, startForReader } from './turns.ts';
export {
  clientFolder,
  type RepositoryPlace,
  type SvnConfig,
  SvnWorkspace,
  svnUserFault,
  youngestAt,
} from './workspace.ts';
