import type { LeavingFacts } from '../kernel/events.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { endlessGroups, groupIds } from '../projects/index.ts';
import { isVisible, memberIds, type ReadContext, viewAtOnce, viewFor } from '../search/index.ts';
import { type Reader, readRevisions, type Transaction } from '../storage/index.ts';
import type { Trackers, TrackerView } from '../trackers/index.ts';
import { inParts, type VisibilityRow } from './store.ts';

export { isVisible, type ReadContext, viewFor } from '../search/index.ts';

/** The verdict where the tracker's grants alone tell it; undefined where the database must be asked. */
function plainVerdict(
  { canView, access }: TrackerView,
  viewer: Viewer,
  row: VisibilityRow,
): boolean | undefined {
  if (!canView) return false;
  if (access.all) return true;
  if (row.is_restricted === 1) return undefined;
  // An artifact of an unknown submitter belongs to nobody, not to everybody who is not logged in.
  const isOwn = row.submitted_by === viewer.userId && !isAnonymous(viewer);
  if (access.full || (access.own && isOwn)) return true;
  return access.submitterGroups.length + access.assigneeGroups.length === 0 ? false : undefined;
}

/** May the viewer, whom the project lets in, see this artifact of the view's tracker? */
export async function canSee(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  row: VisibilityRow,
): Promise<boolean> {
  const verdict = plainVerdict(view, viewer, row);
  if (verdict !== undefined) return verdict;
  return (await visibleAmong(reader, viewer, view, [row.id])).has(row.id);
}

/** Whether somebody is, or one of several are, in one of the groups. */
async function areIn(
  reader: Reader,
  view: TrackerView,
  groups: readonly number[],
  accounts: readonly number[],
): Promise<boolean> {
  if (groups.length === 0) return false;
  if (groups.some((id) => endlessGroups.includes(id))) return accounts.length > 0;
  const members = await memberIds(reader, view, groups);
  return accounts.some((id) => members.includes(id));
}

/** Could the viewer see an artifact that is not in the view's tracker any more? As `canSee`, from what was kept of it. */
export async function couldSee(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  { submittedBy, grantedGroups, assignees }: LeavingFacts,
): Promise<boolean> {
  const { access, groups, canView } = view;
  if (!canView || access.all) return canView;
  if (grantedGroups !== null && !grantedGroups.some((id) => groups.includes(id))) return false;
  if (access.full) return true;
  if (access.own && submittedBy === viewer.userId && !isAnonymous(viewer)) return true;
  const assigned = assignees.filter((id) => id !== groupIds.nobody);
  return (
    (await areIn(reader, view, access.submitterGroups, [submittedBy])) ||
    (await areIn(reader, view, access.assigneeGroups, assigned))
  );
}

async function visibleAmong(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const query = reader.sql.selectFrom('artifact').select('id').where(isVisible(view, viewer));
  const rows = await inParts(ids, (some) => reader.all(query.where('id', 'in', some)));
  return new Set(rows.map(({ id }) => id));
}

/** As `visibleOf`, told from what is remembered; undefined when that does not tell. */
export function visibleAtOnce<Row extends VisibilityRow>(
  readContext: ReadContext,
  rows: readonly Row[],
): { row: Row; view: TrackerView }[] | undefined {
  const visible: { row: Row; view: TrackerView }[] = [];
  let trackerId: number | undefined;
  let view: TrackerView | null | undefined;
  for (const row of rows) {
    // Neighbours are mostly of one tracker.
    if (row.tracker_id !== trackerId) view = viewAtOnce(readContext, row.tracker_id);
    trackerId = row.tracker_id;
    const verdict = view && plainVerdict(view, readContext.viewer, row);
    if (view === undefined || verdict === undefined) return undefined;
    if (view !== null && verdict) visible.push({ row, view });
  }
  return visible;
}

/** Those of the artifacts that the viewer may see, each with the view of its tracker. */
export async function visibleOf<Row extends VisibilityRow>(
  readContext: ReadContext,
  rows: readonly Row[],
): Promise<{ row: Row; view: TrackerView }[]> {
  return visibleAtOnce(readContext, rows) ?? askedVisible(readContext, rows);
}

async function askedVisible<Row extends VisibilityRow>(
  readContext: ReadContext,
  rows: readonly Row[],
): Promise<{ row: Row; view: TrackerView }[]> {
  const views = new Map<number, TrackerView | undefined>();
  const visible: { row: Row; view: TrackerView }[] = [];
  const doubtful = new Map<TrackerView, number[]>();
  for (const row of rows) {
    if (!views.has(row.tracker_id)) views.set(row.tracker_id, await viewFor(readContext, row.tracker_id));
    const view = views.get(row.tracker_id);
    const verdict = view === undefined ? false : plainVerdict(view, readContext.viewer, row);
    if (view === undefined || verdict === false) continue;
    visible.push({ row, view });
    if (verdict !== undefined) continue;
    const ids = doubtful.get(view) ?? [];
    ids.push(row.id);
    doubtful.set(view, ids);
  }
  return doubtful.size === 0 ? visible : confirmed(readContext, visible, doubtful);
}

/** Asks the database about those of whom their rows do not tell. */
async function confirmed<Row extends VisibilityRow>(
  { reader, viewer }: ReadContext,
  rows: readonly { row: Row; view: TrackerView }[],
  doubtful: ReadonlyMap<TrackerView, readonly number[]>,
): Promise<{ row: Row; view: TrackerView }[]> {
  const hidden = new Set([...doubtful.values()].flat());
  for (const [view, ids] of doubtful)
    for (const id of await visibleAmong(reader, viewer, view, ids)) hidden.delete(id);
  return rows.filter(({ row }) => !hidden.has(row.id));
}

export async function readContextIn(
  tx: Transaction,
  viewer: Viewer,
  trackers: Trackers,
): Promise<ReadContext> {
  return { reader: tx, viewer, trackers, revisions: await readRevisions(tx) };
}
