export {
  type AccessKey,
  type KeysAfterChange,
  listAccessKeys,
  readAccessKey,
} from './access-keys.ts';
export {
  insertAccount,
  listAccounts,
  type NewAccount,
  readAccount,
} from './accounts.ts';
export { Authenticator, type Caller, type Credentials, viewerFor } from './authentication.ts';
export { findAvatar } from './avatars.ts';
export { queueTask, recordTask, settleTask, taskTypes } from './events.ts';
export { listFavorites } from './favorites.ts';
export {
  type Account,
  administrationProjectId,
  checkPassword,
  checkUserName,
  displayName,
  isReservedName,
  isStatus,
  isUsable,
  lastTechnicalAccountId,
  nameKey,
  noneId,
  type Scope,
  type Status,
  searchText,
} from './model.ts';
export {
  type IdentityOperations,
  type IdentitySearches,
  identityOperations,
  identitySearches,
} from './operations.ts';
export { findResetAccounts, requirePasswordToken } from './password-tokens.ts';
export { type HashingCost, HashLimiter, PasswordHasher } from './passwords.ts';
export {
  findPlatformGroupByName,
  listPlatformGroups,
  type PlatformGroup,
  permissionNames,
  readPlatformGroup,
} from './platform-groups.ts';
export {
  mayReadMemberships,
  requireMembershipReading,
  requireMembershipReadingOfAll,
  requireSelf,
  requireSiteAdministrator,
  requireUserManagement,
} from './policy.ts';
export { listPreferences, readPreference, readSshKeys } from './preferences.ts';
export { listSessions, type WebSession } from './sessions.ts';
export { describeSettings, readSettings, type Settings, settingDefinitions } from './settings.ts';
export {
  isSiteAdministrator,
  requireSiteAdministratorLeft,
  setSiteAdministrator,
} from './site-administrators.ts';
export { isSshKey } from './ssh-keys.ts';
export {
  findAccount,
  findAccountByName,
  findAccounts,
  findAccountsByEmail,
  findAccountsByLdapId,
  findAccountsByNames,
  findPreference,
} from './store.ts';
export { listSystemEvents, type SystemEvent } from './system-events.ts';
export { listVisits, type Place, type Visit } from './visits.ts';
