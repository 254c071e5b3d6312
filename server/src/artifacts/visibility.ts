import type { LeavingFacts } from '../kernel/events.ts';
import type { Soon } from '../kernel/soon.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { endlessGroups, groupIds } from '../projects/index.ts';
import { isVisible, memberIds, type ReadContext, viewFor } from '../search/index.ts';
import type { Reader } from '../storage/index.ts';
import type { TrackerView } from '../trackers/index.ts';
import { inParts, type VisibilityRow } from './store.ts';

export {
  isVisible,
  type ReadContext,
  readContextIn,
  readContextOf,
  requireTracker,
  viewFor,
} from '../search/index.ts';

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
export function canSee(reader: Reader, viewer: Viewer, view: TrackerView, row: VisibilityRow): Soon<boolean> {
  return (
    plainVerdict(view, viewer, row) ??
    visibleAmong(reader, viewer, view, [row.id]).then((visible) => visible.has(row.id))
  );
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

/** A row with the view of its tracker. */
interface SeenRow<Row> {
  readonly row: Row;
  readonly view: TrackerView;
}

/** How the viewer sees the trackers of some rows, as far as they may see anything of them. */
async function viewsOf(
  readContext: ReadContext,
  rows: readonly VisibilityRow[],
): Promise<ReadonlyMap<number, TrackerView | undefined>> {
  const views = new Map<number, TrackerView | undefined>();
  for (const { tracker_id: id } of rows) if (!views.has(id)) views.set(id, await viewFor(readContext, id));
  return views;
}

/**
 * Those of the artifacts that the viewer may see, each with the view of its tracker. `views`: of all their trackers, where they had to be
 * waited for.
 */
export function visibleOf<Row extends VisibilityRow>(
  readContext: ReadContext,
  rows: readonly Row[],
  views?: ReadonlyMap<number, TrackerView | undefined>,
): Soon<SeenRow<Row>[]> {
  const visible: SeenRow<Row>[] = [];
  let doubtful: Map<TrackerView, number[]> | undefined;
  let trackerId: number | undefined;
  let view: TrackerView | undefined;
  for (const row of rows) {
    // Neighbours are mostly of one tracker.
    if (row.tracker_id !== trackerId) {
      const found = views === undefined ? viewFor(readContext, row.tracker_id) : views.get(row.tracker_id);
      if (found instanceof Promise)
        return found.then(async () => visibleOf(readContext, rows, await viewsOf(readContext, rows)));
      view = found;
      trackerId = row.tracker_id;
    }
    const verdict = view === undefined ? false : plainVerdict(view, readContext.viewer, row);
    if (view === undefined || verdict === false) continue;
    visible.push({ row, view });
    if (verdict !== undefined) continue;
    doubtful ??= new Map();
    const ids = doubtful.get(view) ?? [];
    ids.push(row.id);
    doubtful.set(view, ids);
  }
  return doubtful === undefined ? visible : confirmed(readContext, visible, doubtful);
}

/** Asks the database about those of whom their rows do not tell. */
async function confirmed<Row extends VisibilityRow>(
  { reader, viewer }: ReadContext,
  rows: readonly SeenRow<Row>[],
  doubtful: ReadonlyMap<TrackerView, readonly number[]>,
): Promise<SeenRow<Row>[]> {
  const hidden = new Set([...doubtful.values()].flat());
  for (const [view, ids] of doubtful)
    for (const id of await visibleAmong(reader, viewer, view, ids)) hidden.delete(id);
  return rows.filter(({ row }) => !hidden.has(row.id));
}
