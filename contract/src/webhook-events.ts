/** What webhooks can be told of. Each is a kind of event of the server, which has more of them. */
export const webhookEvents = ['artifact.created', 'artifact.updated'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
