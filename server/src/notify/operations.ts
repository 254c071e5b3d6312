import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';
import { changeMailPreferences, mute, unsubscribe } from './choices.ts';
import { ping, redeliver, settleDelivery, takeDeliveries } from './deliveries.ts';
import { makeDigests } from './digest.ts';
import { discardMail, purgeMails, retryMail, settleMail, takeMails } from './mails.ts';
import {
  changeNotifications,
  purgeOldNotifications,
  readNotification,
  wakeSnoozed,
} from './notifications.ts';
import { postponeEvent, settleEvents, takeEvents } from './outbox.ts';
import { settleGivenUp } from './receivers.ts';
import { settleSearch } from './search-turns.ts';
import { watchSearch } from './searches.ts';
import { ensureLinkSecret } from './subscription-links.ts';
import { wakeAhead } from './waiting.ts';
import { changeWatching } from './watching.ts';
import { purgeDeliveries } from './webhook-log.ts';
import { changeWebhook, createWebhook, deleteWebhook } from './webhooks.ts';
import { changeNotificationWishes } from './wishes.ts';

type Input<Work extends (tx: Transaction, viewer: Viewer, input: never, trackers: Trackers) => unknown> =
  Parameters<Work>[2];

/** Everything that changes what is sent, and to whom. Each runs in one transaction, wherever writes run. */
export function notifyOperations(trackers: Trackers) {
  return {
    takeEvents,
    settleEvents,
    postponeEvent,
    takeMails,
    settleMail,
    retryMail,
    discardMail,
    purgeMails,
    takeDeliveries,
    settleDelivery,
    settleGivenUp,
    wakeAhead,
    purgeDeliveries,
    ensureLinkSecret,
    changeMailPreferences,
    changeNotificationWishes,
    changeNotifications,
    readNotification,
    wakeSnoozed,
    purgeOldNotifications,
    makeDigests,
    unsubscribe,
    settleSearch,
    muteMails: (tx: Transaction, viewer: Viewer, input: Input<typeof mute>) =>
      mute(tx, viewer, input, trackers),
    changeWatching: (tx: Transaction, viewer: Viewer, input: Input<typeof changeWatching>) =>
      changeWatching(tx, viewer, input, trackers),
    watchSearch: (tx: Transaction, viewer: Viewer, input: Input<typeof watchSearch>) =>
      watchSearch(tx, viewer, input, trackers),
    createWebhook: (tx: Transaction, viewer: Viewer, input: Input<typeof createWebhook>) =>
      createWebhook(tx, viewer, input, trackers),
    changeWebhook: (tx: Transaction, viewer: Viewer, input: Input<typeof changeWebhook>) =>
      changeWebhook(tx, viewer, input, trackers),
    deleteWebhook: (tx: Transaction, viewer: Viewer, input: Input<typeof deleteWebhook>) =>
      deleteWebhook(tx, viewer, input, trackers),
    pingWebhook: (tx: Transaction, viewer: Viewer, input: Input<typeof ping>) =>
      ping(tx, viewer, input, trackers),
    redeliver: (tx: Transaction, viewer: Viewer, input: Input<typeof redeliver>) =>
      redeliver(tx, viewer, input, trackers),
  };
}

export type NotifyOperations = ReturnType<typeof notifyOperations>;
