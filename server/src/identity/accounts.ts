import type { Instant } from '../kernel/clock.ts';
import { forbidden, invalid, invalidMember, notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { QuickSearch } from '../kernel/quick-search.ts';
import { foldedWords } from '../kernel/text.ts';
import { holds, type Viewer } from '../kernel/viewer.ts';
import { appendEvent, contains, type Reader, type Transaction } from '../storage/index.ts';
import { type KeysAfterChange, settleKeys } from './access-keys.ts';
import { recordTask, taskTypes } from './events.ts';
import type { AccountExtension } from './extension.ts';
import { forgetGuesses } from './login-attempts.ts';
import {
  type Account,
  checkUserName,
  isStatus,
  isUsable,
  lastTechnicalAccountId,
  nameKey,
  noneId,
  type Status,
  searchText,
} from './model.ts';
import { recordDifference, recordPlatformEvent } from './platform-events.ts';
import { requireSelf, requireSiteAdministrator, requireUserManagement } from './policy.ts';
import { readSettings } from './settings.ts';
import {
  isProjectName,
  isSiteAdministrator,
  requireSiteAdministratorLeft,
  setSiteAdministrator,
} from './site-administrators.ts';
import { type AccountRow, accountByNameKey, findAccount, findDelegations, toAccount } from './store.ts';
import { requireSamePassword } from './tokens.ts';

export interface NewAccount {
  readonly name: string;
  readonly realName: string;
  readonly email: string;
  readonly ldapId: string | null;
  readonly status: Status;
  readonly passwordHash: string | null;
  readonly isSiteAdmin?: boolean;
}

export interface AccountChanges {
  readonly id: number;
  readonly name?: string;
  readonly realName?: string;
  readonly email?: string;
  readonly status?: string;
  readonly passwordHash?: string;
  /** With a new password: the access keys end as well. */
  readonly revokesKeys?: boolean;
  readonly isSiteAdmin?: boolean;
}

/** The longest texts kept of a person. */
const longest = { realName: 255, email: 255 };

/** One address, and nothing that would make a mail go to others. */
const isMailAddress = (text: string) => /^[^\s@<>",;:\p{Cc}]+@[^\s@<>",;:\p{Cc}]+$/u.test(text);

function checkTexts(realName: string | undefined, email: string | undefined): void {
  if (realName !== undefined && realName.length > longest.realName) {
    throw invalid(
      `Invalid value specified for \`real_name\`. It must have at most ${longest.realName} characters.`,
    );
  }
  if (email !== undefined && email.length > longest.email) {
    throw invalid(`Invalid value specified for \`email\`. It must have at most ${longest.email} characters.`);
  }
  // One that is empty is none.
  if (email !== undefined && email !== '' && !isMailAddress(email))
    throw invalid('Invalid value specified for `email`. It is not a mail address.');
}

async function checkNameIsFree(tx: Transaction, name: string, ownId?: number): Promise<void> {
  await tx.alone('names');
  const taken = await tx.first(accountByNameKey, { nameKey: nameKey(name) });
  if (taken !== undefined && taken.id !== ownId)
    throw invalidMember('username', 'Name is already used by another user.');
  if (await isProjectName(tx, nameKey(name)))
    throw invalidMember('username', 'Name is already used by a project.');
}

async function checkStatus(tx: Transaction, status: string, isSiteAdmin: boolean): Promise<void> {
  if (status !== 'R') return;
  const { access_mode } = await readSettings(tx);
  if (access_mode !== 'restricted')
    throw invalidMember('status', 'Restricted users are not authorized on this platform.');
  if (isSiteAdmin) throw invalidMember('status', 'A site administrator cannot be restricted.');
}

export async function createAccount(tx: Transaction, viewer: Viewer, account: NewAccount): Promise<Account> {
  requireUserManagement(viewer);
  if (account.isSiteAdmin) requireSiteAdministrator(viewer);
  checkUserName(account.name);
  checkTexts(account.realName, account.email);
  await checkNameIsFree(tx, account.name);
  await checkStatus(tx, account.status, account.isSiteAdmin === true);
  await recordPlatformEvent(tx, viewer.userId, { kind: 'account_create', subject: account.name });
  return insertAccount(tx, account);
}

/** Stores an account whose name was checked. */
export async function insertAccount(tx: Transaction, account: NewAccount): Promise<Account> {
  const now = Date.now();
  const row = {
    name: account.name,
    name_key: nameKey(account.name),
    real_name: account.realName,
    email: account.email,
    ldap_id: account.ldapId,
    status: account.status,
    password_hash: account.passwordHash,
    password_set_at: account.passwordHash === null ? null : now,
    search_text: searchText(account.name, account.realName),
    created_at: now,
    last_access_at: null,
  };
  const [stored] = await tx.all(tx.sql.insertInto('account').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new account has no id.');
  if (account.isSiteAdmin) await setSiteAdministrator(tx, stored.id, true);
  if (isUsable(account.status)) await recordTask(tx, taskTypes.accountActivated, `${account.name} is active`);
  return toAccount({ ...row, id: stored.id, avatar_hash: null });
}

export async function changeAccount(
  tx: Transaction,
  viewer: Viewer,
  changes: AccountChanges,
  extensions: readonly AccountExtension[],
): Promise<KeysAfterChange> {
  if (changes.status !== undefined || changes.isSiteAdmin !== undefined) await tx.alone('administrators');
  const [row] = await tx.lock(tx.sql.selectFrom('account').selectAll().where('id', '=', changes.id));
  if (row === undefined) throw notFound('User Id not found');
  requireUserManagement(viewer);
  const isSiteAdmin = await isSiteAdministrator(tx, changes.id);
  if (changes.id <= noneId) throw forbidden('A technical account cannot be changed.');
  if (isSiteAdmin || changes.isSiteAdmin !== undefined) requireSiteAdministrator(viewer);
  if (changes.passwordHash !== undefined) await requireNoLessDelegations(tx, viewer, changes.id);
  // One that is given as it is, is no change: an archive may have brought another kind.
  checkTexts(changes.realName, changes.email === row.email ? undefined : changes.email);
  if (changes.name !== undefined && changes.name !== row.name) {
    checkUserName(changes.name);
    await checkNameIsFree(tx, changes.name, changes.id);
  }
  if (changes.status !== undefined) await checkStatus(tx, changes.status, changes.isSiteAdmin ?? isSiteAdmin);
  await storeAccount(tx, row, changes);
  const renaming = { from: row.name, to: changes.name ?? row.name };
  if (nameKey(renaming.to) !== row.name_key)
    for (const extension of extensions) await extension.renamed(tx, viewer, renaming);
  await noteAccount(tx, viewer, row, { ...changes, wasSiteAdmin: isSiteAdmin });
  await storeConsequences(tx, row, changes);
  const isRevocation = changes.revokesKeys === true;
  const keys = await settleKeys(tx, viewer, { accountId: row.id, isRevocation });
  await noteRevocation(tx, viewer, { name: row.name, revoked: keys.revoked });
  await tx.touch('identity');
  return keys;
}

/** Keys that ended with a password are written down as those that somebody revokes. */
async function noteRevocation(
  tx: Transaction,
  { userId }: Viewer,
  { name, revoked }: { readonly name: string; readonly revoked: number },
): Promise<void> {
  if (revoked > 0)
    await recordPlatformEvent(tx, userId, { kind: 'key_delete', subject: `${name}: ${revoked}` });
}

/** Everything about an account that somebody may have to look up later: never its password. */
async function noteAccount(
  tx: Transaction,
  { userId }: Viewer,
  row: AccountRow,
  changes: AccountChanges & { readonly wasSiteAdmin: boolean },
): Promise<void> {
  const { wasSiteAdmin, isSiteAdmin = wasSiteAdmin, passwordHash } = changes;
  const { name = row.name, realName = row.real_name, email = row.email } = changes;
  const words = (facts: readonly string[]) => facts.filter((fact) => fact !== '').join(', ');
  const before = words([row.name, row.real_name, row.email, row.status, wasSiteAdmin ? 'administrator' : '']);
  const after = words([name, realName, email, statusAfter(row, changes), isSiteAdmin ? 'administrator' : '']);
  await recordDifference(tx, userId, {
    ...{ kind: 'account_change', subject: row.name, details: { before, after } },
  });
  if (passwordHash !== undefined)
    await recordPlatformEvent(tx, userId, { kind: 'password_change', subject: row.name });
}

/** Whoever can set a password can act as its owner, and must not gain rights by it. */
export async function requireNoLessDelegations(
  tx: Transaction,
  viewer: Viewer,
  accountId: number,
): Promise<void> {
  const lacking = (await findDelegations(tx, accountId)).some((permission) => !holds(viewer, permission));
  if (lacking) throw forbidden('This account has platform permissions that you do not have.');
}

/** Writes the columns that change, and those that follow from them. */
async function storeAccount(tx: Transaction, row: AccountRow, changes: AccountChanges): Promise<void> {
  const { name = row.name, realName = row.real_name, email, passwordHash } = changes;
  const update = tx.sql.updateTable('account').set({
    name,
    name_key: nameKey(name),
    real_name: realName,
    search_text: searchText(name, realName),
    status: statusAfter(row, changes),
    ...(email === undefined ? {} : { email }),
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash, password_set_at: Date.now() }),
  });
  await tx.run(update.where('id', '=', row.id));
}

const statusAfter = (row: AccountRow, { status }: AccountChanges) =>
  status !== undefined && isStatus(status) ? status : row.status;

async function storeConsequences(tx: Transaction, row: AccountRow, changes: AccountChanges): Promise<void> {
  const status = statusAfter(row, changes);
  if (changes.isSiteAdmin !== undefined) await setSiteAdministrator(tx, row.id, changes.isSiteAdmin);
  if (changes.status !== undefined || changes.isSiteAdmin !== undefined)
    await requireSiteAdministratorLeft(tx);
  if (!isUsable(status) || changes.passwordHash !== undefined) await endSessions(tx, row.id);
  if (changes.passwordHash !== undefined) {
    await endTokens(tx, row.id);
    await forgetGuesses(tx, row.name_key);
  }
  if (!isUsable(status) || (changes.email ?? row.email) !== row.email) await endPasswordTokens(tx, row.id);
  if (isUsable(status) && !isUsable(row.status)) {
    await recordTask(tx, taskTypes.accountActivated, `${changes.name ?? row.name} is active`);
  }
}

export async function endSessions(tx: Transaction, accountId: number, current = 0): Promise<void> {
  const sessions = tx.sql.deleteFrom('session').where('account_id', '=', accountId);
  await tx.run(sessions.where('id', '<>', current));
}

/** Tokens are given for a password, and end with it; so does what would replace it. */
export async function endTokens(tx: Transaction, accountId: number): Promise<void> {
  await tx.run(tx.sql.deleteFrom('token').where('account_id', '=', accountId));
  await endPasswordTokens(tx, accountId);
}

/** Links that were sent for a lost password, and to an address that is no longer that of the account, open nothing any more. */
async function endPasswordTokens(tx: Transaction, accountId: number): Promise<void> {
  await tx.run(tx.sql.deleteFrom('password_token').where('account_id', '=', accountId));
}

/** Changes one's own password; the caller has checked the current one. Tokens and other sessions end. */
export async function changeOwnPassword(
  tx: Transaction,
  viewer: Viewer,
  {
    passwordHash,
    passwordSetAt,
    revokesKeys,
  }: { passwordHash: string; passwordSetAt: Instant | null; revokesKeys: boolean },
): Promise<KeysAfterChange> {
  // Whoever knows the password of before must not take the place of a new one.
  await requireSamePassword(tx, { accountId: viewer.userId, passwordSetAt });
  const update = tx.sql
    .updateTable('account')
    .set({ password_hash: passwordHash, password_set_at: Date.now() });
  await tx.run(update.where('id', '=', viewer.userId));
  await endSessions(tx, viewer.userId, viewer.credential.kind === 'session' ? viewer.credential.id : 0);
  await endTokens(tx, viewer.userId);
  const { name } = await readAccount(tx, viewer.userId);
  await forgetGuesses(tx, nameKey(name));
  await recordPlatformEvent(tx, viewer.userId, { kind: 'password_change', subject: name });
  const keys = await settleKeys(tx, viewer, { accountId: viewer.userId, isRevocation: revokesKeys });
  await noteRevocation(tx, viewer, { name, revoked: keys.revoked });
  await tx.touch('identity');
  return keys;
}

export interface ProfileChanges {
  readonly accountId: number;
  /** Of the password that was checked for it, where one was. */
  readonly passwordSetAt?: Instant | null;
  readonly realName?: string;
  readonly email?: string;
}

/** A name is shown to others, so that there is one; an address is where mail arrives. */
function checkProfile({ realName, email }: ProfileChanges): void {
  checkTexts(realName, email);
  if (realName !== undefined && (realName.trim() === '' || /\p{Cc}/u.test(realName)))
    throw invalid('Invalid value specified for `real_name`. It must be one line, and not empty.');
  if (email === '') throw invalid('Invalid value specified for `email`. It is not a mail address.');
}

/** Changes one's own name and address; the caller has checked the password where the address is another one. */
export async function changeOwnProfile(
  tx: Transaction,
  viewer: Viewer,
  changes: ProfileChanges,
): Promise<Account> {
  requireSelf(viewer, changes.accountId);
  checkProfile(changes);
  const { accountId, passwordSetAt } = changes;
  if (passwordSetAt !== undefined) await requireSamePassword(tx, { accountId, passwordSetAt });
  const [row] = await tx.lock(tx.sql.selectFrom('account').selectAll().where('id', '=', viewer.userId));
  if (row === undefined) throw notFound('User Id not found');
  await storeAccount(tx, row, { ...changes, id: row.id });
  const wasSiteAdmin = await isSiteAdministrator(tx, row.id);
  await noteAccount(tx, viewer, row, { ...changes, id: row.id, wasSiteAdmin });
  const { email = row.email } = changes;
  if (email !== row.email) await endPasswordTokens(tx, row.id);
  if (email !== row.email && row.email !== '') {
    const addresses = { before: row.email, after: email };
    await appendEvent(tx, 'account.email_changed', { account: row.id, ...addresses, at: Date.now() });
  }
  await tx.touch('identity');
  return readAccount(tx, row.id);
}

/** Stores the same password under today's hashing parameters. */
export async function renewHash(
  tx: Transaction,
  _: Viewer,
  input: { id: number; old: string; hash: string },
): Promise<void> {
  const update = tx.sql.updateTable('account').set({ password_hash: input.hash });
  await tx.run(update.where('id', '=', input.id).where('password_hash', '=', input.old));
}

/** Free-text search: any word in the user name or the real name, among accounts that can be used. */
export async function searchAccounts(
  reader: Reader,
  _: Viewer,
  { text, limit, offset }: { text: string } & Page,
): Promise<Slice<Account>> {
  const words = foldedWords(text);
  if (words.length === 0) return { items: [], size: 0 };
  const matching = reader.sql
    .selectFrom('account')
    .where('status', 'in', ['A', 'R'])
    .where((row) => row.or(words.map((word) => contains('search_text', word))));
  const count = await reader.first(matching.select((row) => row.fn.countAll<number>().as('size')));
  const page = matching.selectAll().orderBy('name_key').limit(limit).offset(offset);
  return { items: (await reader.all(page)).map(toAccount), size: count?.size ?? 0 };
}

/** A few people whose names have all words, by user name. */
export async function searchPeople(
  reader: Reader,
  _: Viewer,
  { words, limit }: Pick<QuickSearch, 'words' | 'limit'>,
): Promise<Account[]> {
  const found = reader.sql
    .selectFrom('account')
    .selectAll()
    .where('status', 'in', ['A', 'R'])
    .where('id', '>', lastTechnicalAccountId)
    .where((row) => row.and(words.map((word) => contains('search_text', word))));
  return (await reader.all(found.orderBy('name_key').limit(limit))).map(toAccount);
}

export async function listAccounts(reader: Reader, viewer: Viewer): Promise<Account[]> {
  requireUserManagement(viewer);
  const query = reader.sql.selectFrom('account').selectAll().where('id', '>', 100).orderBy('id');
  return (await reader.all(query)).map(toAccount);
}

export async function readAccount(reader: Reader, id: number): Promise<Account> {
  const account = await findAccount(reader, id);
  if (account === undefined) throw notFound('User Id not found');
  return account;
}
