import { createHash } from 'node:crypto';
import { second } from '../../kernel/clock.ts';
import type { Transaction } from '../../storage/index.ts';
import type { RepositoryRow } from '../store.ts';

/** The name of a file has at most 255 bytes, and time, ending and the mark of archives need some of them. */
const longestPart = 220;

/** The name of a repository as part of the name of a file: cut where it is long, and told apart from others by its digest. */
export function repositoryNamePart(name: string): string {
  if (name.length <= longestPart) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, longestPart - digest.length - 1)}-${digest}`;
}

const secondOf = (time: number) => Math.floor(time / second);

/** The name of the dump of a repository that is being deleted. */
export const dumpFileOf = ({ name, deleted_at }: Pick<RepositoryRow, 'name' | 'deleted_at'>) =>
  `${repositoryNamePart(name)}${secondOf(deleted_at ?? 0)}.svn`;

/**
 * Keeps all repositories of a name for this transaction: two processes that delete two of them come one after the other.
 * Gives the seconds in which others of them were deleted.
 */
export async function lockNamesakes(
  tx: Transaction,
  { id, name_key }: Pick<RepositoryRow, 'id' | 'name_key'>,
): Promise<Set<number>> {
  const query = tx.sql.selectFrom('svn_repository').select(['id', 'deleted_at']);
  const namesakes = await tx.lock(query.where('name_key', '=', name_key).orderBy('id'));
  return new Set(
    namesakes.flatMap((one) => (one.id === id || one.deleted_at === null ? [] : [secondOf(one.deleted_at)])),
  );
}

/** The first moment from now on in another second than those: dumps of all projects lie in one folder. */
export function momentOutside(seconds: ReadonlySet<number>, now: number): number {
  let moment = now;
  while (seconds.has(secondOf(moment))) moment += second;
  return moment;
}
