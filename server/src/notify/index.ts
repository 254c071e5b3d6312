/*
 * Inboxes, mails and webhooks, fed by the outbox and by nothing else.
 *
 * worker.ts    takes events from the outbox (outbox.ts) and hands each to its handler: read it first; deps.ts what it is handed
 * handlers/    one file a kind of event
 * change-telling.ts   a change becomes notifications and mails for everybody who has to do with it: artifact-changes.ts reads it,
 *                     change-showing.ts shows it to each of them, loaded-showing.ts with what present/ has, loaded when it is needed
 * recipients.ts, reasons.ts, watchers.ts, watching.ts, listeners.ts   who is told and why
 * choices.ts, wishes.ts   who does not want to be: what is muted, and preferences by reason and place; subscription-links.ts the same from a mail
 * searches.ts, search-turns.ts   saved searches that people watch: what they find newly
 * notifications.ts, inbox.ts   what is in inboxes: written, and read by their owners
 * digest.ts    mails that sum up a day or a week
 * mails.ts, mail-sender.ts, mail-turns.ts, mailer.ts   mails on their way; *-mail.ts what each kind says, in English
 * webhooks.ts  webhooks; new-deliveries.ts what they are told of an event; deliveries.ts, webhook-sender.ts, webhook-turns.ts, webhook-schedule.ts, webhook-log.ts,
 *              signing.ts   deliveries on their way
 * retries.ts   how long anything that failed waits for its next try; receivers.ts receivers of webhooks that are down
 * worker-pool.ts   how much is sent at once; outgoing.ts, public-addresses.ts where webhooks may lead
 * test-mail.ts   one mail at once, to see whether mails leave
 * waiting.ts, silence.ts   what is not sent yet, and what a restored backup must not send again
 * model.ts, operations.ts   types and pure rules; the list of what can be done
 *
 * Whoever is told of something may see it at the moment of telling.
 */

export {
  isMuted,
  listMuted,
  type Muted,
  type MutedKind,
  readMailPreferences,
  requireMutable,
} from './choices.ts';
export { type Commits, commitMails, writeCommitMail } from './commit-mail.ts';
export { countUnread, countUnreadIn, type InboxEntry, listNotifications } from './inbox.ts';
export { Listeners } from './listeners.ts';
export { loadedShowing } from './loaded-showing.ts';
export { Mailer } from './mailer.ts';
export { type FailedMail, findRefusalOfAll, listFailedMails } from './mails.ts';
export { isUnread } from './notifications.ts';
export { notifyOperations } from './operations.ts';
export type { Reason } from './reasons.ts';
export { passwordPage } from './reset-mail.ts';
export { mostWatchedMatches, readSearchWatching } from './searches.ts';
export { silenceWaiting } from './silence.ts';
export { readSubscription } from './subscription-links.ts';
export { sendTestMail } from './test-mail.ts';
export { findWaiting } from './waiting.ts';
export { readWatching, watchedAmong } from './watching.ts';
export {
  type Delivery,
  listDeliveries,
  listPlatformDeliveries,
  type PlatformDelivery,
} from './webhook-log.ts';
export { listWebhooks, requireWebhook, toWebhook, type Webhook } from './webhooks.ts';
export { type NotificationWishes, readNotificationWishes } from './wishes.ts';
export { Notifier } from './worker.ts';
