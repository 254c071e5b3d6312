import { invalid, invalidMember } from '../../kernel/errors.ts';
import type { LiveDeed } from '../../kernel/events.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { readProjectAccess, requireProjectWritable } from '../../projects/index.ts';
import { logEvent, type Reader, type Transaction } from '../../storage/index.ts';
import { lockTracker, requireLockedView, requireTrackerAdministrator, requireTrackersOf } from '../policy.ts';
import { oneLine, paragraph } from '../texts.ts';
import type { TrackerView } from '../view.ts';
import { defaultReport, type NewReport, type Report, type SavedCriterion } from './model.ts';
import { isFor, type SeenReport, unknownReport, viewOfReported } from './read.ts';
import { checkedRenderers, type RendererInput } from './renderers.ts';
import { deleteReportRow, findReport, insertReport, replaceRenderers, updateReport } from './store.ts';

/** What is asked of a report; what is not given stays as it is. */
export interface ReportRequest {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isPublic?: boolean | undefined;
  readonly isDefault?: boolean | undefined;
  readonly isQueryDisplayed?: boolean | undefined;
  readonly usesQuery?: boolean | undefined;
  readonly query?: string | undefined;
  /** As the request gave them. */
  readonly criteria?: unknown;
  readonly renderers?: readonly RendererInput[] | undefined;
}

/** Criteria and queries are read by a room above this one. Both refuse what means nothing to the viewer. */
export interface ReportLanguage {
  readCriteria(
    reader: Reader,
    viewer: Viewer,
    view: TrackerView,
    input: unknown,
  ): Promise<readonly SavedCriterion[]>;
  checkQuery(reader: Reader, viewer: Viewer, view: TrackerView, query: string): Promise<void>;
}

interface Writing {
  readonly tx: Transaction;
  readonly viewer: Viewer;
  readonly view: TrackerView;
  readonly language: ReportLanguage;
}

/** Only public reports are for everybody to find first, and one of them always is. */
function checkPublicity({ view }: Writing, { ownerId, isDefault }: Report, input: ReportRequest): void {
  const { isPublic = ownerId === null } = input;
  if (isPublic) requireTrackerAdministrator(view);
  if (isDefault && (input.isDefault === false || !isPublic))
    throw invalidMember(
      isPublic ? 'is_default' : 'is_public',
      'This is the default report: make another one the default first.',
    );
  if (input.isDefault && !isPublic)
    throw invalidMember('is_default', 'Only a public report can be the default one.');
}

async function checkedQuery({ tx, viewer, view, language }: Writing, query: string): Promise<string> {
  await language.checkQuery(tx, viewer, view, paragraph('expert_query', query));
  return query;
}

/** The report as it is wished for, but for its renderers. */
async function changed<Changed extends Report>(
  writing: Writing,
  report: Changed,
  input: ReportRequest,
): Promise<Changed> {
  const { tx, viewer, view, language } = writing;
  const { name, description, isPublic, query, criteria } = input;
  const owner = isPublic ? null : (report.ownerId ?? viewer.userId);
  return {
    ...report,
    ...(isPublic === undefined ? {} : { ownerId: owner }),
    ...(name === undefined ? {} : { name: oneLine('label', name) }),
    ...(description === undefined ? {} : { description: paragraph('description', description) }),
    isDefault: input.isDefault ?? report.isDefault,
    isQueryDisplayed: input.isQueryDisplayed ?? report.isQueryDisplayed,
    usesQuery: input.usesQuery ?? report.usesQuery,
    ...(query === undefined ? {} : { query: await checkedQuery(writing, query) }),
    ...(criteria === undefined ? {} : { criteria: await language.readCriteria(tx, viewer, view, criteria) }),
  };
}

/** A report is another now: those who could see it, before or afterwards, are told. */
async function tell(
  { tx, viewer, view }: Pick<Writing, 'tx' | 'viewer' | 'view'>,
  { id: reportId, trackerId, ownerId }: Pick<Report, 'id' | 'trackerId' | 'ownerId'>,
  what: LiveDeed,
): Promise<void> {
  const projectId = view.tracker.project.id;
  await logEvent(tx, 'report.changed', { reportId, trackerId, projectId, ownerId, what, by: viewer.userId });
}

const nothingYet = (trackerId: number, { userId }: Viewer): Report => ({
  ...(defaultReport satisfies NewReport),
  id: 0,
  trackerId,
  ownerId: userId,
  isDefault: false,
  renderers: [],
});

export interface NewReportRequest extends ReportRequest {
  readonly trackerId: number;
  readonly name: string;
}

async function createReport(
  tx: Transaction,
  viewer: Viewer,
  { trackerId, ...input }: NewReportRequest,
  language: ReportLanguage,
): Promise<number> {
  const { view, project } = await requireLockedView(tx, viewer, trackerId);
  requireProjectWritable(project);
  const writing = { tx, viewer, view, language };
  const empty = nothingYet(trackerId, viewer);
  checkPublicity(writing, empty, input);
  const report = await changed(writing, empty, input);
  const id = await insertReport(tx, report, {
    ...report,
    renderers: checkedRenderers(view, input.renderers ?? [{}], []),
  });
  await tell(writing, { ...report, id }, 'created');
  return id;
}

/** The report, whose tracker is locked, for those who may change it. */
async function requireReportForWriting(tx: Transaction, viewer: Viewer, id: number): Promise<SeenReport> {
  const found = await findReport(tx, id);
  if (found === undefined || !isFor(found, viewer)) throw unknownReport();
  const tracker = await lockTracker(tx, found.trackerId);
  // Read again under the lock: somebody else may have been first.
  const report = await findReport(tx, id);
  if (report === undefined || !isFor(report, viewer)) throw unknownReport();
  const projectAccess = await readProjectAccess(tx, viewer, tracker.project.id);
  const view = viewOfReported(tracker, viewer, projectAccess);
  requireProjectWritable(requireTrackersOf(viewer, projectAccess));
  if (report.ownerId === null) requireTrackerAdministrator(view);
  return { report, view };
}

async function changeReport(
  tx: Transaction,
  viewer: Viewer,
  { id, ...input }: ReportRequest & { readonly id: number },
  language: ReportLanguage,
): Promise<void> {
  const { report, view } = await requireReportForWriting(tx, viewer, id);
  const writing = { tx, viewer, view, language };
  checkPublicity(writing, report, input);
  const next = await changed(writing, report, input);
  await updateReport(tx, next);
  if (input.renderers !== undefined)
    await replaceRenderers(tx, id, checkedRenderers(view, input.renderers, report.renderers));
  await tell(writing, next, 'changed');
  // For all but its new owner it is gone.
  if (next.ownerId !== null && report.ownerId === null) await tell(writing, report, 'deleted');
}

async function deleteReport(tx: Transaction, viewer: Viewer, { id }: { readonly id: number }): Promise<void> {
  const { report, view } = await requireReportForWriting(tx, viewer, id);
  if (report.isDefault)
    throw invalid('This is the default report: make another one the default before you delete it.');
  await deleteReportRow(tx, id);
  await tell({ tx, viewer, view }, report, 'deleted');
}

/** Everything that changes reports. `operations.ts` hands in who reads what they ask for. */
export function reportOperations(language: ReportLanguage) {
  return {
    createReport: (tx: Transaction, viewer: Viewer, input: NewReportRequest) =>
      createReport(tx, viewer, input, language),
    changeReport: (tx: Transaction, viewer: Viewer, input: ReportRequest & { readonly id: number }) =>
      changeReport(tx, viewer, input, language),
    deleteReport,
  };
}
