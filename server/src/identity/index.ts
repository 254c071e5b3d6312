/*
 * Who people are, and how they prove it.
 *
 * model.ts, accounts.ts   accounts; extension.ts what rooms above do when one changes
 * authentication.ts       who sends a request, by whatever it brings (basic.ts): read it first
 * judge.ts, scopes.ts     whom accounts and access keys let in, and for what: pure, and the only place that decides it
 * passwords.ts, password-check.ts, login-attempts.ts   passwords, hashed off the event loop and throttled
 * access-keys.ts, tokens.ts, sessions.ts, ssh-keys.ts, password-tokens.ts   everything else that proves somebody
 * settings.ts             settings of the platform, one line each
 * platform-groups.ts, site-administrators.ts, policy.ts   who may what on the whole platform
 * platform-users.ts       accounts as those see them who look after accounts
 * preferences.ts, favorites.ts, visits.ts, avatars.ts     what people choose and leave behind
 * events.ts, system-events.ts   what was done in the background, as clients list it
 * platform-events.ts      what administrators of the platform look up later: sign-ins, rights, deletions
 *
 * Only hashes of secrets are stored, and what is taken from somebody is gone with the next request.
 */

export { type AccessKey, type KeysAfterChange, listAccessKeys, readAccessKey } from './access-keys.ts';
export { insertAccount, listAccounts, readAccount } from './accounts.ts';
export { Authenticator, type Caller, type Credentials, viewerFor } from './authentication.ts';
export { findAvatar } from './avatars.ts';
export { queueTask, recordTask, recordTasks, settleTask, taskTypes } from './events.ts';
export type { AccountExtension } from './extension.ts';
export { listFavorites } from './favorites.ts';
export {
  type Account,
  administrationProjectId,
  checkPassword,
  displayName,
  emailKey,
  isReservedName,
  isStatus,
  isUsable,
  lastTechnicalAccountId,
  nameKey,
  noneId,
  type Status,
  samePassword,
  searchText,
} from './model.ts';
export { type IdentityOperations, identityOperations, identitySearches } from './operations.ts';
export { findResetAccounts, requirePasswordToken } from './password-tokens.ts';
export { HashLimiter, PasswordHasher } from './passwords.ts';
export {
  listPlatformEvents,
  type PlatformEvent,
  type PlatformEventKind,
  recordPlatformEvent,
  recordPlatformEvents,
} from './platform-events.ts';
export {
  findPlatformGroupByName,
  listPlatformGroups,
  type PlatformGroup,
  permissionNames,
} from './platform-groups.ts';
export type { PlatformUser } from './platform-users.ts';
export {
  mayReadMemberships,
  requireMembershipReading,
  requireMembershipReadingOfAll,
  requireSelf,
  requireSiteAdministrator,
  requireUserManagement,
} from './policy.ts';
export { listPreferences, readPreference, readSshKeys } from './preferences.ts';
export { type Scope, scopes } from './scopes.ts';
export { listSessions, type WebSession } from './sessions.ts';
export { describeSettings, readSettings, type Settings, settingDefinitions } from './settings.ts';
export { isSiteAdministrator, requireSiteAdministratorLeft } from './site-administrators.ts';
export { isSshKey } from './ssh-keys.ts';
export {
  accountColumns,
  findAccount,
  findAccountByName,
  findAccounts,
  findAccountsByEmail,
  findAccountsByLdapId,
  findAccountsByNames,
  findPreference,
} from './store.ts';
export { listSystemEvents, type SystemEvent } from './system-events.ts';
export type { CheckedPassword } from './tokens.ts';
export { listVisits, type Visit, type VisitedPlace } from './visits.ts';
