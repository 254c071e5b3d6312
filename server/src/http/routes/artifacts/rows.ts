import * as contract from '@atelier/contract';
import {
  type DayRange,
  gather,
  pageOfAll,
  type ReadContext,
  type RowSearch,
  readRowFacts,
} from '../../../artifacts/index.ts';
import { formatInstant, parseInstant, second } from '../../../kernel/clock.ts';
import { invalidMember } from '../../../kernel/errors.ts';
import { watchedAmong } from '../../../notify/index.ts';
import {
  needsOf,
  type RowColumn,
  type RowData,
  rowColumns,
  rowFrame,
  rowText,
} from '../../../present/index.ts';
import { type CountBucket, type CountsBy, parseCriteria, requireShallow } from '../../../search/index.ts';
import type { TrackerView } from '../../../trackers/index.ts';
import { ArtifactParts, type Writing } from '../../in-parts.ts';
import { bind, JsonParts, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

/** Names that are given several times or with commas between them. */
export const namesIn = (input: readonly string[] = []) =>
  input.flatMap((names) => names.split(',').map((name) => name.trim())).filter((name) => name !== '');

/** A day of the calendar as a number that grows by one from each to the next. */
function dayIn(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || parseInstant(text) === undefined) return undefined;
  return Date.parse(`${text}T00:00:00Z`) / (86_400 * second);
}

function daysIn(text: string): RowSearch['overlaps'] {
  const [first, last, ...more] = text.split('/').map((part) => dayIn(part.trim()));
  if (first === undefined || last === undefined || more.length > 0)
    throw invalidMember('overlaps', 'Expecting two days such as 2026-11-01/2026-12-31.');
  if (last < first) throw invalidMember('overlaps', 'The second day is before the first.');
  return { first, last };
}

/** What a search is asked for with. */
export interface RowSearchQuery {
  readonly query?: unknown;
  readonly expert_query?: string;
  readonly report_id?: number;
  readonly overlaps?: string;
  readonly linked_to?: number;
  readonly parent?: number;
}

/** Criteria come as JSON, or as what that says. */
function criteriaIn(query: unknown): unknown {
  const criteria = typeof query === 'string' ? (query === '' ? null : parseCriteria(query)) : query;
  requireShallow(criteria);
  return criteria;
}

/** The search that parameters ask for. */
export function searchIn(request: RowSearchQuery): RowSearch {
  return {
    criteria: criteriaIn(request.query),
    query: request.expert_query ?? '',
    reportId: request.report_id,
    overlaps: request.overlaps === undefined ? undefined : daysIn(request.overlaps),
    linkedTo: request.linked_to,
    parent: request.parent,
  };
}

const hasMembers = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Whether everything in the tracker is looked for. */
export const isForAll = ({ criteria, query, reportId, overlaps, linkedTo, parent }: RowSearch): boolean =>
  (criteria == null || (typeof criteria === 'object' && !hasMembers(criteria))) &&
  (query ?? '').trim() === '' &&
  reportId === undefined &&
  overlaps === undefined &&
  linkedTo === undefined &&
  parent === undefined;

/** How rows of a tracker are written. */
function asRows(view: TrackerView, columns: readonly RowColumn[]): Writing<RowData> {
  const needs = needsOf(view, columns);
  const facts = new Set(columns.flatMap((column) => column.facts));
  const isWatching = columns.some((column) => column.isWatching);
  return {
    async gather(readContext: ReadContext, artifacts) {
      const related = await gather(readContext, artifacts, { needs });
      const { reader, viewer } = readContext;
      return {
        ...related,
        facts: await readRowFacts(readContext, artifacts, related, facts),
        watched: isWatching ? await watchedAmong(reader, viewer, artifacts) : new Set<number>(),
      };
    },
    text: (artifact, data, presentation) => rowText(columns, artifact, data, presentation),
    isShown: ({ row }) => row.tracker_id === view.tracker.id,
  };
}

/** The order of ids, where nothing else is asked for. */
function idOrder(sort: readonly string[]): { readonly isDescending: boolean } | undefined {
  const [first = 'id'] = sort;
  const [name, isDescending] = first.startsWith('-') ? [first.slice(1), true] : [first, false];
  return sort.length < 2 && (name === 'id' || name === '@id') ? { isDescending } : undefined;
}

const mostNames = 2;

/** `due:week` counts by weeks of a date; a name may be followed by nothing. */
function countedBy(input: readonly string[]): CountsBy[] {
  const names = namesIn(input);
  if (names.length === 0 || names.length > mostNames)
    throw invalidMember('by', 'One or two names are needed.');
  return names.map((name) => {
    const at = name.lastIndexOf(':');
    return at < 0 ? { name } : { name: name.slice(0, at), step: name.slice(at + 1) };
  });
}

const presentBucket = ({ buckets, ...bucket }: CountBucket): contract.CountBucket => ({
  ...bucket,
  ...(buckets === undefined ? {} : { buckets: buckets.map((inner) => ({ ...inner })) }),
});

const defaultDays = 90;

/** Which days a chart is about; it ends today, unless somebody says otherwise. */
function chartDays({ from, to }: { readonly from?: string; readonly to?: string }): DayRange {
  const dayNamed = (member: string, text: string) => {
    const day = dayIn(text);
    if (day === undefined) throw invalidMember(member, 'Expecting a day such as 2026-11-01.');
    return day;
  };
  const last = dayNamed('to', to ?? formatInstant(Date.now()).slice(0, 10));
  const first = from === undefined ? last - defaultDays : dayNamed('from', from);
  if (last < first) throw invalidMember('to', 'It is before the first day.');
  return { first, last };
}

/** A chart of the children of an artifact is a search for these. */
function chartSearch({ artifact, ...query }: RowSearchQuery & { readonly artifact?: number }): RowSearch {
  if (artifact === undefined) return searchIn(query);
  if (query.parent !== undefined) throw invalidMember('artifact', 'It cannot be given together with parent.');
  return searchIn({ ...query, parent: artifact });
}

export function artifactRowBindings(services: Services): RouteBinding[] {
  const { database, searches, trackers, config } = services;
  return [
    bind(contract.listRows, async ({ viewer, room, params, query }) => {
      const { limit, offset } = query;
      const search = searchIn(query);
      const sort = namesIn(query.sort);
      const view = await trackers.require(database, viewer, params.id, await database.revisions());
      const columns = rowColumns(view, namesIn(query.columns));
      const order = isForAll(search) ? idOrder(sort) : undefined;
      const all = order && (await pageOfAll(database, view, { limit, offset, ...order }));
      const patience = config.searchSeconds * second;
      const found =
        all ??
        (await searches.findRows(viewer, { trackerId: params.id, search, sort, limit, offset, patience }));
      const parts = new ArtifactParts(
        services,
        { viewer, room },
        found.ids,
        asRows(view, columns),
        rowFrame(columns),
      );
      return { body: new JsonParts(parts), page: { limit, offset, size: found.size } };
    }),
    bind(contract.countArtifacts, async ({ viewer, params, query }) => {
      const by = countedBy(query.by);
      const patience = config.searchSeconds * second;
      const input = { trackerId: params.id, search: searchIn(query), by, sum: query.sum, patience };
      const { size, sum, buckets } = await searches.countRows(viewer, input);
      return { body: { size, sum, buckets: buckets.map(presentBucket) } };
    }),
    bind(contract.getTrends, async ({ viewer, params, query }) => {
      const { steps, series } = await searches.readTrends(viewer, {
        trackerId: params.id,
        search: chartSearch(query),
        kind: query.kind,
        days: chartDays(query),
        step: query.step ?? 'day',
        field: query.field,
        patience: config.searchSeconds * second,
      });
      return {
        body: { steps: [...steps], series: series.map((one) => ({ ...one, values: [...one.values] })) },
      };
    }),
  ];
}
