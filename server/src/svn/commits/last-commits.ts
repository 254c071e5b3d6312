import type { Instant } from '../../kernel/clock.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader } from '../../storage/index.ts';
import type { RepositoryRow } from '../store.ts';
import { viewOn } from './references.ts';

/** A commit as far as somebody may know of it. */
export interface KnownCommit {
  readonly revision: number;
  readonly author: string;
  readonly accountId: number;
  readonly at: Instant;
  /** Empty where something of the commit is hidden. */
  readonly message: string;
}

/** The last commits of a repository, the newest first; `looked`: among how many those are chosen that may be known. */
export async function lastCommitsOf(
  reader: Reader,
  viewer: Viewer,
  row: RepositoryRow,
  { most, looked }: { readonly most: number; readonly looked: number },
): Promise<{ commits: KnownCommit[]; hasHidden: boolean }> {
  const view = await viewOn(reader, viewer, row);
  if (view === undefined) return { commits: [], hasHidden: false };
  const query = reader.sql.selectFrom('svn_commit').selectAll().where('repository_id', '=', row.id);
  const rows = await reader.all(query.orderBy('revision', 'desc').limit(looked));
  const known = rows.map((commit) => {
    const seen = view(commit);
    return (
      seen && {
        ...{ revision: commit.revision, accountId: commit.account_id, at: commit.committed_at },
        ...{ author: seen.author, message: seen.message },
      }
    );
  });
  const commits = known.filter((commit) => commit !== undefined).slice(0, most);
  return { commits, hasHidden: known.includes(undefined) };
}
