import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemViewer } from '../../kernel/viewer.ts';
import type { SvnDeps } from '../deps.ts';
import type { RepositoryRow } from '../store.ts';
import { removeRepository } from './disk.ts';

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
