import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '../../kernel/errors.ts';
import { isThere } from '../../kernel/folders.ts';
import { removeAbandonedFiles, workFileName } from '../../kernel/work-files.ts';
import type { Transaction } from '../../storage/index.ts';
import type { RepositoryPlace, SvnWorkspace } from '../workspace/index.ts';

/** Subversion cannot copy it as it is: bytes of it are lost. */
export class DamagedRepository extends Error {}

/** What the machine refuses is not the fault of a repository: rights, memory, open files, a disk that is full or read-only. */
const isOfMachine = (error: string) => /E000(001|012|013|023|024|028|030|122):/.test(error);

/**
 * Copies a repository while commits go on, and lends the copy for as long as the work takes: every commit that was done before is
 * in it. False: there is no such repository any more.
 */
export async function withCopy(
  svnWorkspace: SvnWorkspace,
  place: RepositoryPlace,
  work: (folder: string) => Promise<void>,
): Promise<boolean> {
  if (!(await isThere(svnWorkspace.pathOf(place)))) return false;
  await svnWorkspace.parts.require();
  const name = workFileName('.copy');
  const own = join(svnWorkspace.folder, '.server');
  const folder = join(own, name);
  await svnWorkspace.makeFolder(own);
  // A copy that was cut off may be as large as the one to come.
  await removeAbandonedFiles(own);
  try {
    const args = ['hotcopy', svnWorkspace.seenAt(place), svnWorkspace.seenIn('.server', name)];
    const { code, error } = await svnWorkspace.run('svnadmin', args, { endsWithUs: true });
    if (code !== 0 && !(await isThere(svnWorkspace.pathOf(place)))) return false;
    if (code !== 0 && /E\d{6}:/.test(error) && !isOfMachine(error)) throw new DamagedRepository(error.trim());
    if (code !== 0) throw unavailable(`The repository ${place.name} cannot be copied: ${error.trim()}`);
    await work(folder);
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Forgets what was unfinished where a copy of the database was restored: nobody goes on with repositories in the making, and of commits
 * that were made after the copy of the database those were told who had to be.
 */
export async function forgetUnfinished(
  tx: Transaction,
  youngestIn: (place: RepositoryPlace) => Promise<number | undefined>,
): Promise<void> {
  await tx.run(tx.sql.deleteFrom('svn_repository').where('state', '=', 'creating'));
  const query = tx.sql.selectFrom('svn_repository').select(['id', 'project_id', 'name', 'recorded_revision']);
  for (const { id, project_id: projectId, name, recorded_revision: recorded } of await tx.all(query)) {
    const youngest = await youngestIn({ projectId, name });
    if (youngest === undefined || youngest === recorded) continue;
    const pass = tx.sql.updateTable('svn_repository').set({ recorded_revision: youngest });
    await tx.run(pass.where('id', '=', id));
  }
}
