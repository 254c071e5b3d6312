import { day, type Instant } from '../kernel/clock.ts';
import { forbidden, Refusal, unauthenticated } from '../kernel/errors.ts';
import {
  type AccessMode,
  type Credential,
  type Delegation,
  delegation,
  type Viewer,
} from '../kernel/viewer.ts';
import { isUsable } from './model.ts';
import { accessByScopes, type KeyArea } from './scopes.ts';
import type { Settings as AllSettings } from './settings.ts';
import type { AccountRow } from './store.ts';

/** Settings of the platform that decide about accounts. */
type Settings = Pick<AllSettings, 'access_mode' | 'password_lifetime_days'>;

/** What judging needs to know of an account. */
export interface KnownAccount {
  readonly row: AccountRow;
  readonly isSiteAdmin: boolean;
  readonly delegations: readonly Delegation[];
  readonly nameDisplay: string;
}

/** And of a key. */
export interface KnownKey {
  readonly id: number;
  readonly accountId: number;
  readonly expiresAt: Instant | null;
  readonly scopes: readonly string[];
  lastUsedAt: Instant | null;
  lastUsedBy: string | null;
}

/** What somebody is about to do. */
export interface Asked {
  /** A read-only administrator has their rights on reading requests only, and some keys are for reading. */
  readonly isReading: boolean;
  /** Lets an account in whose password must be changed. */
  readonly withExpiredPassword: boolean;
}

export const isExpired = (expiresAt: Instant | null) => expiresAt !== null && expiresAt <= Date.now();

const reasons: Readonly<Record<string, string>> = {
  P: 'This account is not confirmed yet',
  V: 'This account is not confirmed yet',
  W: 'This account is not confirmed yet',
  S: 'This account is suspended',
  D: 'This account was deleted',
};

export function hasOldPassword(row: AccountRow, { password_lifetime_days }: Settings): boolean {
  if (password_lifetime_days === 0 || row.password_set_at === null) return false;
  return row.password_set_at + password_lifetime_days * day < Date.now();
}

/** Why an account is not let in; undefined where it is. */
export function refusalOf(
  row: AccountRow,
  settings: Settings,
  withExpiredPassword: boolean,
): Refusal | undefined {
  if (!isUsable(row.status)) {
    const words = reasons[row.status] ?? 'This account may not be used';
    return new Refusal('forbidden', words, { reason: 'account_unusable' });
  }
  if (withExpiredPassword || !hasOldPassword(row, settings)) return undefined;
  const words = 'The password of this account has expired and must be changed';
  return new Refusal('forbidden', words, { reason: 'password_expired' });
}

export function viewerOf(
  { row, isSiteAdmin, delegations, nameDisplay }: KnownAccount,
  credential: Credential,
  settings: Settings,
  isReading: boolean,
): Viewer {
  const isReadOnlyAdmin = delegations.includes(delegation.readOnlyAdministration);
  return {
    userId: row.id,
    isRestricted: row.status === 'R',
    isSiteAdmin: isSiteAdmin || (isReadOnlyAdmin && isReading),
    delegations,
    accessMode: settings.access_mode as AccessMode,
    nameDisplay,
    credential,
  };
}

/** Whoever proved to be an account, as a viewer; or why not. */
export function judgeAccount(
  account: KnownAccount | undefined,
  credential: Credential,
  { isReading, withExpiredPassword }: Asked,
  settings: Settings,
): Viewer | Refusal {
  if (account === undefined) return unauthenticated('Unknown user');
  return (
    refusalOf(account.row, settings, withExpiredPassword) ??
    viewerOf(account, credential, settings, isReading)
  );
}

/**
 * Whom an access key lets in for what is asked; or why not. All ways to use a key end here, the direct reads and the repositories
 * too, so that none of them knows a rule that another forgot.
 */
export function judgeKey(
  key: KnownKey,
  account: KnownAccount | undefined,
  asked: Asked & { readonly area: KeyArea },
  settings: Settings,
): Viewer | Refusal {
  const access = accessByScopes(key.scopes, asked.area);
  if (isExpired(key.expiresAt) || access === undefined) return unauthenticated('Invalid access key');
  const credential = { kind: 'access-key', id: key.id, expiresAt: key.expiresAt } as const;
  const verdict = judgeAccount(account, credential, asked, settings);
  if (verdict instanceof Refusal || access === 'write' || asked.isReading) return verdict;
  return forbidden(`This access key is for reading only; changes need one with write:${asked.area}.`);
}

/** The viewer of a verdict; throws one that refuses. */
export function admitted(verdict: Viewer | Refusal): Viewer {
  if (verdict instanceof Refusal) throw verdict;
  return verdict;
}
