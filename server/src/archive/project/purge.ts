import { rm } from 'node:fs/promises';
import { commandLineViewer } from '../../kernel/viewer.ts';
import { findDuePurges } from '../../projects/index.ts';
import { deskOn, purgeRepositories } from '../../svn/index.ts';
import { DeletedArtifacts } from '../deleted/archives.ts';
import { idsFileOf, type Workshop } from './deps.ts';
import { forgetRepositories, repositoryFolder } from './repositories.ts';

const platform = commandLineViewer('regular');

async function purgeArtifacts(workshop: Workshop, projectId: number): Promise<void> {
  const { database, trackers, keeper, config, operations } = workshop;
  const deleted = new DeletedArtifacts(database, trackers, keeper.blobs, config.dataFolder);
  for (;;) {
    const { isOver, archives } = await operations.purgeArtifacts(platform, { projectId });
    for (const archive of archives) await deleted.discard(archive);
    if (isOver) return;
  }
}

/** What is left once there are no artifacts: files, trackers, and the project itself. */
async function purgeRest({ operations, keeper, config }: Workshop, projectId: number): Promise<void> {
  for (;;) {
    const { isOver, hashes, imports } = await operations.purgeRest(platform, { projectId });
    await keeper.erase(hashes);
    for (const id of imports) await rm(idsFileOf(config.dataFolder, id), { force: true });
    if (isOver) return;
  }
}

/** Removes all that there is of a project whose time is over, in short steps. What was cut off is gone on with by the next call. */
export async function purgeProject(workshop: Workshop, projectId: number): Promise<boolean> {
  const { database, config, operations } = workshop;
  if (!(await operations.beginPurge(platform, { id: projectId }))) return false;
  await forgetRepositories(repositoryFolder(config.dataFolder, projectId));
  await purgeRepositories(deskOn(config, database, operations), config.dataFolder, projectId);
  await purgeArtifacts(workshop, projectId);
  await purgeRest(workshop, projectId);
  return true;
}

/** Purges the projects whose time is over. */
export async function purgeDueProjects(workshop: Workshop): Promise<void> {
  for (const id of await findDuePurges(workshop.database)) await purgeProject(workshop, id);
}
