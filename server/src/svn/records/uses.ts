import { formatInstant, type Instant, day as oneDay } from '../../kernel/clock.ts';
import { invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import { requireOwnRepository } from '../policy.ts';

/** Readings of a repository by one person that are not written down yet. */
export interface SvnUse {
  readonly repositoryId: number;
  readonly accountId: number;
  /** In the server's zone: 2026-11-16. */
  readonly day: string;
  /** Checkouts, updates, logs and the like by Subversion. */
  readonly reads: number;
  /** Pages and files that were looked at otherwise. */
  readonly views: number;
}

/** The day that a moment is in, in the server's zone. */
export const svnDayOf = (at: Instant) => formatInstant(at).slice(0, 10);

/** Adds to what is known of each day. A repository that is gone meanwhile has no uses. */
export async function recordSvnUses(
  tx: Transaction,
  _: Viewer,
  { uses }: { readonly uses: readonly SvnUse[] },
): Promise<void> {
  for (const { repositoryId, accountId, day, reads, views } of uses) {
    const known = tx.sql.selectFrom('svn_repository').select('id').where('id', '=', repositoryId);
    if ((await tx.first(known)) === undefined) continue;
    const row = { repository_id: repositoryId, account_id: accountId, day, reads, views };
    const insert = tx.sql.insertInto('svn_use').values(row);
    await tx.run(
      insert.onConflict((conflict) =>
        conflict.columns(['repository_id', 'day', 'account_id']).doUpdateSet((stored) => ({
          reads: stored('svn_use.reads', '+', reads),
          views: stored('svn_use.views', '+', views),
        })),
      ),
    );
  }
}

/** What one person did with a repository on one day. */
export interface SvnStatistic {
  readonly day: string;
  readonly accountId: number;
  readonly reads: number;
  readonly writes: number;
  readonly views: number;
}

const usualDays = 30;
const mostDays = 366;

/** Days from `from` to `to`, both of them; the last thirty where nothing is given. */
function spanOf({ from, to }: { from: Instant | undefined; to: Instant | undefined }) {
  const last = to ?? Date.now();
  const first = from ?? last - (usualDays - 1) * oneDay;
  if (first > last) throw invalidMember('from', 'It is later than the end.');
  if (last - first > mostDays * oneDay)
    throw invalidMember('from', `At most ${mostDays} days are told at once.`);
  return { first: svnDayOf(first), last: svnDayOf(last), begin: first - oneDay, end: last + oneDay };
}

/** Who read, wrote and looked at a repository, by day, the last first: for those who administer it. */
export async function readSvnStatistics(
  reader: Reader,
  viewer: Viewer,
  { id, ...span }: { id: number; from: Instant | undefined; to: Instant | undefined },
): Promise<SvnStatistic[]> {
  await requireOwnRepository(reader, viewer, id);
  const { first, last, begin, end } = spanOf(span);
  const uses = reader.sql.selectFrom('svn_use').selectAll().where('repository_id', '=', id);
  const commits = reader.sql
    .selectFrom('svn_commit')
    .select(['account_id', 'committed_at'])
    .where('repository_id', '=', id)
    .where('committed_at', '>=', begin)
    .where('committed_at', '<', end);
  const all = new Map<string, { -readonly [Name in keyof SvnStatistic]: SvnStatistic[Name] }>();
  const at = (day: string, accountId: number) => {
    const key = `${day} ${accountId}`;
    const found = all.get(key) ?? { day, accountId, reads: 0, writes: 0, views: 0 };
    all.set(key, found);
    return found;
  };
  for (const row of await reader.all(uses.where('day', '>=', first).where('day', '<=', last))) {
    const statistic = at(row.day, row.account_id);
    statistic.reads = row.reads;
    statistic.views = row.views;
  }
  for (const row of await reader.all(commits)) {
    const day = svnDayOf(row.committed_at);
    if (day >= first && day <= last) at(day, row.account_id).writes += 1;
  }
  return [...all.values()].sort(
    (one, other) => other.day.localeCompare(one.day) || one.accountId - other.accountId,
  );
}
