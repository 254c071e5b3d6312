import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { createAccessKey, deleteAccessKey, purgeAccessKeys, recordKeyUse } from './access-keys.ts';
import {
  type AccountChanges,
  changeAccount,
  changeOwnPassword,
  changeOwnProfile,
  createAccount,
  renewHash,
  searchAccounts,
  searchPeople,
} from './accounts.ts';
import { replaceAvatar } from './avatars.ts';
import type { AccountExtension } from './extension.ts';
import { replaceFavorites } from './favorites.ts';
import { beginAttempt, endAttempt, purgeAttempts } from './login-attempts.ts';
import {
  createPasswordLink,
  issueResetToken,
  purgePasswordTokens,
  redeemPasswordToken,
  requestPasswordReset,
} from './password-tokens.ts';
import { purgePlatformEvents, recordBackupStart, recordFailedSignIn } from './platform-events.ts';
import { changePlatformGroup, createPlatformGroup, deletePlatformGroup } from './platform-groups.ts';
import { endSessionsOf, listPlatformUsers, revokeKeysOf } from './platform-users.ts';
import { deletePreference, replaceSshKeys, setPreference } from './preferences.ts';
import { createSession, endOtherSessions, endSession, purgeSessions } from './sessions.ts';
import { changeSettings } from './settings.ts';
import { createToken, deleteAllTokens, deleteToken, purgeTokens } from './tokens.ts';
import { clearHistory, recordVisit } from './visits.ts';

/** Everything that changes identity. Each runs in one transaction, wherever writes run. */
export const identityOperations = (extensions: readonly AccountExtension[]) => ({
  createAccount,
  changeAccount: (tx: Transaction, viewer: Viewer, changes: AccountChanges) =>
    changeAccount(tx, viewer, changes, extensions),
  changeOwnPassword,
  changeOwnProfile,
  replaceAvatar,
  renewHash,
  createAccessKey,
  deleteAccessKey,
  recordKeyUse,
  createToken,
  deleteToken,
  deleteAllTokens,
  createSession,
  endSession,
  endOtherSessions,
  endSessionsOf,
  revokeKeysOf,
  requestPasswordReset,
  issueResetToken,
  createPasswordLink,
  redeemPasswordToken,
  beginAttempt,
  endAttempt,
  recordFailedSignIn,
  recordBackupStart,
  setPreference,
  deletePreference,
  clearHistory,
  recordVisit,
  replaceFavorites,
  replaceSshKeys,
  changeSettings,
  createPlatformGroup,
  changePlatformGroup,
  deletePlatformGroup,
  purgeAccessKeys,
  purgeTokens,
  purgeSessions,
  purgeAttempts,
  purgePasswordTokens,
  purgePlatformEvents,
});
export type IdentityOperations = ReturnType<typeof identityOperations>;

/** Reads that look through more than an index, and so run off the event loop. */
export const identitySearches = { searchAccounts, searchPeople, listPlatformUsers };
