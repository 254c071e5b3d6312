/*
 * PostgreSQL answers searches by itself, from rows and their indexes: it finds, counts and sorts, and nothing is derived from the
 * rows that would have to be kept. Read `id-queries.ts` first: what a plan means as a query for ids. `pages.ts` makes pages of one
 * tracker, `sorted-page.ts` of several, which `alike.ts` asks about together where it can.
 */

import { contains, sql } from '../../../storage/index.ts';
import type { TrackerView } from '../../../trackers/index.ts';
import { IdSet } from '../id-set.ts';
import { partLength } from '../limits.ts';
import type { Plan } from '../predicates.ts';
import { trackerIds, trackersOf } from '../prefilter-queries.ts';
import { type Finding, type SearchIndex, searchRunIn } from '../search-index.ts';
import { all } from '../sql.ts';
import { idsOfWhole, reachOf } from './id-queries.ts';
import { newest } from './newest.ts';
import { ids, idsAfter, page } from './pages.ts';
import { sortedPage } from './sorted-page.ts';
import { tablePage } from './table-page.ts';

async function setOf(finding: Finding, view: TrackerView, plan: Plan): Promise<IdSet> {
  const { scope } = searchRunIn(finding, { view });
  const query = idsOfWhole([plan], { scopes: [scope], reach: reachOf(view) });
  const rows = await all<{ id: number }>(finding.readContext.reader, query);
  return IdSet.of(rows.map(({ id }) => id));
}

async function trackersWith(finding: Finding, part: string): Promise<Set<number> | undefined> {
  if ([...part].length < partLength) return undefined;
  const fields = sql`select distinct field_id from artifact_text where ${contains('text', part)}`;
  const comments = sql`select artifact_id from comment_text where ${contains('text', part)}`;
  return trackerIds(finding, trackersOf(fields, comments));
}

const nothingToDo = async () => {};

export const postgresIndex: SearchIndex = {
  page,
  ids,
  idsAfter,
  setOf,
  sortedPage,
  tablePage,
  trackersWith,
  newest,
  planRange: (asked) => asked,
  noteChanged: nothingToDo,
  noteTexts: nothingToDo,
  pendEverything: nothingToDo,
  blocksInUse: async () => [],
  foldPostings: nothingToDo,
  foldTexts: nothingToDo,
};
