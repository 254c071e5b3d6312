import type { ArtifactEventKind, LeavingFacts, TwiceToldFacts } from '../../kernel/events.ts';
import { entriesOf } from '../../search/index.ts';
import { appendLiveEvent, type Transaction } from '../../storage/index.ts';
import type { Tracker } from '../../trackers/index.ts';
import type { EventListeners } from '../context.ts';
import type { Document } from '../model.ts';
import { titleIn } from '../title.ts';
import type { ReadContext } from '../visibility.ts';

/** The transaction in which something happens. */
export interface EventScope {
  readonly tx: Transaction;
  readonly readContext: Pick<ReadContext, 'reader' | 'revisions'>;
  readonly listeners: EventListeners;
}

type AnnouncedKind = Exclude<ArtifactEventKind, 'comment.mentioned'>;

/**
 * Notes what happened for those who look at it as it happens, and leaves it to whoever tells people and other programs of it, where
 * somebody wants to hear of it in one of the trackers.
 */
export async function announce<Kind extends AnnouncedKind>(
  { tx, readContext, listeners }: EventScope,
  kind: Kind,
  trackers: readonly Tracker[],
  factsOf: () => TwiceToldFacts<Kind> | Promise<TwiceToldFacts<Kind>>,
): Promise<void> {
  await appendLiveEvent(tx, kind, await factsOf(), await isWanted());

  async function isWanted(): Promise<boolean> {
    for (const tracker of trackers) if (await listeners.wants(readContext, kind, tracker)) return true;
    return false;
  }
}

export const placeOf = ({ id, project }: Tracker) => ({ trackerId: id, projectId: project.id });

/** What must be known of an artifact to tell later who could see it, asked while it is still there. */
export async function leavingFacts(
  tx: Transaction,
  {
    id,
    submittedBy,
    tracker,
    document,
    isRestricted,
  }: {
    readonly id: number;
    readonly submittedBy: number;
    readonly tracker: Tracker;
    readonly document: Document;
    readonly isRestricted: boolean;
  },
): Promise<LeavingFacts> {
  const grants = tx.sql.selectFrom('artifact_grant').select('group_id').where('artifact_id', '=', id);
  const contributor = tracker.elementById.get(tracker.semantics.contributor?.fieldId ?? 0);
  return {
    title: titleIn(tracker, document),
    submittedBy,
    grantedGroups: isRestricted ? (await tx.all(grants)).map(({ group_id }) => group_id) : null,
    assignees: contributor === undefined ? [] : entriesOf(contributor, document[contributor.id]).values,
  };
}
