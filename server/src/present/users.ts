import type { MinimalUser, User, UserWithResources } from '@atelier/contract';
import { type Account, displayName, mayReadMemberships } from '../identity/index.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';

/** The picture of those of whom there is none. */
export const defaultAvatar = '/themes/common/images/avatar_default.png';

/** With a hash only for what somebody uploaded: clients compare whole users. */
function avatarUrl(publicUrl: string, { name, realName, avatarHash }: Account): string {
  if (avatarHash !== null) return `${publicUrl}/users/${encodeURIComponent(name)}/avatar-${avatarHash}.png`;
  if (realName === '') return `${publicUrl}${defaultAvatar}`;
  return `${publicUrl}/users/${encodeURIComponent(name)}/avatar.png`;
}

export function presentMinimalUser(publicUrl: string, viewer: Viewer, account: Account): MinimalUser {
  return {
    id: account.id,
    uri: `users/${account.id}`,
    user_url: `/users/${encodeURIComponent(account.name)}`,
    real_name: account.realName,
    display_name: displayName(viewer, account),
    username: account.name,
    ldap_id: account.ldapId,
    avatar_url: avatarUrl(publicUrl, account),
    is_anonymous: false,
    has_avatar: account.realName !== '',
  };
}

/** What this viewer may follow: most belongs to its owner alone. */
function resourcesOf(viewer: Viewer, { id }: Account) {
  const own = ['preferences', 'access_keys', 'history', 'ssh_keys', 'standing'];
  const types = [
    ...(mayReadMemberships(viewer, id) ? ['membership'] : []),
    ...(viewer.userId === id ? own : []),
  ];
  return types.map((type) => ({ type, uri: `users/${id}/${type}` }));
}

/** The full form, but to anonymous callers only what they may know. */
export function presentUser(publicUrl: string, viewer: Viewer, account: Account): User {
  const minimal = presentMinimalUser(publicUrl, viewer, account);
  if (isAnonymous(viewer)) return minimal;
  return { ...minimal, email: account.email, status: account.status };
}

/** With what there is to find out about them, which `GET /users/{id}` alone tells: clients compare whole lists of users. */
export const presentUserWithResources = (
  publicUrl: string,
  viewer: Viewer,
  account: Account,
): UserWithResources => ({
  ...presentUser(publicUrl, viewer, account),
  resources: resourcesOf(viewer, account),
});

/** What somebody is called of whom nothing may be told. */
export const anonymousName = 'Anonymous user';

export function presentAnonymous(publicUrl: string): MinimalUser {
  return {
    id: null,
    uri: null,
    user_url: null,
    real_name: null,
    display_name: anonymousName,
    username: null,
    ldap_id: null,
    avatar_url: `${publicUrl}${defaultAvatar}`,
    is_anonymous: true,
    has_avatar: true,
  };
}
