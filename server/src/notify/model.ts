import { createHash } from 'node:crypto';
import type { Artifact, ArtifactChange, ReadContext } from '../artifacts/index.ts';
import type { Instant } from '../kernel/clock.ts';
import type { Project } from '../projects/index.ts';
import type { SeenCommit } from '../svn/index.ts';
import type { Tracker } from '../trackers/index.ts';
import type { Reason } from './reasons.ts';

/** Something that happened, as the outbox keeps it. */
export interface OutboxEvent {
  readonly id: number;
  readonly kind: string;
  readonly payload: string;
  readonly attempts: number;
}

/** A mail that is to be sent to one recipient. */
export interface MailOrder {
  readonly kind: string;
  readonly payload: string;
  readonly accountId: number | null;
  /** Null: that of the account. */
  readonly address: string | null;
  /** What it is about; 0: no project. Projects take turns. */
  readonly projectId: number;
}

/** A change that is to come into somebody's inbox. */
export interface NotificationOrder {
  readonly accountId: number;
  readonly artifactId: number;
  readonly changesetId: number;
  readonly reason: Reason;
  /** Who made it; 0 where nobody is known. */
  readonly by: number;
  readonly at: Instant;
  /** The fields that it changes. */
  readonly fieldIds: readonly number[];
  /** Whether it came with a text that the recipient may read. */
  readonly hasComment: boolean;
}

/** A change that somebody is to be told of in the next mail that sums up. */
export interface DigestOrder {
  readonly accountId: number;
  readonly artifactId: number;
  readonly changesetId: number;
  readonly reason: Reason;
  readonly digest: 'daily' | 'weekly';
}

/** Tells the recipients of one event apart, in the ids of their mails. */
export function recipientMark({ accountId, address }: Pick<MailOrder, 'accountId' | 'address'>): string {
  if (accountId !== null) return String(accountId);
  return createHash('sha256')
    .update((address ?? '').toLowerCase())
    .digest('hex')
    .slice(0, 16);
}

/** A mail that was taken. */
export interface TakenMail extends MailOrder {
  readonly id: number;
  readonly receiver: string;
  readonly attempts: number;
}

/** What a mail says, and how mail programs are to treat it. */
export interface MailMessage {
  readonly subject: string;
  readonly text: string;
  /** Without angle brackets and host: the same for every try, so that a second copy can be told. */
  readonly id: string;
  /** The conversation that it belongs to, in the same form. */
  readonly thread?: string;
  /** The link that ends such mails. */
  readonly unsubscribeUrl?: string;
}

/** One field of a change in words, as somebody sees it. */
export interface Difference {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** A change of an artifact in words, as somebody sees it. */
export interface DescribedChange {
  readonly title: string | null;
  readonly author: string;
  readonly differences: readonly Difference[];
}

/** How artifacts are shown. It is loaded when it is first needed (`loaded-showing.ts`). */
export interface Showing {
  describe(readContext: ReadContext, artifact: Artifact, change: ArtifactChange): Promise<DescribedChange>;
  /** The artifact, the changeset and who made it, as the API gives them: JSON. */
  present(
    readContext: ReadContext,
    artifact: Artifact,
    change: ArtifactChange,
  ): Promise<{ readonly artifact: string; readonly changeset: string; readonly user: string }>;
  /** The artifact as the API gives it: JSON. */
  artifact(readContext: ReadContext, artifact: Artifact): Promise<string>;
  /** Somebody as the API gives them in short: JSON, null where nobody is known. */
  user(readContext: ReadContext, accountId: number): Promise<string>;
  /** The forms in which other things name a tracker and a project: JSON. */
  tracker(tracker: Tracker): string;
  project(project: Project): string;
  /** A repository and a revision of it as the API gives them: JSON. */
  commit(commit: SeenCommit): { readonly repository: string; readonly commit: string };
}

/** One line, whatever it was made from: nothing in it can begin a header of its own. */
export function oneLine(text: string, longest = 200): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].length > longest ? `${[...line].slice(0, longest - 1).join('')}…` : line;
}

const addressForm = /^[^\s@,;:<>()"\\[\]\p{Cc}]{1,64}@[^\s@,;:<>()"'\\[\]\p{Cc}]{1,255}$/u;

/** Whether mails can be sent to this: one plain address, and nothing that mail programs take for more. */
export const isAddress = (text: string) => addressForm.test(text);
