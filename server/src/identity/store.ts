import { isStorable } from '../kernel/text.ts';
import type { Delegation } from '../kernel/viewer.ts';
import { type Reader, statement, type Tables } from '../storage/index.ts';
import type { Account } from './model.ts';
import { emailKey, nameKey } from './model.ts';

export type AccountRow = Omit<Tables['account'], 'id' | 'avatar_hash'> & {
  id: number;
  avatar_hash: string | null;
};
export type AccessKeyRow = Omit<Tables['access_key'], 'id'> & { id: number };

export const accountById = statement((sql, p: { id: number }) =>
  sql.selectFrom('account').selectAll().where('id', '=', p.id),
);
export const accountByNameKey = statement((sql, p: { nameKey: string }) =>
  sql.selectFrom('account').selectAll().where('name_key', '=', p.nameKey),
);
const accountsByEmailKey = statement((sql, p: { emailKey: string }) =>
  sql
    .selectFrom('account')
    .selectAll()
    .where((row) => row.fn<string>('lower', ['email']), '=', p.emailKey)
    .orderBy('id'),
);
export const accessKeyById = statement((sql, p: { id: number }) =>
  sql.selectFrom('access_key').selectAll().where('id', '=', p.id),
);
export const tokenByHash = statement((sql, p: { hash: string }) =>
  sql.selectFrom('token').selectAll().where('hash', '=', p.hash),
);
export const sessionByHash = statement((sql, p: { hash: string }) =>
  sql.selectFrom('session').selectAll().where('hash', '=', p.hash),
);
const delegationsOf = statement((sql, p: { accountId: number }) =>
  sql
    .selectFrom('platform_group_member as member')
    .innerJoin('platform_group_permission as granted', 'granted.group_id', 'member.group_id')
    .select('granted.permission')
    .distinct()
    .where('member.account_id', '=', p.accountId),
);
const preferenceOf = statement((sql, p: { accountId: number; name: string }) =>
  sql
    .selectFrom('preference')
    .select('value')
    .where('account_id', '=', p.accountId)
    .where('name', '=', p.name),
);

/** The columns of an account, as `Account` names them. */
export const accountColumns = [
  'id',
  'name',
  'real_name as realName',
  'email',
  'ldap_id as ldapId',
  'avatar_hash as avatarHash',
  'status',
] as const;

export function toAccount(row: AccountRow): Account {
  const { id, name, real_name: realName, email, ldap_id: ldapId, status, avatar_hash: avatarHash } = row;
  return { id, name, realName, email, ldapId, status, avatarHash };
}

export async function findAccount(reader: Reader, id: number): Promise<Account | undefined> {
  const row = await reader.first(accountById, { id });
  return row && toAccount(row);
}

export async function findAccounts(reader: Reader, ids: readonly number[]): Promise<Account[]> {
  if (ids.length === 0) return [];
  return (await reader.all(reader.sql.selectFrom('account').selectAll().where('id', 'in', ids))).map(
    toAccount,
  );
}

export async function findAccountByName(reader: Reader, name: string): Promise<Account | undefined> {
  if (!isStorable(name)) return undefined;
  const row = await reader.first(accountByNameKey, { nameKey: nameKey(name) });
  return row && toAccount(row);
}

export async function findAccountsByNames(reader: Reader, names: readonly string[]): Promise<Account[]> {
  const keys = [...new Set(names.filter(isStorable).map(nameKey))];
  if (keys.length === 0) return [];
  const query = reader.sql.selectFrom('account').selectAll().where('name_key', 'in', keys);
  return (await reader.all(query)).map(toAccount);
}

/** Phones and directories write addresses in other letters than people did: those from a to z are the same in any case. */
export async function findAccountsByEmail(reader: Reader, email: string): Promise<Account[]> {
  if (!isStorable(email)) return [];
  const rows = await reader.all(accountsByEmailKey, { emailKey: emailKey(email) });
  return rows.map(toAccount);
}

export async function findAccountsByLdapId(reader: Reader, ldapId: string): Promise<Account[]> {
  const query = reader.sql.selectFrom('account').selectAll().where('ldap_id', '=', ldapId).orderBy('id');
  return (await reader.all(query)).map(toAccount);
}

export async function findDelegations(reader: Reader, accountId: number): Promise<Delegation[]> {
  const rows = await reader.all(delegationsOf, { accountId });
  return rows.map(({ permission }) => permission as Delegation);
}

export async function findPreference(
  reader: Reader,
  accountId: number,
  name: string,
): Promise<string | undefined> {
  return (await reader.first(preferenceOf, { accountId, name }))?.value;
}
