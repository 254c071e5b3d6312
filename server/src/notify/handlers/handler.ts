import type { EventListeners } from '../../artifacts/index.ts';
import type { EventKind, EventOf } from '../../kernel/events.ts';
import type { ArtifactReadDeps, Onlookers } from '../artifact-changes.ts';
import type { Commits } from '../commit-mail.ts';
import type { NewDelivery } from '../deliveries.ts';
import type { DigestOrder, MailOrder, NotificationOrder, Showing } from '../model.ts';
import type { MatchChanges } from '../searches.ts';

/** What comes of an event. */
export interface EventOutcome {
  readonly mails: readonly MailOrder[];
  readonly deliveries: readonly NewDelivery[];
  /** What comes into inboxes. */
  readonly notifications?: readonly NotificationOrder[];
  /** What waits for mails that sum up. */
  readonly digested?: readonly DigestOrder[];
  /** What watched searches find now. */
  readonly matches?: MatchChanges;
}

export const noOutcome: EventOutcome = { mails: [], deliveries: [] };

/** What telling of events takes. */
export interface HandlerDeps extends ArtifactReadDeps {
  /** Where no mail is sent none is collected either. */
  readonly sendsMail: boolean;
  /** On what is told together. */
  readonly onlookers: Onlookers;
  readonly publicUrl: string;
  /** Loaded when it is first needed. */
  showing(): Promise<Showing>;
  /** Whether webhooks listen, known without asking the database for every change. */
  readonly listeners: EventListeners;
  /** Absent where the repositories are not at hand. */
  readonly commits: Commits | undefined;
}

/** Turns events of one kind into mails, notifications and deliveries. */
export interface EventHandler<Kind extends EventKind> {
  /** Whether this process has what that takes; else such events wait for one that has. */
  isAble?(deps: Pick<HandlerDeps, 'commits'>): boolean;
  outcomeOf(event: EventOf<Kind>, deps: HandlerDeps): Promise<EventOutcome>;
}
