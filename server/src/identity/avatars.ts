import type { Viewer } from '../kernel/viewer.ts';
import { type Reader, statement, type Transaction } from '../storage/index.ts';
import { digest } from './model.ts';
import { requireSelf } from './policy.ts';

const avatarOf = statement((sql, p: { accountId: number }) =>
  sql.selectFrom('avatar').select('picture').where('account_id', '=', p.accountId),
);

/** The picture that somebody uploaded. */
export async function findAvatar(reader: Reader, accountId: number): Promise<Buffer | undefined> {
  const row = await reader.first(avatarOf, { accountId });
  return row && Buffer.from(row.picture);
}

/** Keeps a picture of the caller, or forgets the one there is. Its address has its hash, so that browsers may keep it. */
export async function replaceAvatar(
  tx: Transaction,
  viewer: Viewer,
  { accountId, picture }: { accountId: number; picture: Uint8Array | null },
): Promise<void> {
  requireSelf(viewer, accountId);
  await tx.run(tx.sql.deleteFrom('avatar').where('account_id', '=', accountId));
  if (picture !== null) await tx.run(tx.sql.insertInto('avatar').values({ account_id: accountId, picture }));
  const avatar_hash = picture === null ? null : digest(Buffer.from(picture)).slice(0, 32);
  await tx.run(tx.sql.updateTable('account').set({ avatar_hash }).where('id', '=', accountId));
  await tx.touch('identity');
}
