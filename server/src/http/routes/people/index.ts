/*
 * Routes of people: users.ts, credentials.ts (keys, tokens, sessions), password-resets.ts, user-groups.ts, memberships.ts, standing.ts (what somebody may do), notifications.ts (the inbox),
 * own-places.ts and places.ts (favourites and what was visited).
 */

export { credentialBindings } from './credentials.ts';
export { membershipBindings } from './memberships.ts';
export { notificationBindings } from './notifications.ts';
export { ownPlaceBindings } from './own-places.ts';
export { passwordResetBindings } from './password-resets.ts';
export { standingBindings } from './standing.ts';
export { userGroupBindings } from './user-groups.ts';
export { userBindings, userIdOf } from './users.ts';
