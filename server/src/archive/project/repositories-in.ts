import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLineViewer, type Viewer } from '../../kernel/viewer.ts';
import { findProject, type Project } from '../../projects/index.ts';
import { type Desk, deskOn, discardRepositories, importRepository, missingParts } from '../../svn/index.ts';
import type { Warn } from '../model.ts';
import { forgetRepositories, keptRepositories, repositoriesFile, repositoryFolder } from './repositories.ts';
import type { ImportLog } from './requested.ts';
import { faultOf, type Workshop } from './workshop.ts';

const platform = commandLineViewer('regular');

export const deskIn = ({
  config,
  database,
  operations,
}: Pick<Workshop, 'config' | 'database' | 'operations'>): Desk => deskOn(config, database, operations);

/** Makes the repositories that an archive brought, which nobody sees yet. One that cannot be loaded leaves none. */
export async function loadRepositories(
  desk: Desk,
  viewer: Viewer,
  project: Pick<Project, 'id' | 'access'>,
  folder: string,
  warn: Warn,
): Promise<number[]> {
  const ids: number[] = [];
  try {
    for (const repository of await keptRepositories(folder)) {
      const { id, fault } = await importRepository(desk, viewer, project, repository);
      ids.push(id);
      if (fault === undefined) continue;
      const text = `Subversion rejects the access file of ${repository.name} (${fault}): only members get in, to read.`;
      warn({ code: 'access_file_refused', place: `svn/repository[${repository.name}]/access-file`, text });
    }
  } catch (error) {
    await discardRepositories(desk, viewer, ids);
    throw error;
  }
  return ids;
}

/** Whether repositories can be made now; otherwise they wait. */
export const hasSubversion = async () => (await missingParts()) === undefined;

const waitPause = 10_000;

async function loadWaiting(workshop: Workshop, project: Project, log: ImportLog): Promise<void> {
  const folder = repositoryFolder(workshop.config.dataFolder, project.id);
  try {
    const warn: Warn = ({ text }) => log.warn({ project: project.id }, text);
    const ids = await loadRepositories(deskIn(workshop), platform, project, folder, warn);
    await workshop.operations.showImportedRepositories(platform, { ids });
    await forgetRepositories(folder);
  } catch (error) {
    log.error({ project: project.id, fault: faultOf(error) }, 'repositories of an archive cannot be loaded');
    await rename(join(folder, repositoriesFile), join(folder, 'refused.json'));
  }
}

/** Projects whose repositories wait. */
async function waitingProjects({ config, database }: Workshop): Promise<Project[]> {
  const entries = await readdir(join(config.dataFolder, 'imported-repositories')).catch(() => []);
  const found: Project[] = [];
  for (const id of entries.map(Number).filter(Number.isSafeInteger)) {
    const project = await findProject(database, platform, id);
    const path = join(repositoryFolder(config.dataFolder, id), repositoriesFile);
    const isWhole = await readFile(path).then(
      () => true,
      () => false,
    );
    if (project?.status === 'active' && isWhole) found.push(project);
  }
  return found;
}

/** Makes the repositories of projects that were imported while Subversion was not there. */
export async function loadWaitingRepositories(workshop: Workshop, log: ImportLog): Promise<void> {
  const projects = await waitingProjects(workshop);
  if (projects.length === 0 || !(await hasSubversion())) return;
  for (const project of projects) {
    const name = `load-repositories-${project.id}`;
    if (await workshop.operations.claimJob(platform, { name, pause: waitPause }))
      await loadWaiting(workshop, project, log);
  }
}
