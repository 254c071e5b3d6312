import { type EventHandler, nothing } from './handler.ts';

/** Open pages are told of it; neither mails nor webhooks are. */
export const notificationChanged: EventHandler<'notification.changed'> = { outcomeOf: async () => nothing };
