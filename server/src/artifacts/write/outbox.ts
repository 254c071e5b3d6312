import type { ArtifactEvent } from '../../kernel/events.ts';
import { appendEvent } from '../../storage/index.ts';
import type { Tracker } from '../../trackers/index.ts';
import type { ReadContext } from '../visibility.ts';
import type { Change } from './change.ts';

/** Whether anybody is told of events. The room that tells them is above this one: `operations.ts` hands it in. */
export interface EventListeners {
  /** Asked in every change, and so answered from memory almost always. */
  wants(
    readContext: Pick<ReadContext, 'reader' | 'revisions'>,
    kind: ArtifactEvent['kind'],
    tracker: Tracker,
  ): boolean | Promise<boolean>;
}

/** Leaves an event to whoever tells people and other programs of it, where somebody wants to hear of it. */
export async function announce(change: Change, tracker: Tracker, event: ArtifactEvent): Promise<void> {
  const { listeners, readContext, context } = change;
  if (await listeners.wants(readContext, event.kind, tracker)) await appendEvent(context.tx, event);
}
