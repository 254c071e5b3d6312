import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemViewer, type Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';
import type { SvnDeps } from '../deps.ts';
import type { RepositoryRow } from '../store.ts';
import { removeRepository } from './disk.ts';

/** Forgets a repository of a project that is being purged. */
export async function forgetRepository(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<void> {
  const references = tx.sql.deleteFrom('cross_reference').where('source_kind', '=', 'svn');
  await tx.run(references.where('source_id', '=', id));
  const purged = tx.sql.selectFrom('project').select('id').where('status', '=', 'purging');
  await tx.run(tx.sql.deleteFrom('svn_repository').where('id', '=', id).where('project_id', 'in', purged));
}

/** Removes the repositories of a project that is being purged, and the dumps of those that were deleted before. */
export async function purgeRepositories(
  svnDeps: SvnDeps,
  dataFolder: string,
  projectId: number,
): Promise<void> {
  const { database, operations } = svnDeps;
  const query = database.sql.selectFrom('svn_repository').selectAll().where('project_id', '=', projectId);
  const rows = await database.all<RepositoryRow>(query.orderBy('id'));
  for (const { id, name, dump_file } of rows) {
    const place = { projectId, name };
    // Whoever copies the platform meanwhile must not take for lost what is only removed.
    await operations.forgetRepository(systemViewer, { id });
    await removeRepository(svnDeps.svnWorkspace, place);
    if (dump_file !== null) await rm(join(dataFolder, 'backup', 'svn', dump_file), { force: true });
  }
  if (rows.length > 0)
    await rm(dirname(svnDeps.svnWorkspace.pathOf({ projectId, name: 'any' })), {
      recursive: true,
      force: true,
    });
}
