import type { WebhookEvent } from '@atelier/contract/webhook-events';
import type { EventKind, EventOf } from '../../kernel/events.ts';
import { accessKeyCreated } from './access-key-created.ts';
import { accountEmailChanged } from './account-email-changed.ts';
import { artifactCreated } from './artifact-created.ts';
import { artifactUpdated } from './artifact-updated.ts';
import type { EventHandler, HandlerDeps, Outcome } from './handler.ts';
import { svnCommit } from './svn-commit.ts';

export type { HandlerDeps, Outcome } from './handler.ts';

/**
 * What comes of each kind of event: one file a kind. To add an event, name its facts in `kernel/events.ts`, append it where it happens,
 * and write its handler here; where webhooks are told of it, name it in the contract as well.
 */
const handlers: { readonly [Kind in EventKind | WebhookEvent]: EventHandler<Kind> } = {
  'artifact.created': artifactCreated,
  'artifact.updated': artifactUpdated,
  'svn.commit': svnCommit,
  'access_key.created': accessKeyCreated,
  'account.email_changed': accountEmailChanged,
};

const isKind = (kind: string): kind is EventKind => Object.hasOwn(handlers, kind);

/** The kinds of events that this process can hand out; others wait for one that can. */
export const kindsFor = (deps: HandlerDeps): EventKind[] =>
  Object.keys(handlers)
    .filter(isKind)
    .filter((kind) => handlers[kind].isAble?.(deps) ?? true);

/** The mails and deliveries that come of an event. */
export const outcomeOf = <Kind extends EventKind>(
  event: EventOf<Kind>,
  deps: HandlerDeps,
): Promise<Outcome> => {
  const handler: EventHandler<Kind> = handlers[event.kind];
  return handler.outcomeOf(event, deps);
};
