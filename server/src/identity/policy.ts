import { forbidden } from '../kernel/errors.ts';
import { delegation, holds, type Viewer } from '../kernel/viewer.ts';

export function requireSiteAdministrator(viewer: Viewer): void {
  if (!viewer.isSiteAdmin) throw forbidden('Only site administrators may do this.');
}

export function requireUserManagement(viewer: Viewer): void {
  if (!holds(viewer, delegation.userManagement)) throw forbidden('Only administrators of users may do this.');
}

/** Groups of a user are shown to the user and to those who manage or look after accounts. */
const mayReadAllMemberships = (viewer: Viewer) =>
  holds(viewer, delegation.userManagement) || holds(viewer, delegation.membershipInformation);

export const mayReadMemberships = (viewer: Viewer, accountId: number) =>
  (viewer.userId === accountId && accountId !== 0) || mayReadAllMemberships(viewer);

const hiddenGroups = 'You may not see the groups of this user.';

export function requireMembershipReading(viewer: Viewer, accountId: number): void {
  if (!mayReadMemberships(viewer, accountId)) throw forbidden(hiddenGroups);
}

export function requireMembershipReadingOfAll(viewer: Viewer): void {
  if (!mayReadAllMemberships(viewer)) throw forbidden(hiddenGroups);
}

/** Preferences, keys and history belong to their owner alone; not even a site administrator reaches them. */
export function requireSelf(viewer: Viewer, accountId: number): void {
  if (viewer.userId !== accountId || accountId === 0)
    throw forbidden('You can only see and change your own.');
}

/** Keys are what people get in with: whoever runs the machine looks after them, too. */
export function requireOwnKeys(viewer: Viewer, accountId: number): void {
  if (viewer.credential.kind !== 'command-line') requireSelf(viewer, accountId);
}
