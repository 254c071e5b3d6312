import { rm } from 'node:fs/promises';
import { systemViewer } from '../../kernel/viewer.ts';
import { findDuePurges } from '../../projects/index.ts';
import { purgeRepositories, svnDepsOn } from '../../svn/index.ts';
import { DeletedArtifacts } from '../deleted/index.ts';
import { type ArchiveDeps, idsFileOf } from './deps.ts';
import { forgetRepositories, repositoryFolder } from './repositories.ts';

async function purgeArtifacts(archiveDeps: ArchiveDeps, projectId: number): Promise<void> {
  const { database, trackers, keeper, config, operations } = archiveDeps;
  const deleted = new DeletedArtifacts(database, trackers, keeper.blobs, config.dataFolder);
  for (;;) {
    const { isOver, archives } = await operations.purgeArtifacts(systemViewer, { projectId });
    for (const archive of archives) await deleted.discard(archive);
    if (isOver) return;
  }
}

/** What is left once there are no artifacts: files, trackers, and the project itself. */
async function purgeRest({ operations, keeper, config }: ArchiveDeps, projectId: number): Promise<void> {
  for (;;) {
    const { isOver, hashes, imports } = await operations.purgeRest(systemViewer, { projectId });
    await keeper.erase(hashes);
    for (const id of imports) await rm(idsFileOf(config.dataFolder, id), { force: true });
    if (isOver) return;
  }
}

/** Removes all that there is of a project whose time is over, in short steps. What was cut off is gone on with by the next call. */
export async function purgeProject(archiveDeps: ArchiveDeps, projectId: number): Promise<boolean> {
  const { database, config, operations } = archiveDeps;
  if (!(await operations.beginPurge(systemViewer, { id: projectId }))) return false;
  await forgetRepositories(repositoryFolder(config.dataFolder, projectId));
  await purgeRepositories(svnDepsOn(config, database, operations), config.dataFolder, projectId);
  await purgeArtifacts(archiveDeps, projectId);
  await purgeRest(archiveDeps, projectId);
  return true;
}

/** Purges the projects whose time is over. */
export async function purgeDueProjects(archiveDeps: ArchiveDeps): Promise<void> {
  for (const id of await findDuePurges(archiveDeps.database)) await purgeProject(archiveDeps, id);
}
