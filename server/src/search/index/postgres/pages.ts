import { sql } from '../../../storage/index.ts';
import { isVisible, sizeForAll } from '../../visibility.ts';
import { planOf } from '../plan.ts';
import { type Finding, type FindingPage, type IdPage, searchRunIn, type Target } from '../search-index.ts';
import { all, type SqlPiece } from '../sql.ts';
import { idsOfWhole, isPlain, reachOf } from './id-queries.ts';
import { predicateOf } from './row-predicates.ts';

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
export async function idsFor(
  finding: Finding,
  { view, condition }: Target,
): Promise<{ ids: SqlPiece; isPlain: boolean }> {
  const searchRun = searchRunIn(finding, { view });
  const plan = await planOf(searchRun, condition);
  const seesAll = (await sizeForAll(finding.readContext.reader, view)) !== undefined;
  const reach = seesAll ? 'everything' : reachOf(view);
  const ids = idsOfWhole([plan], { scopes: [searchRun.scope], reach });
  return { ids, isPlain: seesAll && isPlain(plan, searchRun.scope) };
}

/** A page of a target, by id. */
export async function page(finding: Finding, target: Target, asked: FindingPage): Promise<IdPage> {
  const { reader } = finding.readContext;
  const { ids, isPlain: isInOrder } = await idsFor(finding, target);
  const direction = sql.raw(asked.isDescending ? 'desc' : 'asc');
  // What lies in its order is counted and looked up there; what is put together is put together once.
  const found = sql`with found as ${sql.raw(isInOrder ? 'not materialized' : 'materialized')} (${ids})`;
  const counted = sql`select count(*) as size from found`;
  const rows = await all<{ id: number; size: number }>(
    reader,
    sql`${found} select id, (${counted}) as size from found order by id ${direction}
      limit ${asked.limit} offset ${asked.offset}`,
  );
  const [first] = rows;
  if (first !== undefined) return { ids: rows.map(({ id }) => id), size: first.size };
  // Behind the last page no row tells the size.
  const [counting] = asked.offset === 0 ? [] : await all<{ size: number }>(reader, sql`${found} ${counted}`);
  return { ids: [], size: counting?.size ?? 0 };
}

export async function ids(finding: Finding, target: Target): Promise<readonly number[]> {
  const found = await idsFor(finding, target);
  const inOrder = sql`select id from (${found.ids}) as found order by id`;
  const rows = await all<{ id: number }>(finding.readContext.reader, inOrder);
  return rows.map(({ id }) => id);
}

export async function idsAfter(
  finding: Finding,
  target: Target,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const query = (await queryFor(finding, target)).where('artifact.id', '>', after);
  const rows = await finding.readContext.reader.all(
    query.select('artifact.id').orderBy('artifact.id').limit(limit),
  );
  return rows.map(({ id }) => id);
}
