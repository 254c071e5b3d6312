import { invalid } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { logEvent, type Reader, sql, type Transaction } from '../storage/index.ts';
import { requireOwnKeys, requireSelf } from './policy.ts';
import { isSshKey } from './ssh-keys.ts';
import { findPreference } from './store.ts';

/** The preference that shapes every `display_name` its owner is shown. */
export const nameDisplayPreference = 'username_display';
const longestName = 255;
const longestValue = 65_535;
/** Bytes of all names and values that one person keeps: they are listed in one answer. */
const mostBytes = 4 * 1024 * 1024;

interface OwnPreference {
  readonly accountId: number;
  readonly name: string;
}

export async function readPreference(
  reader: Reader,
  viewer: Viewer,
  { accountId, name }: OwnPreference,
): Promise<string | undefined> {
  requireSelf(viewer, accountId);
  return findPreference(reader, accountId, name);
}

/** All that somebody has set, by name. */
export async function listPreferences(
  reader: Reader,
  viewer: Viewer,
  { accountId }: Pick<OwnPreference, 'accountId'>,
): Promise<{ name: string; value: string }[]> {
  requireSelf(viewer, accountId);
  const query = reader.sql.selectFrom('preference').select(['name', 'value']);
  return reader.all(query.where('account_id', '=', accountId).orderBy('name'));
}

/** Viewers are remembered with this preference, so its change must be noticed. */
async function touchWhenRemembered(tx: Transaction, name: string): Promise<void> {
  if (name === nameDisplayPreference) await tx.touch('identity');
}

/** Refuses what would be too much beside all else that somebody has set; what takes no more room than before never is. */
async function requireRoom(
  tx: Transaction,
  { accountId, name, value }: OwnPreference & { value: string },
): Promise<void> {
  const kept = tx.sql.selectFrom('preference').where('account_id', '=', accountId);
  const bytes = sql<number | null>`sum(octet_length(name) + octet_length(value))`;
  const others = await tx.first(kept.where('name', '<>', name).select(bytes.as('bytes')));
  const own = Buffer.byteLength(name) + Buffer.byteLength(value);
  if (Number(others?.bytes ?? 0) + own <= mostBytes) return;
  const current = await findPreference(tx, accountId, name);
  if (current === undefined || Buffer.byteLength(value) > Buffer.byteLength(current))
    throw invalid(`All preferences of one person can have ${mostBytes} bytes. Delete some first.`);
}

export async function setPreference(
  tx: Transaction,
  viewer: Viewer,
  { accountId, name, value }: OwnPreference & { value: string },
): Promise<void> {
  requireSelf(viewer, accountId);
  if (name.length > longestName) {
    throw invalid(`Invalid value specified for \`key\`. It must have at most ${longestName} characters.`);
  }
  if (value.length > longestValue) {
    throw invalid(`Invalid value specified for \`value\`. It must have at most ${longestValue} characters.`);
  }
  await requireRoom(tx, { accountId, name, value });
  const insert = tx.sql.insertInto('preference').values({ account_id: accountId, name, value });
  await tx.run(
    insert.onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet({ value })),
  );
  await touchWhenRemembered(tx, name);
  await logEvent(tx, 'standing.changed', { accountIds: [accountId] });
}

export async function deletePreference(
  tx: Transaction,
  viewer: Viewer,
  { accountId, name }: OwnPreference,
): Promise<void> {
  requireSelf(viewer, accountId);
  await tx.run(tx.sql.deleteFrom('preference').where('account_id', '=', accountId).where('name', '=', name));
  await touchWhenRemembered(tx, name);
  await logEvent(tx, 'standing.changed', { accountIds: [accountId] });
}

export async function readSshKeys(reader: Reader, viewer: Viewer, accountId: number): Promise<string[]> {
  requireOwnKeys(viewer, accountId);
  const query = reader.sql
    .selectFrom('ssh_key')
    .select('key')
    .where('account_id', '=', accountId)
    .orderBy('id');
  return (await reader.all(query)).map(({ key }) => key);
}

export async function replaceSshKeys(
  tx: Transaction,
  viewer: Viewer,
  { accountId, keys }: { accountId: number; keys: readonly string[] },
): Promise<void> {
  requireOwnKeys(viewer, accountId);
  keys.forEach((key, index) => {
    if (isSshKey(key)) return;
    throw invalid(
      `Invalid value specified for \`keys[${index}]\`. It is not the whole public part of an SSH key.`,
    );
  });
  await tx.run(tx.sql.deleteFrom('ssh_key').where('account_id', '=', accountId));
  for (const key of new Set(keys))
    await tx.run(tx.sql.insertInto('ssh_key').values({ account_id: accountId, key }));
}
