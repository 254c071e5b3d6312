import { latestEnd, minute } from '../../kernel/clock.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { forgetComments } from '../../search/index.ts';
import type { Transaction } from '../../storage/index.ts';

/** How long a restoration may be silent before what it left is cleared away. */
export const restorerPatience = 5 * minute;

/** Changesets of one transaction. */
const someChangesets = 200;

/** Removes some of the history that an artifact left behind, and tells whether that was the last of it. */
export async function clearSome(tx: Transaction, artifactId: number): Promise<boolean> {
  const own = tx.sql.selectFrom('changeset').select('id').where('artifact_id', '=', artifactId);
  const ids = (await tx.all(own.orderBy('id').limit(someChangesets))).map(({ id }) => id);
  if (ids.length > 0) await tx.write(tx.sql.deleteFrom('changeset').where('id', 'in', ids));
  await forgetComments(tx, ids);
  return ids.length < someChangesets;
}

/** What is left of deleted artifacts goes bit by bit. Gives whether there may be more. */
export async function clearRemains(tx: Transaction, _: Viewer, __: undefined): Promise<boolean> {
  const unclean = tx.sql.selectFrom('deleted_artifact').select(['artifact_id', 'archive']);
  const left = unclean.where('has_remains', '=', 1).where((row) =>
    row.or([
      row('restorer_until', 'is', null),
      row('restorer_until', '<', Date.now()),
      // Somebody began to bring it back before the clock was set back.
      row('restorer_until', '>', latestEnd(restorerPatience)),
    ]),
  );
  const [found] = await tx.lock(left.orderBy('artifact_id').limit(1));
  if (found === undefined) return false;
  if (!(await clearSome(tx, found.artifact_id))) return true;
  const own = tx.sql.deleteFrom('deleted_artifact').where('artifact_id', '=', found.artifact_id);
  // Nobody can bring back what has no archive.
  if (found.archive === null) await tx.write(own);
  else await setClean(tx, found.artifact_id);
  return true;
}

async function setClean(tx: Transaction, id: number): Promise<void> {
  const row = tx.sql.updateTable('deleted_artifact').where('artifact_id', '=', id);
  await tx.write(row.set({ has_remains: 0, restorer: null, restorer_until: null }));
}
