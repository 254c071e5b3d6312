import { statement } from '../../storage/index.ts';
import type { Tracker } from '../../trackers/index.ts';
import type { Change } from './change.ts';

/** Whether anybody is told of changes. The room that tells them is above this one: `operations.ts` hands it in. */
export interface ChangeListeners {
  /** Asked in every change, and so answered from memory almost always. */
  wants(change: Change, tracker: Tracker): boolean | Promise<boolean>;
}

/** What the outbox keeps of a change; `artifactChanged` is the kind of such a row. */
export interface AnnouncedChange {
  readonly artifactId: number;
  readonly changesetId: number;
}
export const artifactChanged = 'artifact-changed';

const insertRow = statement((sql, p: { kind: string; payload: string; at: number }) =>
  sql.insertInto('outbox').values({ kind: p.kind, payload: p.payload, created_at: p.at }),
);

/** Leaves a changeset to whoever tells people and other programs of it, once it is stored. */
export async function announce(change: Change, tracker: Tracker, announced: AnnouncedChange): Promise<void> {
  if (!(await change.listeners.wants(change, tracker))) return;
  const { tx, now: at } = change.context;
  await tx.run(insertRow, { kind: artifactChanged, payload: JSON.stringify(announced), at });
}
