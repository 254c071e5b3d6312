export { isMuted, listMuted, type Muted, type MutedKind, readMailWishes, requireMutable } from './choices.ts';
export {
  type CommitPlace,
  type Commits,
  commitMails,
  writeCommitMail,
} from './commit-mail.ts';
export { type Delivery, listDeliveries } from './hook-log.ts';
export { Listeners } from './listeners.ts';
export { Mailer } from './mailer.ts';
export { type FailedMail, listFailedMails } from './mails.ts';
export type { DescribedChange, Difference, Showing } from './model.ts';
export { type NotifyOperations, notifyOperations } from './operations.ts';
export { passwordPage } from './reset-mail.ts';
export { silenceWaiting } from './silence.ts';
export { readSubscription, type Subscription } from './subscription-links.ts';
export { findWaiting } from './waiting.ts';
export { readWatching, type Watching, watchedAmong } from './watching.ts';
export { listWebhooks, requireWebhook, toWebhook, type Webhook, type WebhookWithSecret } from './webhooks.ts';
export { Notifier } from './worker.ts';
