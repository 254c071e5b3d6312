import {
  createReport,
  deleteReport,
  getReportSettings,
  patchReportSettings,
  type ReportRenderer,
  type ReportSettings,
  type Tracker,
} from '@atelier/client/routes';
import { isRelative } from '../../fields/index.ts';
import { currentMessages } from '../../messages/index.ts';
import { client, feed, markOld } from '../../store/index.ts';
import { settingsFacet } from '../calls.ts';
import { askedSearch, criteriaOf, titleField, type View } from '../view.ts';

/** The one query that asks for all that a view asks for. */
async function wholeQuery(tracker: Tracker, view: View): Promise<string> {
  const { joinedQueries, queryOfFilters } = await import('../chips-and-query.ts');
  const { query, staying } = queryOfFilters(tracker, view.filters);
  const { tracker: words } = currentMessages();
  const [first] = staying;
  if (first !== undefined) throw new Error(words.cannotSaveFilter(first.label, first.why));
  return joinedQueries(query, askedSearch(tracker, { ...view, filters: [] }).expert_query ?? '');
}

/** What a report keeps of a view: filters, or a query where they hold days that are told from today. */
async function savedForm(tracker: Tracker, view: View) {
  const idOf = (name: string) => tracker.fields.find((field) => field.name === name)?.field_id;
  const keyed = <Kept extends object>(name: string, kept: Kept) => {
    const field_id = idOf(name);
    return field_id === undefined ? [] : [{ ...kept, field_id }];
  };
  const expert_query = view.filters.some(isRelative)
    ? await wholeQuery(tracker, view)
    : (askedSearch(tracker, view).expert_query ?? '');
  const isInExpertMode = expert_query !== '';
  const title = titleField(tracker);
  const columns = [...(title === undefined ? [] : [{ name: title.name }]), ...view.columns];
  return {
    criteria: isInExpertMode ? {} : criteriaOf(tracker, view.filters),
    expert_query,
    is_in_expert_mode: isInExpertMode,
    columns: columns.flatMap(({ name }) => keyed(name, {})),
    sort: view.sort.flatMap(({ name, isDescending }) => keyed(name, { is_descending: isDescending })),
  };
}

async function kept(settings: ReportSettings, trackerUri: string): Promise<ReportSettings> {
  feed(settings.uri, settingsFacet, { body: settings });
  markOld(trackerUri);
  return settings;
}

/** A view that is no table, with what its renderer keeps. */
export interface OtherRenderer {
  readonly type: ReportRenderer['type'];
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Keeps a view as a new report: one's own, or everybody's. */
export async function saveNewReport(
  tracker: Tracker,
  view: View,
  other: OtherRenderer | undefined,
  { label, isPublic }: { readonly label: string; readonly isPublic: boolean },
): Promise<ReportSettings> {
  const { columns, sort, ...search } = await savedForm(tracker, view);
  const renderers = [other ?? { label: 'Table', columns, sort }];
  const body = { label, is_public: isPublic, ...search, renderers };
  return kept(await client.call(createReport, { params: { id: tracker.id }, body }), tracker.uri);
}

/** Keeps a view in the report that it began with. What it shows otherwise stays, also what others added while nobody told of it. */
export async function saveReport(
  tracker: Tracker,
  view: View,
  other: OtherRenderer | undefined,
  report: ReportSettings,
): Promise<ReportSettings> {
  const { columns, sort, ...search } = await savedForm(tracker, view);
  const { type, ...shown } = other ?? { type: 'table' as const, columns, sort };
  const stored = await client.call(getReportSettings, { params: { id: report.id } });
  const present = stored.renderers.find((renderer) => renderer.type === type);
  const renderers = stored.renderers.map((one) =>
    one === present ? { id: one.id, ...shown } : { id: one.id },
  );
  const body = {
    ...search,
    renderers: present === undefined ? [...renderers, { type, ...shown }] : renderers,
  };
  return kept(await client.call(patchReportSettings, { params: { id: report.id }, body }), tracker.uri);
}

export async function removeReport(tracker: Tracker, reportId: number): Promise<void> {
  await client.call(deleteReport, { params: { id: reportId } });
  markOld(tracker.uri);
}
