import { systemViewer, type Viewer } from '../kernel/viewer.ts';
import type { Calls, Reader, Transaction } from '../storage/index.ts';
import { Onlookers } from './artifact-changes.ts';
import { type TellingDeps, tellOfMatch } from './change-telling.ts';
import { insertDigestItems } from './digest.ts';
import { insertMails } from './mails.ts';
import type { DigestOrder, MailOrder, NotificationOrder } from './model.ts';
import { joinNotifications } from './notifications.ts';
import {
  type LookedAt,
  listWatchedSearches,
  lookAt,
  type MatchChanges,
  noteMatches,
  type WatchedSearch,
} from './searches.ts';

/** Artifacts of one search of which somebody is told in one turn; the others come in the next. */
const mostTold = 50;
/** Matches that are noted in one transaction. */
const mostNoted = 500;

interface SearchOutcome {
  readonly search: WatchedSearch;
  readonly matches: MatchChanges;
  readonly mails: readonly MailOrder[];
  readonly notifications: readonly NotificationOrder[];
  readonly digested: readonly DigestOrder[];
  /** With the last part: what the search asks for now. */
  readonly asks?: string;
}

/** Stores what came of looking at a watched search. */
export async function settleSearch(
  tx: Transaction,
  _viewer: Viewer,
  { search, matches, mails, notifications, digested, asks }: SearchOutcome,
): Promise<void> {
  await noteMatches(tx, matches);
  await insertMails(tx, mails);
  await insertDigestItems(tx, digested);
  await joinNotifications(tx, notifications);
  if (asks === undefined) return;
  const { reportId, accountId } = search;
  const own = tx.sql.updateTable('watched_search').set({ asks }).where('report_id', '=', reportId);
  await tx.run(own.where('account_id', '=', accountId));
}

async function lastChangeset(reader: Reader, artifactId: number): Promise<number | undefined> {
  const query = reader.sql.selectFrom('changeset').select('id').where('artifact_id', '=', artifactId);
  return (await reader.first(query.orderBy('id', 'desc').limit(1)))?.id;
}

/** What time alone, links or rights made a search find is told once; what a changed search finds is noted in silence. */
async function settle(
  search: WatchedSearch,
  { asks, isNew, changes }: LookedAt,
  deps: TellingDeps,
  { settleSearch: store }: Calls<{ settleSearch: typeof settleSearch }>,
): Promise<void> {
  const nothing = { search, mails: [], notifications: [], digested: [] };
  const { found, lost } = changes;
  for (let start = 0; start < lost.length; start += mostNoted) {
    const matches = { found: [], lost: lost.slice(start, start + mostNoted) };
    await store(systemViewer, { ...nothing, matches });
  }
  if (isNew) {
    for (let start = 0; start < found.length; start += mostNoted) {
      const matches = { found: found.slice(start, start + mostNoted), lost: [] };
      await store(systemViewer, { ...nothing, matches });
    }
    await store(systemViewer, { ...nothing, matches: { found: [], lost: [] }, asks });
    return;
  }
  for (const match of found.slice(0, mostTold)) {
    const changesetId = await lastChangeset(deps.database, match.artifactId);
    if (changesetId === undefined) continue;
    const told = await tellOfMatch({ artifactId: match.artifactId, changesetId }, search.accountId, deps);
    await store(systemViewer, { search, ...told, matches: { found: [match], lost: [] } });
  }
}

/** Looks at every watched search as whoever watches it, one after the other. */
export async function lookAtSearches(
  deps: Omit<TellingDeps, 'onlookers'>,
  operations: Calls<{ settleSearch: typeof settleSearch }>,
): Promise<void> {
  let after = { reportId: 0, accountId: 0 };
  while (true) {
    deps.database.renew();
    const searches = await listWatchedSearches(deps.database, after);
    const last = searches.at(-1);
    if (last === undefined) return;
    for (const search of searches) {
      deps.database.renew();
      const seen = await lookAt(search, deps);
      const onlookers = new Onlookers(deps);
      if (seen !== undefined) await settle(search, seen, { ...deps, onlookers }, operations);
    }
    after = last;
  }
}
