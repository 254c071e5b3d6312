import { type Account, displayName } from '../identity/index.ts';
import { fold } from '../kernel/text.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { presentMinimalUser } from './users.ts';

/** How an account stands among the possible values of a list. */
function userValue(publicUrl: string, viewer: Viewer, account: Account) {
  const { id, uri, username, avatar_url } = presentMinimalUser(publicUrl, viewer, account);
  const user_reference = { id, uri, real_name: displayName(viewer, account), username, avatar_url };
  return { id, label: account.name, user_reference };
}

/** People by the names that the viewer sees, each once. */
function inOrder(viewer: Viewer, accounts: readonly Account[]): Account[] {
  const keyed = accounts.map((account) => ({ account, key: fold(displayName(viewer, account)) }));
  keyed.sort((left, right) =>
    left.key === right.key ? left.account.id - right.account.id : left.key < right.key ? -1 : 1,
  );
  return [...new Map(keyed.map(({ account }) => [account.id, account])).values()];
}

/** People among the possible values of a list. */
export const presentListPeople = (publicUrl: string, viewer: Viewer, accounts: readonly Account[]) =>
  inOrder(viewer, accounts).map((account) => userValue(publicUrl, viewer, account));
