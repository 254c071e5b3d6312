/*
 * Inboxes, mails and webhooks, fed by the outbox and by nothing else.
 *
 * worker.ts    takes events from the outbox (outbox.ts) and hands each to its handler: read it first
 * handlers/    one file a kind of event
 * change-telling.ts   a change becomes notifications and mails for everybody who has to do with it
 * recipients.ts, reasons.ts, watchers.ts, watching.ts, choices.ts, wishes.ts, listeners.ts   who is told and why, and who does not want to be
 * searches.ts, search-turns.ts   saved searches that people watch: what they find newly
 * notifications.ts, inbox.ts   what is in inboxes: written, and read by their owners
 * digest.ts    mails that sum up a day or a week
 * mails.ts, mail-sender.ts, mail-turns.ts, mailer.ts   mails on their way; *-mail.ts what each kind says
 * webhooks.ts, deliveries.ts, hook-sender.ts, hook-turns.ts, hook-schedule.ts, hook-log.ts, signing.ts   webhooks on theirs
 * worker-pool.ts, receivers.ts, outgoing.ts   turns, retries, and hosts that are down
 * test-mail.ts   one mail at once, to see whether mails leave
 * waiting.ts, silence.ts   what is not sent yet, and what a restored backup must not send again
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
export { type Delivery, listDeliveries, listPlatformDeliveries, type PlatformDelivery } from './hook-log.ts';
export { countUnread, countUnreadIn, type InboxEntry, listNotifications } from './inbox.ts';
export { Listeners } from './listeners.ts';
export { loadedShowing } from './loaded-showing.ts';
export { Mailer } from './mailer.ts';
export { type FailedMail, listFailedMails } from './mails.ts';
export type { Difference } from './model.ts';
export { isUnread } from './notifications.ts';
export { notifyOperations } from './operations.ts';
export { type Reason, reasons } from './reasons.ts';
export { passwordPage } from './reset-mail.ts';
export { mostWatchedMatches, readSearchWatching } from './searches.ts';
export { silenceWaiting } from './silence.ts';
export { readSubscription } from './subscription-links.ts';
export { sendTestMail } from './test-mail.ts';
export { findWaiting } from './waiting.ts';
export { readWatching, type Watching, watchedAmong } from './watching.ts';
export { listWebhooks, requireWebhook, toWebhook, type Webhook } from './webhooks.ts';
export { type NotificationWishes, readNotificationWishes } from './wishes.ts';
export { Notifier } from './worker.ts';
