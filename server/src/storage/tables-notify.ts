import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

/** What happened and is still to be told to somebody. */
export interface OutboxTable {
  id: Generated<number>;
  kind: string;
  /** JSON object. */
  payload: string;
  created_at: number;
  attempts: Generated<number>;
  due_at: Generated<number>;
  waits_since: Generated<number>;
  /** Who made it happen; 0 where nobody is known. People take turns. */
  account_id: Generated<number>;
  /** The artifact that it is about: its events keep their order. */
  artifact_id: number | null;
}

/** What happened in the last minutes, for those who look at it as it happens. */
export interface EventLogTable {
  id: Generated<number>;
  /** Its place in the order of commits; null until it has one. */
  number: number | null;
  kind: string;
  /** JSON object. */
  payload: string;
  /** The page or program that did it, as it named itself. */
  client: string | null;
  created_at: number;
}

/** What the platform signs with. */
export interface SecretTable {
  name: string;
  value: string;
}

/** A mail to one recipient that was not sent yet. What it says is written when it is sent. */
export interface MailTable {
  id: Generated<number>;
  kind: string;
  /** JSON object: what it is about. */
  payload: string;
  /** Null for an address that belongs to nobody. */
  account_id: number | null;
  /** Null: that of the account, when it is sent. */
  address: string | null;
  attempts: number;
  /** Null for one that was given up. */
  due_at: number | null;
  /** When `due_at` was decided: later than now means that the clock was set back. */
  waits_since: number;
  fault: string | null;
  created_at: number;
  /** The project that it is about; 0: none. Projects and receivers take turns. */
  project_id: number;
  /** The host that takes mails of the recipient. */
  receiver: string;
}

/** What somebody does not want to be told of, and whether they want to be told of their own changes. */
export interface MailChoiceTable {
  /** `account:102`, or `address:x@example.com`. */
  who: string;
  /** Not wanted: `platform`, `tracker`, `artifact`. Wanted: `own`. */
  kind: string;
  /** 0 where the kind says all. */
  subject_id: number;
}

export interface WebhookTable {
  id: Generated<number>;
  project_id: number;
  /** Null: for every tracker of the project. */
  tracker_id: number | null;
  /** Deliveries show what this person may see. */
  owner_id: number;
  url: string;
  /** Kept as it is, since every delivery is signed with it. */
  secret: string;
  /** Separated by a space. */
  events: string;
  is_enabled: Flag;
  created_at: number;
  /** When it may be told the next of what waits for it; null: nothing does. */
  due_at: Generated<number | null>;
  waits_since: Generated<number>;
  /** The end of the pause that its receiver gets after a failed try. */
  paused_until: Generated<number>;
  /** Tries that failed since its receiver last took something. */
  failures: Generated<number>;
  failing_since: Generated<number | null>;
  /** When its receiver last took something. */
  answered_at: Generated<number | null>;
  /** When its receiver was given up. */
  given_up_at: Generated<number | null>;
  /** When its owner was last told that something was given up. */
  warned_at: Generated<number | null>;
}

export interface WebhookDeliveryTable {
  id: Generated<number>;
  webhook_id: number;
  /** Whose view of things the body has. */
  owner_id: number;
  event: string;
  body: string;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  /** Null for one that is settled. */
  due_at: number | null;
  waits_since: number;
  /** What the receiver answered last. */
  status: number | null;
  fault: string | null;
  /** The beginning of the body of that answer. */
  answer: string;
  /** Milliseconds that it took. */
  duration: number | null;
  created_at: number;
  tried_at: number | null;
}

export interface WatchTable {
  kind: 'tracker' | 'artifact';
  item_id: number;
  account_id: number;
}

/** A saved search that somebody watches. */
export interface WatchedSearchTable {
  report_id: number;
  account_id: number;
  /** What it asked for when its matches were noted, in short. */
  asks: string;
}

/** That a watched search finds an artifact, so that it is told only once. */
export interface SearchMatchTable {
  report_id: number;
  account_id: number;
  artifact_id: number;
}

/** What somebody is told of an artifact: one row, which later changes join. */
export interface NotificationTable {
  id: Generated<number>;
  account_id: number;
  artifact_id: number;
  /** Why they are told. */
  reason: string;
  /** When the last of the changes was made. */
  changed_at: number;
  /** When it last came into the inbox: by a change, or because its time was over for which it was put off. */
  came_at: number;
  /** Null: unread. */
  read_at: number | null;
  /** Null: not done. */
  done_at: number | null;
  /** Until when it is put off. */
  snoozed_until: number | null;
  /** Changes since it was last read or done. */
  change_count: number;
  /** JSON array: the last few who made them, the last one first. */
  people: string;
  /** JSON array: the fields that they changed. */
  field_ids: string;
  /** The last changeset of them that came with a text. */
  comment_id: number | null;
  first_changeset_id: number;
  last_changeset_id: number;
}

/** What somebody wishes to be told of; without a row everything, at once. */
export interface NotificationWishTable {
  account_id: number;
  /** JSON object: for each reason whether it goes to the inbox and into mails. */
  reasons: string;
  digest: string;
}

/** A change that waits for the next mail that sums up. */
export interface DigestItemTable {
  account_id: number;
  artifact_id: number;
  changeset_id: number;
  reason: string;
  due_at: number;
}

export interface NotifyTables {
  outbox: OutboxTable;
  event_log: EventLogTable;
  secret: SecretTable;
  mail: MailTable;
  mail_choice: MailChoiceTable;
  watch: WatchTable;
  watched_search: WatchedSearchTable;
  search_match: SearchMatchTable;
  notification: NotificationTable;
  notification_wish: NotificationWishTable;
  digest_item: DigestItemTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
}
