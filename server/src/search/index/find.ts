import type { Page } from '../../kernel/paging.ts';
import { sql } from '../../storage/index.ts';
import type { Condition, TrackerView } from '../../trackers/index.ts';
import { isVisible, type ReadContext, sizeForAll } from '../visibility.ts';
import { Clock, usualPatience } from './deadline.ts';
import { findSet, type IndexSnapshot } from './evaluate.ts';
import { idsOfWhole, isPlain, reachOf } from './id-queries.ts';
import type { IdSet } from './id-set.ts';
import { type Limits, usualLimits } from './limits.ts';
import { LinkedTrackers } from './linked-trackers.ts';
import { planOf, type SearchRun, visiblePlan } from './plan.ts';
import { predicateOf } from './row-predicates.ts';
import { all, type Query } from './sql.ts';

/** Ids of one page, and how many there are in all that the viewer may see. */
export interface IdPage {
  readonly ids: readonly number[];
  readonly size: number;
}

export interface FindingPage extends Page {
  readonly isDescending: boolean;
  /** Milliseconds after which the search is given up. */
  readonly patience?: number;
  /** Other limits than the usual ones. */
  readonly limits?: Limits;
}

/** What is looked for in one tracker. */
export interface Target {
  readonly view: TrackerView;
  readonly condition: Condition;
}

export interface Finding {
  readonly readContext: ReadContext;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly linkedTrackers: LinkedTrackers;
}

export type SearchOptions = Pick<FindingPage, 'patience' | 'limits'>;

/** All reads of a search see one state, and it ends in time. */
export function search<T>(
  readContext: ReadContext,
  { patience = usualPatience, limits = usualLimits }: SearchOptions,
  work: (finding: Finding) => Promise<T>,
): Promise<T> {
  const clock = new Clock(patience, readContext.reader.turn);
  return readContext.reader.consistently(clock.left, (reader) =>
    work({
      readContext: { ...readContext, reader },
      clock,
      limits,
      linkedTrackers: new LinkedTrackers(reader),
    }),
  );
}

export const searchRunIn = (finding: Finding, { view }: Pick<Target, 'view'>): SearchRun => ({
  ...finding,
  scope: { view, viewer: finding.readContext.viewer },
});

/** The artifacts of a target as a set of bits. `snapshot`: where a search over several targets stands in this one. */
export async function setFor(finding: Finding, target: Target, snapshot?: IndexSnapshot): Promise<IdSet> {
  const searchRun = searchRunIn(finding, target);
  const plan = await planOf(searchRun, target.condition);
  return findSet(searchRun, [await visiblePlan(searchRun), plan], snapshot);
}

/** A query over the artifacts of a target, for walking through them in their order. */
async function queryFor(finding: Finding, target: Target) {
  const searchRun = searchRunIn(finding, target);
  const plan = await planOf(searchRun, target.condition);
  return finding.readContext.reader.sql
    .selectFrom('artifact')
    .where('artifact.tracker_id', '=', target.view.tracker.id)
    .where(isVisible(target.view, finding.readContext.viewer))
    .where(predicateOf(plan, searchRun.scope));
}

/** A query for the ids of a target, where the database answers searches by itself. */
async function idsFor(
  finding: Finding,
  { view, condition }: Target,
): Promise<{ ids: Query; isPlain: boolean }> {
  const searchRun = searchRunIn(finding, { view });
  const plan = await planOf(searchRun, condition);
  const seesAll = (await sizeForAll(finding.readContext.reader, view)) !== undefined;
  const reach = seesAll ? 'everything' : reachOf(view);
  const ids = idsOfWhole([plan], { scopes: [searchRun.scope], reach });
  return { ids, isPlain: seesAll && isPlain(plan, searchRun.scope) };
}

async function pageOfRows(finding: Finding, target: Target, page: FindingPage): Promise<IdPage> {
  const { reader } = finding.readContext;
  const { ids, isPlain: isInOrder } = await idsFor(finding, target);
  const direction = sql.raw(page.isDescending ? 'desc' : 'asc');
  // What lies in its order is counted and looked up there; what is put together is put together once.
  const found = sql`with found as ${sql.raw(isInOrder ? 'not materialized' : 'materialized')} (${ids})`;
  const counted = sql`select count(*) as size from found`;
  const rows = await all<{ id: number; size: number }>(
    reader,
    sql`${found} select id, (${counted}) as size from found order by id ${direction}
      limit ${page.limit} offset ${page.offset}`,
  );
  const [first] = rows;
  if (first !== undefined) return { ids: rows.map(({ id }) => id), size: first.size };
  // Behind the last page no row tells the size.
  const [counting] = page.offset === 0 ? [] : await all<{ size: number }>(reader, sql`${found} ${counted}`);
  return { ids: [], size: counting?.size ?? 0 };
}

/** A page of the artifacts that meet the condition and that the viewer may see, by id, and their exact number. */
export function findIds(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  page: FindingPage,
): Promise<IdPage> {
  const target = { view, condition };
  return search(readContext, page, async (finding) => {
    const { reader } = finding.readContext;
    if (!reader.foldsPostings) return pageOfRows(finding, target, page);
    const found = await setFor(finding, target);
    return { ids: found.page(page), size: found.size };
  });
}

/** All ids of a target, in their order: for those who sort by something else. */
export function findAllIds(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  options: SearchOptions = {},
): Promise<readonly number[]> {
  return search(readContext, options, (finding) => allIds(finding, { view, condition }));
}

async function allIds(finding: Finding, target: Target): Promise<readonly number[]> {
  const { reader } = finding.readContext;
  if (reader.foldsPostings) return (await setFor(finding, target)).all();
  const { ids } = await idsFor(finding, target);
  const rows = await all<{ id: number }>(reader, sql`select id from (${ids}) as found order by id`);
  return rows.map(({ id }) => id);
}

/** The next artifacts behind a given one, for whoever goes through all of them: nothing is held open in between. */
export function findIdsAfter(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  { after, limit, ...options }: { readonly after: number; readonly limit: number } & SearchOptions,
): Promise<readonly number[]> {
  const target = { view, condition };
  return search(readContext, options, async (finding) => {
    const { reader } = finding.readContext;
    if (reader.foldsPostings) return (await setFor(finding, target)).after(after, limit);
    const query = (await queryFor(finding, target)).where('artifact.id', '>', after);
    const rows = await reader.all(query.select('artifact.id').orderBy('artifact.id').limit(limit));
    return rows.map(({ id }) => id);
  });
}
