/*
 * What comes of each kind of event: one file a kind. handler.ts is what a handler is given and gives; readers.ts looks at the artifact as each receiver sees it.
 */

import type { WebhookEvent } from '@atelier/contract/webhook-events';
import type { EventKind, EventOf } from '../../kernel/events.ts';
import { accessKeyCreated } from './access-key-created.ts';
import { accountEmailChanged } from './account-email-changed.ts';
import { artifactCreated } from './artifact-created.ts';
import { artifactDeleted } from './artifact-deleted.ts';
import { artifactMoved } from './artifact-moved.ts';
import { artifactRanked } from './artifact-ranked.ts';
import { artifactRestored } from './artifact-restored.ts';
import { artifactUpdated } from './artifact-updated.ts';
import { commentEdited } from './comment-edited.ts';
import { commentMentioned } from './comment-mentioned.ts';
import type { EventHandler, EventOutcome, HandlerDeps } from './handler.ts';
import { passwordResetRequested } from './password-reset-requested.ts';
import { projectImported } from './project-imported.ts';
import { svnCommit } from './svn-commit.ts';

export type { EventOutcome, HandlerDeps } from './handler.ts';

/**
 * What comes of each kind of event: one file a kind. To add an event, name its facts in `kernel/events.ts`, append it where it happens,
 * and write its handler here; where webhooks are told of it, name it in the contract as well.
 */
const handlers: { readonly [Kind in EventKind | WebhookEvent]: EventHandler<Kind> } = {
  'artifact.created': artifactCreated,
  'artifact.updated': artifactUpdated,
  'artifact.moved': artifactMoved,
  'artifact.deleted': artifactDeleted,
  'artifact.restored': artifactRestored,
  'artifact.ranked': artifactRanked,
  'comment.edited': commentEdited,
  'comment.mentioned': commentMentioned,
  'svn.commit': svnCommit,
  'project.imported': projectImported,
  'access_key.created': accessKeyCreated,
  'account.email_changed': accountEmailChanged,
  'password_reset.requested': passwordResetRequested,
};

const isKind = (kind: string): kind is EventKind => Object.hasOwn(handlers, kind);

/** The kinds of events that this process can hand out; others wait for one that can. */
export const kindsFor = (deps: Pick<HandlerDeps, 'commits'>): EventKind[] =>
  Object.keys(handlers)
    .filter(isKind)
    .filter((kind) => handlers[kind].isAble?.(deps) ?? true);

/** The mails and deliveries that come of an event. */
export const outcomeOf = <Kind extends EventKind>(
  event: EventOf<Kind>,
  deps: HandlerDeps,
): Promise<EventOutcome> => {
  const handler: EventHandler<Kind> = handlers[event.kind];
  return handler.outcomeOf(event, deps);
};
