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
  /** Told beside `artifact.updated`, which tells of the changeset that a move makes. */
  'artifact.moved': MoveFacts;
  'artifact.deleted': ArtifactFacts & LeavingFacts;
  'artifact.restored': ArtifactFacts;
  /** Artifacts stand elsewhere in the order of all: one event, however many they are. Neither mails nor webhooks tell of it. */
  'artifact.ranked': RankFacts;
  /** The text of a comment was changed or removed, or who may read it. No changeset is made. */
  'comment.edited': CommentFacts;
  /** An edited comment names people whom it did not name before. Neither webhooks nor others hear of it. */
  'comment.mentioned': MentionFacts;
  'svn.commit': CommittedFacts;
  /** The last step of an import: all of it is there. */
  'project.imported': ImportFacts;
  /** The owner of a new key is told of it, also when somebody revoked it meanwhile. */
  'access_key.created': AccessKeyFacts;
  /** Somebody is told, at the address that was theirs, that it was replaced. */
  'account.email_changed': EmailFacts;
  /** Somebody lost the password of an account that there may be. */
  'password_reset.requested': LostPasswordFacts;
}

export type EventKind = keyof EventFacts;
/** An event of one kind, or of one of several. */
export type EventOf<Kind extends EventKind> = {
  [One in Kind]: { readonly kind: One } & EventFacts[One];
}[Kind];
export type Event = EventOf<EventKind>;

/**
 * What is told to those who look at it as it happens (`GET /events`): those of the events above that are no secret of one person, and what
 * neither mails nor webhooks tell of.
 */
export interface LiveFacts extends Omit<EventFacts, OfOnePerson> {
  /** Its settings, its form, its workflow, who may see it: whatever is part of a tracker. */
  'tracker.changed': TrackerDeed;
  'project.changed': ProjectDeed;
  /** Also a repository that comes or goes; what is committed is told by `svn.commit`. */
  'svn.changed': RepositoryDeed;
  'report.changed': ReportDeed;
  'dashboard.changed': DashboardDeed;
  /** How far an import is. */
  'import.changed': ImportDeed;
  /** Something came into somebody's inbox, or they read it, did it or put it off. */
  'notification.changed': NotificationFacts;
  /** Rights, memberships or preferences of these people are others now. */
  'standing.changed': PeopleFacts;
}

type OfOnePerson =
  | 'comment.mentioned'
  | 'access_key.created'
  | 'account.email_changed'
  | 'password_reset.requested';

/** Facts of what is told both now and later. */
export type TwiceToldFacts<Kind extends EventKind & LiveKind> = EventFacts[Kind] & LiveFacts[Kind];

export type LiveKind = keyof LiveFacts;
export type LiveHappening = {
  [Kind in LiveKind]: { readonly kind: Kind } & LiveFacts[Kind];
}[LiveKind];

/** What can be done to something. */
export type LiveDeed = 'created' | 'changed' | 'deleted' | 'restored';

export interface ProjectDeed {
  readonly projectId: number;
  readonly what: LiveDeed;
  readonly by: number;
}

export interface TrackerDeed extends ProjectDeed {
  readonly trackerId: number;
}

export interface RepositoryDeed extends ProjectDeed {
  readonly repositoryId: number;
}

export interface ReportDeed extends TrackerDeed {
  readonly reportId: number;
  /** Whose it is; null: everybody's. */
  readonly ownerId: number | null;
}

export interface DashboardDeed {
  readonly dashboardId: number;
  /** Null for one of a person. */
  readonly projectId: number | null;
  /** Null for one of a project. */
  readonly ownerId: number | null;
  readonly what: LiveDeed;
  readonly by: number;
}

export interface ImportDeed {
  readonly importId: number;
  readonly by: number;
}

export interface PeopleFacts {
  readonly accountIds: readonly number[];
}

/** Which artifact, where it is, and who acted: 0 where nobody is known. */
export interface ArtifactFacts {
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

/**
 * What an artifact was when it left a place: nobody who could not see it there is told that it is gone. The groups are those that alone
 * could see it; null: everybody whom its tracker lets.
 */
export interface LeavingFacts {
  readonly title: string | null;
  readonly submittedBy: number;
  readonly grantedGroups: readonly number[] | null;
  /** Accounts, as the index has them. */
  readonly assignees: readonly number[];
}

/** An artifact came from another tracker. */
export interface MoveFacts extends ChangesetFacts {
  readonly from: LeavingFacts & Pick<ArtifactFacts, 'trackerId' | 'projectId'>;
}

export interface RankFacts extends Pick<ArtifactFacts, 'by'> {
  readonly artifactIds: readonly number[];
  readonly trackerIds: readonly number[];
  readonly projectIds: readonly number[];
}

export interface CommentFacts extends ArtifactFacts {
  readonly changesetId: number;
}

export interface MentionFacts extends CommentFacts {
  readonly accountIds: readonly number[];
}

export interface NotificationFacts {
  /** Whose inbox it is. */
  readonly accountId: number;
  /** Null where it is about several. */
  readonly notificationId: number | null;
}

/** Trackers, artifacts and repositories came in from an archive. */
export interface ImportFacts {
  readonly projectId: number;
  readonly importId: number;
  /** The trackers that came with it. */
  readonly trackerIds: readonly number[];
  readonly by: number;
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

export interface LostPasswordFacts {
  /** A user name or a mail address, as it was typed. */
  readonly login: string;
  readonly at: Instant;
}

/** What happens to artifacts is written only where somebody wants to hear of it. */
export type ArtifactEventKind = Extract<EventKind, `artifact.${string}` | `comment.${string}`>;
