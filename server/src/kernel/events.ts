import type { Instant } from './clock.ts';

/**
 * Everything that happens and may be told to somebody: one typed list. An event is written to the outbox in the transaction of what it tells
 * (`storage/outbox.ts`), and has the facts that cannot be looked up later; values are read when they are told, with the rights of whoever is
 * told. What comes of each kind is in `notify/handlers/`; those that webhooks can be told of are in the contract (`webhookEvents`).
 */
export interface EventFacts {
  'artifact.created': ChangesetFacts;
  /** Also by a comment, a move, a trigger, or a link from the other end: whatever makes a changeset. */
  'artifact.updated': ChangesetFacts;
  'svn.commit': CommittedFacts;
  /** The owner of a new key is told of it, also when somebody revoked it meanwhile. */
  'access_key.created': AccessKeyFacts;
  /** Somebody is told, at the address that was theirs, that it was replaced. */
  'account.email_changed': EmailFacts;
}

export type EventKind = keyof EventFacts;
/** An event of one kind, or of one of several. */
export type EventOf<Kind extends EventKind> = {
  [One in Kind]: { readonly kind: One } & EventFacts[One];
}[Kind];
export type Event = EventOf<EventKind>;

/** Which artifact, where it is, and who acted: 0 where nobody is known. */
interface ArtifactFacts {
  readonly artifactId: number;
  readonly trackerId: number;
  readonly projectId: number;
  readonly by: number;
}

/** A changeset was written. */
export interface ChangesetFacts extends ArtifactFacts {
  readonly changesetId: number;
  /** The fields that it changes. */
  readonly fieldIds: readonly number[];
}

/** A revision was committed to a repository. */
export interface CommittedFacts {
  readonly repositoryId: number;
  readonly projectId: number;
  readonly revision: number;
  readonly by: number;
}

export interface AccessKeyFacts {
  readonly account: number;
  readonly key: number;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
}

export interface EmailFacts {
  readonly account: number;
  readonly before: string;
  readonly after: string;
  readonly at: Instant;
}

/** Those of artifacts: written only where somebody wants to hear of them. */
export type ArtifactEvent = EventOf<'artifact.created' | 'artifact.updated'>;
