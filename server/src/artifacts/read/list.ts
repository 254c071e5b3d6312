import type { Page, Slice } from '../../kernel/paging.ts';
import {
  findIds,
  findIdsAfter,
  findSorted,
  type IdPage,
  reportCondition,
  type Selection,
  selectedBy,
  sizeForAll,
  tableOrder,
} from '../../search/index.ts';
import { type Reader, sql, statement } from '../../storage/index.ts';
import { requireReport, type TrackerView } from '../../trackers/index.ts';
import type { Ranked } from '../ranks.ts';
import { rankColumn } from '../ranks.ts';
import { isVisible, type ReadContext, requireTracker } from '../visibility.ts';
import { conditionOfSearch, type RowSearch } from './search.ts';

/** Which artifacts of a tracker are asked for. */
export interface ArtifactListing extends Page {
  readonly trackerId: number;
  readonly selection: Selection;
  readonly isDescending: boolean;
  /** Milliseconds after which the search is given up. */
  readonly patience: number;
}

const ascending = statement((builder, p: { id: number; limit: number; offset: number }) =>
  builder
    .selectFrom('artifact')
    .select('id')
    .where('tracker_id', '=', p.id)
    .orderBy('id')
    .limit(sql<number>`${p.limit}`)
    .offset(sql<number>`${p.offset}`),
);

const descending = statement((builder, p: { id: number; limit: number; offset: number }) =>
  builder
    .selectFrom('artifact')
    .select('id')
    .where('tracker_id', '=', p.id)
    .orderBy('id', 'desc')
    .limit(sql<number>`${p.limit}`)
    .offset(sql<number>`${p.offset}`),
);

const mostSkipped = 10_000;

/**
 * The page of a whole tracker whose artifacts the viewer sees all: their number is known without counting. Undefined
 * where they may not see all of them, and far behind, where passing over so many takes a while.
 */
export async function pageOfAll(
  reader: Reader,
  view: TrackerView,
  { isDescending, limit, offset }: Page & { isDescending: boolean },
): Promise<IdPage | undefined> {
  const size = offset > mostSkipped ? undefined : await sizeForAll(reader, view);
  if (size === undefined) return undefined;
  const query = isDescending ? descending : ascending;
  const rows = await reader.all(query, { id: view.tracker.id, limit, offset });
  return { ids: rows.map(({ id }) => id), size };
}

/** Finds a page of artifacts. Runs off the event loop. */
export async function findArtifactPage(
  readContext: ReadContext,
  { trackerId, selection, ...page }: ArtifactListing,
): Promise<IdPage> {
  const view = await requireTracker(readContext, trackerId);
  const { reader, viewer } = readContext;
  return findIds(readContext, view, await selectedBy(reader, viewer, view, selection), page);
}

export interface ReportListing extends Page {
  readonly reportId: number;
  /** Milliseconds after which the search is given up. */
  readonly patience: number;
}

/** Finds a page of what a report asks for. Runs off the event loop. */
export async function findReportArtifacts(
  readContext: ReadContext,
  { reportId, ...input }: ReportListing,
): Promise<IdPage> {
  const { reader, viewer } = readContext;
  const { report, view } = await requireReport(reader, viewer, reportId, readContext);
  const condition = await reportCondition(reader, viewer, view, report);
  const page = { ...input, isDescending: false };
  const all = condition.is === 'anything' ? await pageOfAll(reader, view, page) : undefined;
  return all ?? findIds(readContext, view, condition, page);
}

/** One step of going through all artifacts of a tracker that are asked for, by id. */
export interface ArtifactWalk extends Pick<ArtifactListing, 'trackerId' | 'patience'> {
  readonly search: RowSearch;
  readonly after: number;
  readonly limit: number;
}

/** The next artifacts behind a given one. Runs off the event loop. */
export async function findArtifactsAfter(
  readContext: ReadContext,
  { trackerId, search, ...step }: ArtifactWalk,
): Promise<readonly number[]> {
  const view = await requireTracker(readContext, trackerId);
  const condition = await conditionOfSearch(readContext, view, search, step.patience);
  return findIdsAfter(readContext, view, condition, step);
}

/** Rows of a tracker that are asked for. */
export interface RowListing extends Page, Pick<ArtifactListing, 'trackerId' | 'patience'> {
  readonly search: RowSearch;
  /** Names of what they are sorted by, with a minus in front the other way round. */
  readonly sort: readonly string[];
}

/** Finds a page of rows. Runs off the event loop. */
export async function findRows(
  readContext: ReadContext,
  { trackerId, search, sort, ...page }: RowListing,
): Promise<IdPage> {
  const view = await requireTracker(readContext, trackerId);
  const condition = await conditionOfSearch(readContext, view, search, page.patience);
  const order = await tableOrder(readContext, view, sort);
  return findSorted(readContext, view, condition, { ...page, order });
}

/** A page of the artifacts of a tracker in the order of their ranks. Runs off the event loop. */
export async function findRankedArtifacts(
  readContext: ReadContext,
  { trackerId, limit, offset }: Page & { trackerId: number },
): Promise<Slice<Ranked>> {
  const { reader, viewer } = readContext;
  const view = await requireTracker(readContext, trackerId);
  const query = reader.sql
    .selectFrom('artifact')
    .where('tracker_id', '=', trackerId)
    .where(isVisible(view, viewer));
  const page = query.select(['id', rankColumn.as('rank')]).orderBy(rankColumn);
  const items = await reader.all(page.limit(limit).offset(offset));
  const count = query.select((row) => row.fn.countAll<number>().as('size'));
  const size = (await sizeForAll(reader, view)) ?? (await reader.first(count))?.size ?? 0;
  return { items, size };
}
