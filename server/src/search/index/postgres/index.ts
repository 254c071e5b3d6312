/*
 * On PostgreSQL the same postings as on SQLite answer searches (`postings/`), in tables of the database that all processes share; any of
 * them merges what changed. While too much waits for that, and for many trackers at once, the database answers by itself, from rows and
 * their indexes: it finds, counts and sorts. Read `id-queries.ts` first for that: what a plan means as a query for ids. `pages.ts` makes
 * pages of one tracker, `sorted-page.ts` of several, which `alike.ts` asks about together where it can.
 *
 * row-predicates.ts   what a plan means as a condition on rows; text-search.ts, newest.ts texts, leading-number.ts texts as numbers
 * table-page.ts       pages of one tracker that are sorted by several things
 * postings-engine.ts  how PostgreSQL is asked about postings; word-cache.ts words that a thread remembers
 * pending.ts, keep.ts what is noted of changes, and when it is merged
 */

import { contains, sql } from '../../../storage/index.ts';
import type { TrackerView } from '../../../trackers/index.ts';
import { IdSet } from '../id-set.ts';
import { partLength } from '../limits.ts';
import { keepingOn, postingsIndex, TooMuchPending } from '../postings/index.ts';
import type { Plan } from '../predicates.ts';
import { trackerIds, trackersOf } from '../prefilter-queries.ts';
import { type Finding, type SearchIndex, searchRunIn } from '../search-index.ts';
import { all } from '../sql.ts';
import { idsOfWhole, reachOf } from './id-queries.ts';
import { isMergeDue, mergeTexts } from './keep.ts';
import { newest } from './newest.ts';
import { ids, idsAfter, page } from './pages.ts';
import { noteChanged, noteTexts, pendEverything } from './pending.ts';
import { postgresEngine } from './postings-engine.ts';
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

const { mergePostings, upkeep } = keepingOn(postgresEngine);

/** What is the same whoever answers. */
const common = {
  trackersWith,
  newest,
  noteChanged,
  noteTexts,
  pendEverything,
  mergePostings,
  isMergeDue,
  mergeTexts,
  engine: postgresEngine,
  upkeep: { ...upkeep, mergeTexts: async () => {} },
  blocksInUse: postingsIndex.blocksInUse,
} satisfies Partial<SearchIndex>;

/** Answers from rows. */
const rowsIndex: SearchIndex = {
  ...common,
  ...{ page, ids, idsAfter, setOf, sortedPage, tablePage },
  planRange: (asked) => asked,
};

/** While more waits to be merged than can be asked about one by one, rows answer. */
async function answering<T>(
  finding: Finding,
  answer: (index: Pick<SearchIndex, keyof typeof postingsIndex>, finding: Finding) => Promise<T>,
): Promise<T> {
  try {
    return await answer(postingsIndex, finding);
  } catch (error) {
    if (!(error instanceof TooMuchPending)) throw error;
    return answer(rowsIndex, { ...finding, index: rowsIndex });
  }
}

/** Trackers up to which postings are asked about each by itself; of more, rows tell together. */
const mostTrackers = 20;

export const postgresIndex: SearchIndex = {
  ...common,
  page: (finding, ...asked) => answering(finding, (index, own) => index.page(own, ...asked)),
  ids: (finding, ...asked) => answering(finding, (index, own) => index.ids(own, ...asked)),
  idsAfter: (finding, ...asked) => answering(finding, (index, own) => index.idsAfter(own, ...asked)),
  setOf: (finding, ...asked) => answering(finding, (index, own) => index.setOf(own, ...asked)),
  sortedPage: (finding, targets, ...asked) =>
    targets.length > mostTrackers
      ? rowsIndex.sortedPage({ ...finding, index: rowsIndex }, targets, ...asked)
      : answering(finding, (index, own) => index.sortedPage(own, targets, ...asked)),
  tablePage: (finding, ...asked) => answering(finding, (index, own) => index.tablePage(own, ...asked)),
  planRange: postingsIndex.planRange,
};
