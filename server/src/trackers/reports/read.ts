import { forbidden, notFound } from '../../kernel/errors.ts';
import type { Page, Slice } from '../../kernel/paging.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { ProjectAccess } from '../../projects/index.ts';
import type { Reader, Revisions } from '../../storage/index.ts';
import type { Trackers } from '../cache.ts';
import type { Tracker } from '../model.ts';
import { requireTrackersOf } from '../policy.ts';
import { type TrackerView, viewOf } from '../view.ts';
import type { Report } from './model.ts';
import { findReport } from './store.ts';

/** What lists tell of a report. */
export interface ListedReport extends Pick<Report, 'id' | 'name' | 'ownerId' | 'isDefault'> {}

/** A report of a tracker that its viewer may see. */
export interface SeenReport {
  readonly report: Report;
  readonly view: TrackerView;
}

export const unknownReport = () => notFound('There is no such report.');

/** Private reports are nobody else's business, whoever asks. */
export const isFor = ({ ownerId }: Report, { userId }: Viewer) => ownerId === null || ownerId === userId;

/** A page of the reports of a tracker that are public or the viewer's own, by name. */
export async function listReports(
  reader: Reader,
  { userId }: Viewer,
  { trackerId, limit, offset }: Page & { readonly trackerId: number },
): Promise<Slice<ListedReport>> {
  const seen = reader.sql
    .selectFrom('report')
    .where('tracker_id', '=', trackerId)
    .where((report) => report.or([report('owner_id', 'is', null), report('owner_id', '=', userId)]));
  const counted = await reader.first(seen.select((report) => report.fn.countAll<number>().as('size')));
  const page = seen.select(['id', 'name', 'owner_id as ownerId', 'is_default']);
  const rows = await reader.all(page.orderBy('name_key').orderBy('id').limit(limit).offset(offset));
  const items = rows.map(({ is_default, ...report }) => ({ ...report, isDefault: is_default === 1 }));
  return { items, size: counted?.size ?? 0 };
}

/** What somebody sees of the tracker of a report. */
export function viewOfReported(
  tracker: Tracker | undefined,
  viewer: Viewer,
  projectAccess: ProjectAccess,
): TrackerView {
  requireTrackersOf(viewer, projectAccess);
  if (tracker === undefined || tracker.isDeleted) throw unknownReport();
  const view = viewOf(tracker, projectAccess);
  if (!view.canView) throw forbidden('You may not see the tracker of this report.');
  return view;
}

/** The report with what the viewer may see of its tracker. */
export async function requireReport(
  reader: Reader,
  viewer: Viewer,
  id: number,
  { trackers, revisions }: { readonly trackers: Trackers; readonly revisions: Revisions },
): Promise<SeenReport> {
  const report = await findReport(reader, id);
  if (report === undefined || !isFor(report, viewer)) throw unknownReport();
  const tracker = await trackers.find(reader, report.trackerId, revisions);
  if (tracker === undefined) throw unknownReport();
  const projectAccess = await trackers.projectAccess(reader, viewer, tracker.project.id, revisions);
  return { report, view: viewOfReported(tracker, viewer, projectAccess) };
}
