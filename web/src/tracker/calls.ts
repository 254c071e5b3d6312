import {
  type ArtifactRow,
  createReport,
  deleteReport,
  getReportSettings,
  listReports,
  listRows,
  patchReportSettings,
  type Report,
  type ReportSettings,
  type RowColumn,
  type Tracker,
} from '@atelier/client/routes';
import { type Field, possibleChoices } from '../fields/index.ts';
import { type Filter, usualOperator, writeSort } from '../kernel/filters.ts';
import { currentMessages } from '../messages/index.ts';
import {
  client,
  type Facet,
  feed,
  type ListSource,
  listAddress,
  markListOld,
  markOld,
  useList,
  useThing,
} from '../store/index.ts';
import type { Group } from './groups.tsx';
import { type AskedSearch, askedSearch, criteriaOf, orderOf, titleField, type View } from './view.ts';

/** Rows come along with lists alone. */
export const rowFacet: Facet<ArtifactRow> = { name: 'row' };

const rowsOfRequest = 100;

/** Small marks after every title. */
const marks = ['@children', '@comments', '@files'];

interface AskedRows extends AskedSearch {
  readonly columns: string;
  readonly sort?: string | undefined;
}

function askedRows(tracker: Tracker, view: View): AskedRows {
  const title = titleField(tracker)?.name;
  const names = [...(title === undefined ? [] : [title]), ...view.columns.map(({ name }) => name), ...marks];
  const sort = writeSort(orderOf(view));
  return {
    ...askedSearch(tracker, view),
    columns: [...new Set(names)].join(','),
    sort: sort === '' ? undefined : sort,
  };
}

export type RowSource = ListSource<ArtifactRow, readonly RowColumn[]>;

/** The rows that a view shows. */
export function rowSource(tracker: Tracker, view: View): RowSource {
  const { id } = tracker;
  const { columns, sort, ...search } = askedRows(tracker, view);
  return {
    address: listAddress(`trackers/${id}/artifact_rows`, { ...search, columns, sort }),
    pageSize: rowsOfRequest,
    facet: rowFacet,
    uriOf: ({ uri }) => uri,
    etagOf: ({ etag }) => etag,
    async read(offset, limit, signal) {
      const { body, page } = await client.send(listRows, {
        params: { id },
        query: {
          ...search,
          columns: [columns],
          ...(sort === undefined ? {} : { sort: [sort] }),
          limit,
          offset,
        },
        signal,
      });
      return { items: body.rows, size: page?.size ?? body.rows.length, more: body.columns };
    },
  };
}

/** How many artifacts the tracker has in all, as far as one sees them. */
export function useTotal(tracker: Tracker): number | undefined {
  const { id } = tracker;
  return useList<ArtifactRow>({
    address: `trackers/${id}/artifact_rows?total`,
    pageSize: 1,
    facet: { name: 'total' },
    uriOf: ({ uri }) => uri,
    async read(offset, limit, signal) {
      const query = { columns: ['@comments'], limit, offset };
      const { body, page } = await client.send(listRows, { params: { id }, query, signal });
      return { items: body.rows, size: page?.size ?? 0 };
    },
  }).size;
}

/** How many rows of a view have one value of a list. */
async function countOf(tracker: Tracker, view: View, field: Field, id: string, signal: AbortSignal) {
  const own: Filter = { name: field.name, operator: usualOperator, values: [id] };
  const filters = view.filters.filter(({ name }) => name !== field.name);
  const narrowed = view.filters.find(({ name }) => name === field.name);
  // Two conditions on one field cannot be asked for at once; what the view leaves out has no rows.
  if (narrowed !== undefined && !passes(narrowed, id)) return 0;
  const query = {
    ...askedSearch(tracker, { ...view, filters: [...filters, own] }),
    columns: ['@comments'],
    limit: 1,
  };
  const { page } = await client.send(listRows, { params: { id: tracker.id }, query, signal });
  return page?.size ?? 0;
}

const passes = ({ operator, values }: Filter, id: string): boolean =>
  operator === 'not'
    ? !values.includes(id)
    : operator === 'empty'
      ? id === noValue
      : operator !== 'filled'
        ? values.includes(id)
        : id !== noValue;

/** The id by which searches find artifacts without a value. */
const noValue = '100';

/** As the server sorts: by the words, whatever their case. */
const sortedWords = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

async function readGroups(
  tracker: Tracker,
  view: View,
  field: Field,
  signal: AbortSignal,
): Promise<readonly Group[]> {
  const isDescending = orderOf(view)[0]?.isDescending === true;
  const choices = possibleChoices(field).sort((one, other) => {
    const order = sortedWords(one.name) < sortedWords(other.name) ? -1 : 1;
    return isDescending ? -order : order;
  });
  const groups = await Promise.all(
    choices.map(async ({ id, name, colour, person }) => ({
      ...{ key: id, label: name, colour: colour ?? null, person },
      count: await countOf(tracker, view, field, id, signal),
    })),
  );
  const label = currentMessages().tracker.noValue;
  const rest = {
    key: noValue,
    label,
    colour: null,
    count: await countOf(tracker, view, field, noValue, signal),
  };
  return [...groups, rest].filter(({ count }) => count > 0);
}

/** The headings between the rows of a view that has groups, in the order of the rows. */
export function useGroups(tracker: Tracker, view: View, source: RowSource): readonly Group[] | undefined {
  const field = tracker.fields.find(({ name }) => name === view.group);
  const facet: Facet<readonly Group[]> = {
    name: 'groups',
    read: async (_uri, signal) => ({
      body: field === undefined ? [] : await readGroups(tracker, view, field, signal),
    }),
  };
  return useThing(field === undefined ? undefined : source.address, facet).thing;
}

const reportsFacet: Facet<readonly Report[]> = {
  name: 'reports',
  read: async (uri, signal) => {
    const params = { id: Number(uri.split('/')[1]) };
    return { body: await client.call(listReports, { params, query: { limit: 1000 }, signal }) };
  },
};

/** The saved views of a tracker that one may see. */
export const useReports = (trackerUri: string) => useThing(trackerUri, reportsFacet);

const settingsFacet: Facet<ReportSettings> = {
  name: 'settings',
  read: async (uri, signal) => {
    const params = { id: Number(uri.split('/')[1]) };
    return { body: await client.call(getReportSettings, { params, signal }) };
  },
};

export const useReportSettings = (reportUri: string | undefined) => useThing(reportUri, settingsFacet);

/** What a report keeps of a view. */
function savedForm(tracker: Tracker, view: View) {
  const idOf = (name: string) => tracker.fields.find((field) => field.name === name)?.field_id;
  const keyed = <Kept extends object>(name: string, kept: Kept) => {
    const field_id = idOf(name);
    return field_id === undefined ? [] : [{ ...kept, field_id }];
  };
  const { expert_query = '' } = askedSearch(tracker, view);
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

/** Keeps a view as a new report: one's own, or everybody's. */
export async function saveNewReport(
  tracker: Tracker,
  view: View,
  { label, isPublic }: { readonly label: string; readonly isPublic: boolean },
): Promise<ReportSettings> {
  const { columns, sort, ...search } = savedForm(tracker, view);
  const body = { label, is_public: isPublic, ...search, renderers: [{ label: 'Table', columns, sort }] };
  return kept(await client.call(createReport, { params: { id: tracker.id }, body }), tracker.uri);
}

/** Keeps a view in the report that it began with. */
export async function saveReport(
  tracker: Tracker,
  view: View,
  report: ReportSettings,
): Promise<ReportSettings> {
  const { columns, sort, ...search } = savedForm(tracker, view);
  const table = report.renderers.find(({ type }) => type === 'table');
  const others = report.renderers.filter((renderer) => renderer !== table).map(({ id }) => ({ id }));
  const changed = table === undefined ? { label: 'Table' } : { id: table.id };
  const body = { ...search, renderers: [{ ...changed, columns, sort }, ...others] };
  return kept(await client.call(patchReportSettings, { params: { id: report.id }, body }), tracker.uri);
}

export async function removeReport(tracker: Tracker, reportId: number): Promise<void> {
  await client.call(deleteReport, { params: { id: reportId } });
  markOld(tracker.uri);
}

/** What is shown of a tracker is read anew. */
export const askRowsAgain = (source: RowSource) => void markListOld(source.address);

/** Rows and the headings between them belong together. */
export function askGroupsAgain(source: RowSource): void {
  askRowsAgain(source);
  markOld(source.address);
}
