import { createHash } from 'node:crypto';
import { type ReadContext, readContextOf } from '../artifacts/index.ts';
import { invalid, Refusal } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { findAllIds, reportCondition } from '../search/index.ts';
import { type Reader, readRevisions, statement, type Transaction } from '../storage/index.ts';
import { allOf, type Condition, type Report, requireReport, type Trackers } from '../trackers/index.ts';
import { type ArtifactReadDeps, recipientViewer } from './artifact-changes.ts';

/** Saved searches that one person watches, and artifacts that one of them finds when they begin. */
const mostWatchedSearches = 20;
export const mostWatchedMatches = 10_000;

/** A saved search that somebody watches. */
export interface WatchedSearch {
  readonly reportId: number;
  readonly accountId: number;
  /** What it asked for when its matches were last noted, so that one that was changed begins anew. */
  readonly asks: string;
}

/** That a watched search finds an artifact. */
export interface SearchMatch extends Pick<WatchedSearch, 'reportId' | 'accountId'> {
  readonly artifactId: number;
}

/** Artifacts that watched searches find now and did not before, and the other way round. */
export interface MatchChanges {
  readonly found: readonly SearchMatch[];
  readonly lost: readonly SearchMatch[];
}

const asksOf = ({ usesQuery, query, criteria }: Report): string =>
  createHash('sha256')
    .update(JSON.stringify(usesQuery ? query : criteria))
    .digest('base64url');

/** Whether somebody watches a saved search, and how many do. */
export interface SearchWatching {
  readonly isWatching: boolean;
  readonly watcherCount: number;
}

const watchersOf = ({ sql }: Reader, reportId: number) =>
  sql.selectFrom('watched_search').select('account_id').where('report_id', '=', reportId);

export async function readSearchWatching(
  reader: Reader,
  viewer: Viewer,
  reportId: number,
  trackers: Trackers,
): Promise<SearchWatching> {
  await requireReport(reader, viewer, reportId, { trackers, revisions: await readRevisions(reader) });
  const rows = await reader.all(watchersOf(reader, reportId));
  const isWatching = rows.some(({ account_id }) => account_id === viewer.userId);
  return { isWatching, watcherCount: rows.length };
}

/** `matches`: what it finds at this moment, of which nobody is told; null: it is not watched any more. */
export interface SearchWatchingRequest {
  readonly reportId: number;
  readonly matches: { readonly ids: readonly number[]; readonly size: number } | null;
}

async function requireRoom(tx: Transaction, { userId }: Viewer, size: number): Promise<void> {
  if (size > mostWatchedMatches)
    throw invalid(
      `This search finds ${size} artifacts. One that is watched may find ${mostWatchedMatches}: ask for fewer.`,
    );
  const own = tx.sql.selectFrom('watched_search').where('account_id', '=', userId);
  const counted = await tx.first(own.select((row) => row.fn.countAll<number>().as('size')));
  if ((counted?.size ?? 0) >= mostWatchedSearches)
    throw invalid(
      `You watch ${mostWatchedSearches} searches, which is the most. Stop watching another one first.`,
    );
}

const matchColumns = ['report_id', 'account_id', 'artifact_id'] as const;

/** Notes that the viewer wants to hear of what a saved search comes to find, or not. */
export async function watchSearch(
  tx: Transaction,
  viewer: Viewer,
  { reportId, matches }: SearchWatchingRequest,
  trackers: Trackers,
): Promise<void> {
  const deps = { trackers, revisions: await readRevisions(tx) };
  const { report } = await requireReport(tx, viewer, reportId, deps);
  const accountId = viewer.userId;
  if (matches === null) {
    const own = tx.sql.deleteFrom('watched_search').where('report_id', '=', reportId);
    await tx.run(own.where('account_id', '=', accountId));
    return;
  }
  const known = await tx.first(watchersOf(tx, reportId).where('account_id', '=', accountId));
  if (known !== undefined) return;
  await requireRoom(tx, viewer, matches.size);
  const row = { report_id: reportId, account_id: accountId, asks: asksOf(report) };
  await tx.run(tx.sql.insertInto('watched_search').values(row));
  await tx.insertMany(
    'search_match',
    matchColumns,
    matches.ids.map((id) => [reportId, accountId, id] as const),
  );
}

/** A watched search before whoever watches it; undefined where they do not see it any more. */
async function seenSearch(
  { reportId, accountId }: WatchedSearch,
  { database, trackers }: ArtifactReadDeps,
): Promise<
  { readonly report: Report; ids(also?: Condition): Promise<readonly number[] | undefined> } | undefined
> {
  const viewer = await recipientViewer(database, accountId);
  if (viewer === undefined) return undefined;
  const readContext: ReadContext = await readContextOf(database, viewer, trackers);
  const seen = await orUndefined(() => requireReport(database, viewer, reportId, readContext));
  if (seen === undefined) return undefined;
  const { report, view } = seen;
  return {
    report,
    ids: (also) =>
      orUndefined(async () => {
        const condition = await reportCondition(database, viewer, view, report);
        return findAllIds(readContext, view, also === undefined ? condition : allOf([also, condition]));
      }),
  };
}

/** A search that takes too long, or is not for them any more, holds up nobody: it is looked at again later. */
async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

const toSearch = (row: { report_id: number; account_id: number; asks: string }): WatchedSearch => ({
  reportId: row.report_id,
  accountId: row.account_id,
  asks: row.asks,
});

const searchesOfTracker = statement((sql, p: { trackerId: number }) =>
  sql
    .selectFrom('watched_search')
    .innerJoin('report', 'report.id', 'watched_search.report_id')
    .select(['watched_search.report_id', 'watched_search.account_id', 'watched_search.asks'])
    .where('report.tracker_id', '=', p.trackerId),
);

/** What a change of an artifact means to the watched searches of its tracker. */
export async function matchesOf(
  { id: artifactId, tracker_id }: { readonly id: number; readonly tracker_id: number },
  deps: ArtifactReadDeps,
): Promise<MatchChanges> {
  const reader: Reader = deps.database;
  const rows = await reader.all(searchesOfTracker, { trackerId: tracker_id });
  const found: SearchMatch[] = [];
  const lost: SearchMatch[] = [];
  if (rows.length === 0) return { found, lost };
  const query = reader.sql.selectFrom('search_match').select(['report_id', 'account_id']);
  const known = await reader.all(query.where('artifact_id', '=', artifactId));
  const wasFound = new Set(known.map((row) => `${row.report_id} ${row.account_id}`));
  for (const search of rows.map(toSearch)) {
    const { reportId, accountId, asks } = search;
    const seen = await seenSearch(search, deps);
    // Of one that was changed its matches are noted anew first, in its turn.
    if (seen === undefined || asksOf(seen.report) !== asks) continue;
    const ids = await seen.ids({ is: 'these', ids: [artifactId] });
    if (ids === undefined) continue;
    const before = wasFound.has(`${reportId} ${accountId}`);
    const isFound = ids.includes(artifactId);
    if (isFound && !before) found.push({ reportId, accountId, artifactId });
    if (!isFound && before) lost.push({ reportId, accountId, artifactId });
  }
  return { found, lost };
}

/** A watched search as it was looked at in its turn. */
export interface LookedAt {
  /** What it asks for now; another than before means that nobody is told of what it finds. */
  readonly asks: string;
  readonly isNew: boolean;
  readonly changes: MatchChanges;
}

/** All that a watched search finds now, beside what is noted. */
export async function lookAt(search: WatchedSearch, deps: ArtifactReadDeps): Promise<LookedAt | undefined> {
  const { reportId, accountId } = search;
  const seen = await seenSearch(search, deps);
  const ids = await seen?.ids();
  if (seen === undefined || ids === undefined) return undefined;
  const reader: Reader = deps.database;
  const noted = await reader.all(
    reader.sql
      .selectFrom('search_match')
      .select('artifact_id')
      .where('report_id', '=', reportId)
      .where('account_id', '=', accountId),
  );
  const before = new Set(noted.map(({ artifact_id }) => artifact_id));
  const now = new Set(ids);
  const asks = asksOf(seen.report);
  const matchOf = (artifactId: number) => ({ reportId, accountId, artifactId });
  const found = ids.filter((id) => !before.has(id)).map(matchOf);
  const lost = [...before].filter((id) => !now.has(id)).map(matchOf);
  return { asks, isNew: asks !== search.asks, changes: { found, lost } };
}

/** The searches that are watched, a page at a time. */
export async function listWatchedSearches(
  reader: Reader,
  after: Pick<WatchedSearch, 'reportId' | 'accountId'>,
): Promise<WatchedSearch[]> {
  const query = reader.sql
    .selectFrom('watched_search')
    .selectAll()
    .where((row) =>
      row.or([
        row('report_id', '>', after.reportId),
        row.and([row('report_id', '=', after.reportId), row('account_id', '>', after.accountId)]),
      ]),
    );
  return (await reader.all(query.orderBy('report_id').orderBy('account_id').limit(100))).map(toSearch);
}

/** Notes what watched searches find; those that are not watched any more are passed over. */
export async function noteMatches(tx: Transaction, { found, lost }: MatchChanges): Promise<void> {
  for (const { reportId, accountId, artifactId } of lost) {
    const row = tx.sql.deleteFrom('search_match').where('report_id', '=', reportId);
    await tx.run(row.where('account_id', '=', accountId).where('artifact_id', '=', artifactId));
  }
  for (const { reportId, accountId, artifactId } of found) {
    // It may have ended since somebody looked.
    const watched = await tx.lock(watchersOf(tx, reportId).where('account_id', '=', accountId));
    if (watched.length === 0) continue;
    const row = { report_id: reportId, account_id: accountId, artifact_id: artifactId };
    const insert = tx.sql.insertInto('search_match').values(row);
    await tx.run(insert.onConflict((conflict) => conflict.doNothing()));
  }
}
