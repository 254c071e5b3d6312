import type { Instant } from './clock.ts';

/** Platform access modes: who may look at public things. */
export type AccessMode = 'anonymous' | 'regular' | 'restricted';

/** How the viewer proved who they are. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly id: number }
  | { readonly kind: 'access-key'; readonly id: number; readonly expiresAt: Instant | null }
  | { readonly kind: 'token' }
  | { readonly kind: 'basic' }
  | { readonly kind: 'command-line' };

/** Platform-wide permissions that site administrators delegate to groups of users. */
export const delegation = {
  projectApproval: 1,
  trackerAdministration: 2,
  membershipInformation: 4,
  userManagement: 5,
  systemEvents: 6,
  platformAdministration: 7,
  projectManagement: 8,
  readOnlyAdministration: 9,
} as const;
export type Delegation = (typeof delegation)[keyof typeof delegation];

/**
 * Who acts, as plain data that can be handed to another thread. Every function that shows or changes something takes
 * a viewer; there is no query without one.
 */
export interface Viewer {
  /** 0 for anonymous callers and the command line. */
  readonly userId: number;
  readonly isRestricted: boolean;
  /** Site administrator for this request; a read-only administrator counts on reading requests only. */
  readonly isSiteAdmin: boolean;
  readonly delegations: readonly Delegation[];
  readonly accessMode: AccessMode;
  /** The viewer's preference `username_display`, which shapes every `display_name` they are shown. */
  readonly nameDisplay: string;
  readonly credential: Credential;
  /** The page or program that asks for a change, as it named itself (`X-Client-Uuid`). */
  readonly client?: string | undefined;
}

export function isAnonymous(viewer: Viewer): boolean {
  return viewer.userId === 0 && viewer.credential.kind !== 'command-line';
}

export function holds(viewer: Viewer, permission: Delegation): boolean {
  return viewer.isSiteAdmin || viewer.delegations.includes(permission);
}

/** The command line acts with the rights of the machine's administrator. */
export function commandLineViewer(accessMode: AccessMode): Viewer {
  return {
    userId: 0,
    isRestricted: false,
    isSiteAdmin: true,
    delegations: [],
    accessMode,
    nameDisplay: '0',
    credential: { kind: 'command-line' },
  };
}

/** What the platform does by itself, for nobody in particular. */
export const systemViewer: Viewer = commandLineViewer('regular');

export function anonymousViewer(accessMode: AccessMode): Viewer {
  return { ...commandLineViewer(accessMode), isSiteAdmin: false, credential: { kind: 'none' } };
}
