import type { Instant } from '../../kernel/clock.ts';
import {
  type CountBucket,
  type Counts,
  type CountsBy,
  countBuckets,
  findIds,
  parentName,
  sizeForAll,
} from '../../search/index.ts';
import { anything, isOpenCondition, listTrackers, type TrackerView } from '../../trackers/index.ts';
import { readArtifacts } from '../several.ts';
import { titleIn } from '../title.ts';
import { isVisible, type ReadContext, requireTracker } from '../visibility.ts';
import { conditionOfSearch, type RowSearch } from './search.ts';

/** What is counted in a tracker, and by what. */
export interface CountListing {
  readonly trackerId: number;
  readonly search: RowSearch;
  readonly by: readonly CountsBy[];
  readonly sum: string | undefined;
  readonly patience: number;
}

/** Parents that are read at once, since they come with all their texts. */
const someParents = 50;

/** What parents are called, by their ids. */
async function namesOfParents(
  readContext: ReadContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<CountBucket, 'label' | 'xref'>>> {
  const names = new Map<number, Pick<CountBucket, 'label' | 'xref'>>();
  for (let start = 0; start < ids.length; start += someParents)
    for (const { row, view, document } of await readArtifacts(
      readContext,
      ids.slice(start, start + someParents),
    )) {
      const { tracker } = view;
      const field = tracker.elementById.get(tracker.semantics.title?.fieldId ?? 0);
      const title = field !== undefined && view.canRead(field) ? titleIn(tracker, document) : null;
      names.set(row.id, { label: title ?? '', xref: `${tracker.itemName} #${row.id}` });
    }
  return names;
}

/** Counts with what the parents among them are called. */
async function withNames(readContext: ReadContext, counts: Counts, by: readonly CountsBy[]): Promise<Counts> {
  const [isOuter, isInner] = [0, 1].map((place) => by[place]?.name === parentName);
  if (!isOuter && !isInner) return counts;
  const all = counts.buckets.flatMap((bucket) => (isOuter ? [bucket] : (bucket.buckets ?? [])));
  const ids = new Set(all.flatMap(({ key }) => (typeof key === 'number' ? key : [])));
  const names = await namesOfParents(readContext, [...ids]);
  const named = (bucket: CountBucket): CountBucket => ({ ...bucket, ...names.get(Number(bucket.key)) });
  const buckets = counts.buckets.map((bucket): CountBucket => {
    const own = isOuter ? named(bucket) : bucket;
    return isInner && own.buckets !== undefined ? { ...own, buckets: own.buckets.map(named) } : own;
  });
  return { ...counts, buckets };
}

/** Counts what a search finds. Runs off the event loop. */
export async function countRows(
  readContext: ReadContext,
  { trackerId, search, by, sum, patience }: CountListing,
): Promise<Counts> {
  const view = await requireTracker(readContext, trackerId);
  const condition = await conditionOfSearch(readContext, view, search, patience);
  const counts = await countBuckets(readContext, view, condition, { by, sum, patience });
  return withNames(readContext, counts, by);
}

/** How much there is in a tracker that the viewer sees. */
export interface TrackerOverview {
  readonly trackerId: number;
  readonly openCount: number;
  readonly totalCount: number;
  /** When something of it last changed; null while there is nothing. */
  readonly lastUpdate: Instant | null;
  /** The report that is shown first. */
  readonly defaultReportId: number | null;
  readonly maySubmit: boolean;
}

async function lastUpdateIn({ reader, viewer }: ReadContext, view: TrackerView): Promise<Instant | null> {
  const query = reader.sql
    .selectFrom('artifact')
    .select('modified_on')
    .where('tracker_id', '=', view.tracker.id)
    .where(isVisible(view, viewer))
    .orderBy('modified_on', 'desc')
    .limit(1);
  return (await reader.first(query))?.modified_on ?? null;
}

async function defaultReportOf({ reader }: ReadContext, { tracker }: TrackerView): Promise<number | null> {
  const query = reader.sql
    .selectFrom('report')
    .select('id')
    .where('tracker_id', '=', tracker.id)
    .where('owner_id', 'is', null)
    .where('is_default', '=', 1)
    .orderBy('id')
    .limit(1);
  return (await reader.first(query))?.id ?? null;
}

async function overviewOf(
  readContext: ReadContext,
  view: TrackerView,
  isActive: boolean,
  patience: number,
): Promise<TrackerOverview> {
  const page = { limit: 1, offset: 0, isDescending: false, patience };
  const sizeOf = async (condition: typeof anything) =>
    (await findIds(readContext, view, condition, page)).size;
  const total = (await sizeForAll(readContext.reader, view)) ?? (await sizeOf(anything));
  const isOpen = isOpenCondition(view);
  return {
    trackerId: view.tracker.id,
    openCount: isOpen.is === 'anything' || total === 0 ? total : await sizeOf(isOpen),
    totalCount: total,
    lastUpdate: total === 0 ? null : await lastUpdateIn(readContext, view),
    defaultReportId: await defaultReportOf(readContext, view),
    maySubmit: view.canSubmit && isActive,
  };
}

/** More trackers than these nobody looks at together. */
const mostTrackers = 1000;

/** What there is in each tracker of a project, by their names. Runs off the event loop. */
export async function findTrackerOverviews(
  readContext: ReadContext,
  { projectId, patience }: { readonly projectId: number; readonly patience: number },
): Promise<readonly TrackerOverview[]> {
  const { reader, viewer, trackers, revisions } = readContext;
  const listing = { projectId, isForAdministrators: false, limit: mostTrackers, offset: 0 };
  const { items } = await listTrackers(reader, viewer, listing, readContext);
  const { project } = await trackers.projectAccess(reader, viewer, projectId, revisions);
  const overviews: TrackerOverview[] = [];
  for (const view of items) {
    reader.turn?.check();
    overviews.push(await overviewOf(readContext, view, project?.status === 'active', patience));
  }
  return overviews;
}
