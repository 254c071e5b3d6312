import {
  type ArtifactRow,
  type CountBucket,
  countArtifacts,
  getReportSettings,
  listReports,
  listRows,
  patchArtifactRanks,
  type Report,
  type ReportSettings,
  type RowColumn,
  type Tracker,
} from '@atelier/client/routes';
import { useMemo } from 'react';
import { type Field, fieldTypes, holds, isOfPeople, shortName } from '../fields/index.ts';
import { writeSort } from '../kernel/filters.ts';
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
import {
  type AskedSearch,
  askedSearch,
  fieldNamed,
  type GroupWish,
  groupWishes,
  orderOf,
  titleField,
  type View,
} from './view.ts';

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

const mostRowsOfRequest = 500;

/** The first rows of a list, read past what is kept: they are needed once. */
export interface KnownRows {
  readonly rows: readonly ArtifactRow[];
  readonly columns: readonly RowColumn[];
  /** How many there are in all. */
  readonly size: number;
}

export async function readRows(source: RowSource, most: number, signal: AbortSignal): Promise<KnownRows> {
  const rows: ArtifactRow[] = [];
  let size = most;
  let columns: readonly RowColumn[] = [];
  while (rows.length < Math.min(size, most)) {
    const page = await source.read(rows.length, Math.min(mostRowsOfRequest, most - rows.length), signal);
    if (page.items.length === 0) break;
    rows.push(...page.items);
    size = page.size;
    columns = page.more ?? columns;
  }
  return { rows, size: rows.length === 0 ? 0 : size, columns };
}

/** Rows from a place on, kept as rows that were looked at are. */
export async function readUris(source: RowSource, from: number, count: number): Promise<readonly string[]> {
  const uris: string[] = [];
  const { signal } = new AbortController();
  while (uris.length < count) {
    const limit = Math.min(mostRowsOfRequest, count - uris.length);
    const { items } = await source.read(from + uris.length, limit, signal);
    for (const row of items) feed(row.uri, rowFacet, { body: row, etag: row.etag });
    uris.push(...items.map(({ uri }) => uri));
    if (items.length < limit) break;
  }
  return uris;
}

/** All rows that match, up to so many, and how many there are. */
export async function readSelected(source: RowSource, most: number) {
  const { size } = await source.read(0, 1, new AbortController().signal);
  return { uris: await readUris(source, 0, Math.min(size, most)), size };
}

/** Puts an artifact next to another one in the order that people give them. */
export async function moveInRank(
  source: RowSource,
  id: number,
  direction: 'before' | 'after',
  comparedTo: number,
): Promise<void> {
  try {
    await client.call(patchArtifactRanks, { body: { ids: [id], direction, compared_to: comparedTo } });
  } finally {
    // Where it was refused the rows go back to where they were.
    askRowsAgain(source);
  }
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

/** What stands behind the name, where it needs something: lists count each artifact once, as rows do. */
function countedBy({ key, field, step, isParent }: GroupWish): string {
  if (isParent) return key;
  if (step !== undefined) return `${field.name}:${step}`;
  return fieldTypes[field.type]?.isPerson ? field.name : `${field.name}:first`;
}

const mostSums = 3;

/** Fields of numbers that a view shows: they are summed up for each group. */
function summedFields(tracker: Tracker, { columns }: View): readonly Field[] {
  const fields = columns.flatMap(({ name }) => fieldNamed(tracker, name) ?? []);
  return fields.filter((field) => holds(field, 'number')).slice(0, mostSums);
}

function groupOf(field: Field, { key, label, color, count }: CountBucket): Group {
  const person =
    isOfPeople(field) && typeof key === 'number' ? { id: key, name: shortName(label) } : undefined;
  return {
    key: String(key),
    label: key === null ? currentMessages().tracker.noValue : (person?.name ?? label),
    colour: color,
    person,
    count,
    sums: [],
  };
}

function groupOfParent({ key, label, xref = '', count }: CountBucket): Group {
  const { tracker: words } = currentMessages();
  const parent = typeof key === 'number' ? { id: key, xref, title: label } : undefined;
  const name = parent === undefined ? words.noParent : `${xref} ${label}`.trim();
  return { key: String(key), label: name, colour: null, parent, count, sums: [] };
}

/** Values with the same name stand among each other. */
function merged(groups: readonly Group[]): readonly Group[] {
  const all: Group[] = [];
  for (const group of groups) {
    const last = all.at(-1);
    if (last === undefined || last.label.toLowerCase() !== group.label.toLowerCase()) all.push(group);
    else
      all[all.length - 1] = {
        ...last,
        count: last.count + group.count,
        sums: last.sums.map((sum, place) => ({ ...sum, sum: sum.sum + (group.sums[place]?.sum ?? 0) })),
      };
  }
  return all;
}

async function readGroups(
  tracker: Tracker,
  view: View,
  wish: GroupWish,
  signal: AbortSignal,
): Promise<readonly Group[]> {
  const { field } = wish;
  const query = { ...askedSearch(tracker, view), by: [countedBy(wish)] };
  const params = { id: tracker.id };
  const summed = summedFields(tracker, view);
  // Each request sums up one field; without any there is still one that counts.
  const answers = await Promise.all(
    (summed.length === 0 ? [undefined] : summed).map((one) =>
      client.call(countArtifacts, {
        params,
        query: one === undefined ? query : { ...query, sum: one.name },
        signal,
      }),
    ),
  );
  const buckets = answers[0]?.buckets ?? [];
  const groups = buckets.map((bucket, place) => ({
    ...(wish.isParent ? groupOfParent(bucket) : groupOf(field, bucket)),
    sums: summed.map(({ label }, index) => ({
      label,
      sum: answers[index]?.buckets[place]?.sum ?? 0,
    })),
  }));
  const none = groups.filter(({ key }) => key === 'null');
  const filled = groups.filter(({ key }) => key !== 'null');
  const isDescending = orderOf(view)[0]?.isDescending === true;
  // Without a value they come last in both directions.
  return merged([...(isDescending ? filled.reverse() : filled), ...none]);
}

/** The headings between the rows of a view that has groups, in the order of the rows; empty where one cannot have them. */
export function useGroups(tracker: Tracker, view: View, source: RowSource) {
  const wish = groupWishes(tracker).find(({ key }) => key === view.group);
  const facet: Facet<readonly Group[]> = {
    name: `groups ${view.group ?? ''}`,
    read: async (_uri, signal) => ({
      body: wish === undefined ? [] : await readGroups(tracker, view, wish, signal),
    }),
  };
  const { thing, error } = useThing(wish === undefined ? undefined : source.address, facet);
  const groups = useMemo(
    () => (view.showsEmptyGroups ? thing : thing?.filter(({ count }) => count > 0)),
    [thing, view.showsEmptyGroups],
  );
  if (wish === undefined) return { groups: undefined, isComing: false, error: null };
  return { groups, isComing: groups === undefined && error === null, error };
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

export const settingsFacet: Facet<ReportSettings> = {
  name: 'settings',
  read: async (uri, signal) => {
    const params = { id: Number(uri.split('/')[1]) };
    return { body: await client.call(getReportSettings, { params, signal }) };
  },
};

export const useReportSettings = (reportUri: string | undefined) => useThing(reportUri, settingsFacet);

/** What is shown of a tracker is read anew. */
export const askRowsAgain = (source: RowSource) => void markListOld(source.address);

/** Rows and the headings between them belong together. */
export function askGroupsAgain(source: RowSource): void {
  askRowsAgain(source);
  markOld(source.address);
}
