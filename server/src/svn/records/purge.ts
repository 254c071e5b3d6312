import type { Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';

/** Forgets a repository of a project that is being purged. */
export async function forgetRepository(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<void> {
  const references = tx.sql.deleteFrom('cross_reference').where('source_kind', '=', 'svn');
  await tx.run(references.where('source_id', '=', id));
  const purged = tx.sql.selectFrom('project').select('id').where('status', '=', 'purging');
  await tx.run(tx.sql.deleteFrom('svn_repository').where('id', '=', id).where('project_id', 'in', purged));
}
