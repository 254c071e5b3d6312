/** What webhooks can be told of. Each is a kind of event of the server, which has more of them. */
export const webhookEvents = [
  'artifact.created',
  'artifact.updated',
  'artifact.moved',
  'artifact.deleted',
  'artifact.restored',
  'comment.edited',
  'svn.commit',
  'project.imported',
] as const;
/** Those that concern no tracker: only webhooks of a project can listen to them. */
export const projectEvents: readonly WebhookEvent[] = ['svn.commit', 'project.imported'];
export type WebhookEvent = (typeof webhookEvents)[number];
