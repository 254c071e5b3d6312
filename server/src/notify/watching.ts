import { type Artifact, findArtifacts, requireVisible } from '../artifacts/index.ts';
import { notFound } from '../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { type Reader, readRevisions, type Transaction } from '../storage/index.ts';
import type { Field, Stored, Trackers } from '../trackers/index.ts';
import { isMuted, mute, whoHasAccount } from './choices.ts';
import type { Reason } from './reasons.ts';
import { audienceOf } from './recipients.ts';
import { findWatchers, type Watched } from './watchers.ts';

const itemsIn = (value: Stored | undefined): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether the viewer is chosen in a list of people or of groups. */
function isChosenIn(field: Field, { view, document }: Artifact, { userId }: Viewer): boolean {
  const items = itemsIn(document[field.id]);
  if (field.bind?.kind === 'users') return items.includes(userId);
  if (field.bind?.kind !== 'ugroups') return false;
  const groups = field.bind.values
    .filter(({ id }) => items.includes(id))
    .flatMap(({ groupId }) => groupId ?? []);
  return groups.some((id) => view.groups.includes(id));
}

function isInvolved(artifact: Artifact, viewer: Viewer): boolean {
  const { row, view } = artifact;
  if (row.submitted_by === viewer.userId) return true;
  const { elements, semantics } = view.tracker;
  const telling = elements.filter(
    ({ id, isUsed, hasNotifications }) =>
      isUsed && (hasNotifications || id === semantics.contributor?.fieldId),
  );
  return telling.some((field) => view.canRead(field) && isChosenIn(field, artifact, viewer));
}

async function commentedAmong(reader: Reader, { userId }: Viewer, ids: readonly number[]): Promise<number[]> {
  const rows = await reader.all(
    reader.sql
      .selectFrom('changeset')
      .select('artifact_id')
      .distinct()
      .where('artifact_id', 'in', ids)
      .where('submitted_by', '=', userId)
      .where('comment', 'is not', null),
  );
  return rows.map(({ artifact_id }) => artifact_id);
}

async function askedAmong(reader: Reader, { userId }: Viewer, ids: readonly number[]): Promise<number[]> {
  const query = reader.sql.selectFrom('watch').select('item_id').where('kind', '=', 'artifact');
  const rows = await reader.all(query.where('item_id', 'in', ids).where('account_id', '=', userId));
  return rows.map(({ item_id }) => item_id);
}

async function mutedAmong(reader: Reader, viewer: Viewer, artifacts: readonly Artifact[]) {
  const ids = artifacts.map(({ row }) => row.id);
  const trackerIds = [...new Set(artifacts.map(({ row }) => row.tracker_id))];
  const rows = await reader.all(
    reader.sql
      .selectFrom('mail_choice')
      .select(['kind', 'subject_id'])
      .where('who', '=', whoHasAccount(viewer.userId))
      .where((row) =>
        row.or([
          row.and([row('kind', '=', 'artifact'), row('subject_id', 'in', ids)]),
          row.and([row('kind', '=', 'tracker'), row('subject_id', 'in', trackerIds)]),
        ]),
      ),
  );
  const muted = new Set(rows.map(({ kind, subject_id }) => `${kind} ${subject_id}`));
  return artifacts
    .filter(({ row }) => muted.has(`artifact ${row.id}`) || muted.has(`tracker ${row.tracker_id}`))
    .map(({ row }) => row.id);
}

/**
 * Those of some artifacts of whose changes the viewer is told: they have asked for it, have submitted them, commented on
 * them or are chosen in them, and have not muted them.
 */
export async function watchedAmong(
  reader: Reader,
  viewer: Viewer,
  artifacts: readonly Artifact[],
): Promise<ReadonlySet<number>> {
  if (isAnonymous(viewer) || artifacts.length === 0) return new Set();
  const involved = new Set(
    artifacts.filter((artifact) => isInvolved(artifact, viewer)).map(({ row }) => row.id),
  );
  const others = artifacts.map(({ row }) => row.id).filter((id) => !involved.has(id));
  if (others.length > 0) {
    for (const id of await commentedAmong(reader, viewer, others)) involved.add(id);
    for (const id of await askedAmong(reader, viewer, others)) involved.add(id);
  }
  for (const id of await mutedAmong(reader, viewer, artifacts)) involved.delete(id);
  return involved;
}

/** Whether somebody is told of what happens to something, and why. */
export interface Watching {
  readonly reason: 'asked' | Exclude<Reason, 'watcher' | 'search'> | null;
  readonly isMuted: boolean;
  /** People who are told of it, for whatever reason that the viewer may know. */
  readonly watcherCount: number;
}

/** The artifact as the viewer may see it; refuses where they may not. */
async function requireArtifact(reader: Reader, viewer: Viewer, id: number, trackers: Trackers) {
  const [row] = await findArtifacts(reader, [id]);
  if (row === undefined) throw notFound('There is no such artifact.');
  return requireVisible({ reader, viewer, trackers, revisions: await readRevisions(reader) }, row);
}

/** Those who would be told of a change that changed nothing. */
async function audienceNow(reader: Reader, artifact: Artifact) {
  const { row, document } = artifact;
  const nothing = { id: 0, by: 0, at: 0, email: null, isCreation: false, comment: null, changes: {} };
  return audienceOf(reader, { ...artifact, row }, { ...nothing, before: document, after: document });
}

async function reasonsOf(reader: Reader, viewer: Viewer, { kind, id }: Watched, trackers: Trackers) {
  if (kind === 'artifact') {
    const { accounts } = await audienceNow(reader, await requireArtifact(reader, viewer, id, trackers));
    return new Map([...accounts].map(([account, causes]) => [account, causes.map(({ reason }) => reason)]));
  }
  await trackers.require(reader, viewer, id, await readRevisions(reader));
  return new Map<number, readonly Reason[]>(
    (await findWatchers(reader, { kind, id })).map((account) => [account, ['watcher']]),
  );
}

export async function readWatching(
  reader: Reader,
  viewer: Viewer,
  watched: Watched,
  trackers: Trackers,
): Promise<Watching> {
  const reasons = await reasonsOf(reader, viewer, watched, trackers);
  const hasAsked = (await findWatchers(reader, watched)).includes(viewer.userId);
  const reason = reasons.get(viewer.userId)?.find((one) => one !== 'search') ?? null;
  return {
    reason: hasAsked || reason === 'watcher' ? 'asked' : reason,
    isMuted: await isMuted(reader, viewer, watched),
    watcherCount: reasons.size,
  };
}

export interface WatchingRequest extends Watched {
  readonly isWatching?: boolean | undefined;
  readonly isMuted?: boolean | undefined;
}

/** Notes that the viewer wants to hear of something, or not. */
export async function changeWatching(
  tx: Transaction,
  viewer: Viewer,
  { kind, id, isWatching, isMuted: muted }: WatchingRequest,
  trackers: Trackers,
): Promise<void> {
  await reasonsOf(tx, viewer, { kind, id }, trackers);
  const row = { kind, item_id: id, account_id: viewer.userId };
  if (isWatching === true)
    await tx.run(
      tx.sql
        .insertInto('watch')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
    );
  if (isWatching === false) {
    const own = tx.sql.deleteFrom('watch').where('account_id', '=', viewer.userId);
    await tx.run(own.where('kind', '=', kind).where('item_id', '=', id));
  }
  if (muted !== undefined) await mute(tx, viewer, { kind, id, isMuted: muted }, trackers);
}
