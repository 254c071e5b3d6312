import {
  type Artifact,
  mayReadComment,
  parseComment,
  type ReadContext,
  readArtifacts,
  readContextOf,
  viewFor,
} from '../artifacts/index.ts';
import { requireSelf } from '../identity/index.ts';
import type { Instant } from '../kernel/clock.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isVisible } from '../search/index.ts';
import type { Database, Reader } from '../storage/index.ts';
import { plainText, type Trackers, type TrackerView } from '../trackers/index.ts';
import { oneLine } from './model.ts';
import { numbersIn } from './notifications.ts';
import { isReason, type Reason } from './reasons.ts';

/** Where an entry can be: `inbox` is neither done nor put off, and `unread` a part of it. */
export const notificationStates = ['unread', 'inbox', 'snoozed', 'done'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** What is looked for in an inbox. */
export interface NotificationCriteria {
  readonly state?: NotificationState | undefined;
  readonly reason?: Reason | undefined;
  readonly projectId?: number | undefined;
  readonly artifactId?: number | undefined;
}

/** An entry as its owner sees it. */
export interface InboxEntry {
  readonly id: number;
  readonly artifact: Artifact;
  readonly reason: Reason;
  readonly changedAt: Instant;
  readonly readAt: Instant | null;
  readonly isDone: boolean;
  readonly snoozedUntil: Instant | null;
  readonly changeCount: number;
  /** The last few who changed it. */
  readonly people: readonly number[];
  /** Names of the fields that were changed. */
  readonly labels: readonly string[];
  /** The beginning of the last text that came with a change. */
  readonly excerpt: string | null;
  readonly firstChangesetId: number;
  readonly lastChangesetId: number;
}

/** Letters of a text that lists show. */
const longestExcerpt = 240;

/** The entries of somebody, with the artifacts that they are about. */
function entriesOf({ sql }: Reader, userId: number, criteria: NotificationCriteria) {
  const { state, reason, artifactId } = criteria;
  let query = sql
    .selectFrom('notification')
    .innerJoin('artifact', 'artifact.id', 'notification.artifact_id')
    .where('notification.account_id', '=', userId);
  if (state === 'done') query = query.where('notification.done_at', 'is not', null);
  else if (state !== undefined) {
    query = query.where('notification.done_at', 'is', null);
    query = query.where('notification.snoozed_until', state === 'snoozed' ? 'is not' : 'is', null);
  }
  if (state === 'unread') query = query.where('notification.read_at', 'is', null);
  if (reason !== undefined) query = query.where('notification.reason', '=', reason);
  if (artifactId !== undefined) query = query.where('notification.artifact_id', '=', artifactId);
  return query;
}

/** The trackers of these entries, as far as their owner sees them. */
async function viewsOf(readContext: ReadContext, criteria: NotificationCriteria): Promise<TrackerView[]> {
  const { reader, viewer, trackers, revisions } = readContext;
  const query = entriesOf(reader, viewer.userId, criteria).select('artifact.tracker_id').distinct();
  const views: TrackerView[] = [];
  for (const { tracker_id: id } of await reader.all(query)) {
    const view = await viewFor(readContext, id);
    if (view === undefined) continue;
    const { id: projectId } = view.tracker.project;
    if (criteria.projectId !== undefined && criteria.projectId !== projectId) continue;
    const { project } = await trackers.projectAccess(reader, viewer, projectId, revisions);
    if (project?.status === 'active') views.push(view);
  }
  return views;
}

const inTracker = (readContext: ReadContext, view: TrackerView, criteria: NotificationCriteria) =>
  entriesOf(readContext.reader, readContext.viewer.userId, criteria)
    .where('artifact.tracker_id', '=', view.tracker.id)
    .where(isVisible(view, readContext.viewer));

/** How many entries somebody has not read, of artifacts that they still see. */
export const countUnread = async (database: Database, viewer: Viewer, trackers: Trackers): Promise<number> =>
  countUnreadIn(await readContextOf(database, viewer, trackers));

/** The same for whoever reads already. */
export async function countUnreadIn(readContext: ReadContext): Promise<number> {
  const criteria: NotificationCriteria = { state: 'unread' };
  let count = 0;
  for (const view of await viewsOf(readContext, criteria)) {
    const query = inTracker(readContext, view, criteria).select((row) =>
      row.fn.countAll<number>().as('size'),
    );
    count += (await readContext.reader.first(query))?.size ?? 0;
  }
  return count;
}

/** The ids of all entries that are looked for and seen, the last that came first. */
async function findIds(readContext: ReadContext, criteria: NotificationCriteria): Promise<number[]> {
  const found: { readonly id: number; readonly came_at: number }[] = [];
  // One after the other: a single query over very many trackers would be larger than engines take.
  for (const view of await viewsOf(readContext, criteria)) {
    const query = inTracker(readContext, view, criteria);
    const rows = await readContext.reader.all(query.select(['notification.id', 'notification.came_at']));
    // One by one: an inbox may hold more than a call takes arguments.
    for (const row of rows) found.push(row);
  }
  return found
    .toSorted((left, right) => right.came_at - left.came_at || right.id - left.id)
    .map(({ id }) => id);
}

/** What the comments of some changesets say, where their readers may read them. */
async function excerptsOf(
  { reader }: ReadContext,
  views: ReadonlyMap<number, TrackerView>,
): Promise<ReadonlyMap<number, string>> {
  if (views.size === 0) return new Map();
  const query = reader.sql.selectFrom('changeset').select(['id', 'comment']);
  const rows = await reader.all(query.where('id', 'in', [...views.keys()]));
  const excerpts = new Map<number, string>();
  for (const { id, comment: text } of rows) {
    const [comment, view] = [parseComment(text), views.get(id)];
    if (comment === null || view === undefined || !mayReadComment(view, comment)) continue;
    const words = oneLine(plainText(comment.content, comment.format), longestExcerpt);
    if (words !== '') excerpts.set(id, words);
  }
  return excerpts;
}

/** The names of those fields that the viewer may read. */
const labelsOf = ({ view }: Artifact, ids: readonly number[]): string[] =>
  view.shown.filter(({ id }) => ids.includes(id)).map(({ label }) => label);

/** A page of one's own inbox; what one does not see any more is neither shown nor counted. */
export async function listNotifications(
  database: Database,
  viewer: Viewer,
  { accountId, limit, offset, ...criteria }: NotificationCriteria & Page & { readonly accountId: number },
  trackers: Trackers,
): Promise<Slice<InboxEntry> & { readonly readContext: ReadContext }> {
  requireSelf(viewer, accountId);
  const readContext = await readContextOf(database, viewer, trackers);
  const all = await findIds(readContext, criteria);
  const ids = all.slice(offset, offset + limit);
  const { reader } = readContext;
  const query = reader.sql.selectFrom('notification').selectAll().where('id', 'in', ids);
  const rows = ids.length === 0 ? [] : await reader.all(query);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const artifacts = await readArtifacts(
    readContext,
    rows.map(({ artifact_id }) => artifact_id),
  );
  const artifactOf = new Map(artifacts.map((artifact) => [artifact.row.id, artifact]));
  const commented = rows.flatMap(({ comment_id, artifact_id }): [number, TrackerView][] => {
    const view = artifactOf.get(artifact_id)?.view;
    return comment_id === null || view === undefined ? [] : [[comment_id, view]];
  });
  const excerpts = await excerptsOf(readContext, new Map(commented));
  const items = ids.flatMap((id): InboxEntry[] => {
    const row = rowOf.get(id);
    const artifact = row && artifactOf.get(row.artifact_id);
    if (row === undefined || artifact === undefined || !isReason(row.reason)) return [];
    return [
      {
        id,
        artifact,
        reason: row.reason,
        changedAt: row.changed_at,
        readAt: row.read_at,
        isDone: row.done_at !== null,
        snoozedUntil: row.snoozed_until,
        changeCount: row.change_count,
        people: numbersIn(row.people),
        labels: labelsOf(artifact, numbersIn(row.field_ids)),
        excerpt: (row.comment_id !== null && excerpts.get(row.comment_id)) || null,
        firstChangesetId: row.first_changeset_id,
        lastChangesetId: row.last_changeset_id,
      },
    ];
  });
  return { items, size: all.length, readContext };
}
