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
import { askedSearch, criteriaOf, savedView, titleField, type View } from '../view.ts';

/** The one query that asks for all that a view asks for. */
export async function wholeQuery(tracker: Tracker, view: View): Promise<string> {
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

/** What can be saved otherwise one by one: what is looked for, and each member of how it is shown. */
async function partsOf(tracker: Tracker, view: View, other: OtherRenderer | undefined) {
  const { columns, sort, ...search } = await savedForm(tracker, view);
  return { search, shown: other === undefined ? { columns, sort } : { ...other.settings } };
}

const storedRenderer = ({ renderers }: ReportSettings, type: ReportRenderer['type']) =>
  renderers.find((renderer) => renderer.type === type);

const storedParts = (tracker: Tracker, report: ReportSettings, other: OtherRenderer | undefined) => {
  const settings = other && {
    type: other.type,
    settings: storedRenderer(report, other.type)?.settings ?? {},
  };
  return partsOf(tracker, savedView(tracker, report), settings);
};

const isSame = (one: unknown, another: unknown) => JSON.stringify(one) === JSON.stringify(another);

/** Settings with changes laid over them; those that have nothing any more are gone. */
const settled = (settings: object, changes: ReadonlyMap<string, unknown>) =>
  Object.fromEntries(
    [...new Map([...Object.entries(settings), ...changes])].filter(([, value]) => value !== undefined),
  );

/** Somebody else has saved the same otherwise meanwhile. */
export class Overtaken extends Error {
  /** The report as it is now. */
  readonly theirs: ReportSettings;
  /** Whether both look for something else; else they show it otherwise. */
  readonly isInSearch: boolean;
  constructor(theirs: ReportSettings, isInSearch: boolean) {
    super('Somebody else saved first.');
    this.theirs = theirs;
    this.isInSearch = isInSearch;
  }
}

/**
 * Keeps a view in the report that it began with, as that was known then. What somebody else saved meanwhile stays, and what the view shows
 * otherwise; of what both have changed nothing is stored, unless `isForced`.
 */
export async function saveReport(
  tracker: Tracker,
  view: View,
  other: OtherRenderer | undefined,
  begun: ReportSettings,
  isForced = false,
): Promise<ReportSettings> {
  const stored = await client.call(getReportSettings, { params: { id: begun.id } });
  const [mine, before, now] = await Promise.all([
    partsOf(tracker, view, other),
    storedParts(tracker, begun, other),
    storedParts(tracker, stored, other),
  ]);
  /** Whether what is stored stays: nothing else was chosen here, or somebody else chose the same. */
  const stays = (own: unknown, known: unknown, theirs: unknown, isInSearch: boolean) => {
    if (isSame(own, known) || isSame(own, theirs)) return true;
    if (!isForced && !isSame(theirs, known)) throw new Overtaken(stored, isInSearch);
    return false;
  };
  const search = stays(mine.search, before.search, now.search, true) ? {} : mine.search;
  const [own, known, theirs] = [mine, before, now].map(({ shown }) => new Map(Object.entries(shown)));
  const changed = new Map(
    [...(own?.keys() ?? []), ...(theirs?.keys() ?? [])]
      .filter((name) => !stays(own?.get(name), known?.get(name), theirs?.get(name), false))
      .map((name) => [name, own?.get(name)]),
  );
  const type = other?.type ?? 'table';
  const shown = other === undefined ? Object.fromEntries(changed) : { settings: settled(now.shown, changed) };
  const present = storedRenderer(stored, type);
  const renderers = stored.renderers.map((one) =>
    one === present ? { id: one.id, ...shown } : { id: one.id },
  );
  const body = {
    ...search,
    renderers: present === undefined ? [...renderers, { type, ...shown }] : renderers,
  };
  return kept(await client.call(patchReportSettings, { params: { id: begun.id }, body }), tracker.uri);
}

export async function removeReport(tracker: Tracker, reportId: number): Promise<void> {
  await client.call(deleteReport, { params: { id: reportId } });
  markOld(tracker.uri);
}
