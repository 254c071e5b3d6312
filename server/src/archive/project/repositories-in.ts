import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemViewer, type Viewer } from '../../kernel/viewer.ts';
import { findProject, type Project } from '../../projects/index.ts';
import { doJob } from '../../storage/index.ts';
import { discardRepositories, importRepository, type SvnDeps, SvnParts, svnDepsOn } from '../../svn/index.ts';
import type { Warn } from '../model.ts';
import { type ArchiveDeps, faultText, type ImportLog } from './deps.ts';
import { findImport } from './records.ts';
import { forgetRepositories, keptRepositories, repositoriesFile, repositoryFolders } from './repositories.ts';

export const svnDepsIn = ({
  config,
  database,
  operations,
}: Pick<ArchiveDeps, 'config' | 'database' | 'operations'>): SvnDeps =>
  svnDepsOn(config, database, operations);

/** Makes the repositories that an archive brought, which nobody sees yet. One that cannot be loaded leaves none. */
export async function loadRepositories(
  svnDeps: SvnDeps,
  viewer: Viewer,
  project: Pick<Project, 'id' | 'access'>,
  folder: string,
  warn: Warn,
): Promise<number[]> {
  const ids: number[] = [];
  try {
    for (const repository of (await keptRepositories(folder))?.repositories ?? []) {
      const { id, fault } = await importRepository(svnDeps, viewer, project, repository);
      ids.push(id);
      if (fault === undefined) continue;
      const text = `Subversion rejects the access file of ${repository.name} (${fault}): only members get in, to read.`;
      const { name, line } = repository;
      warn({ code: 'access_file_refused', place: `svn/repository[${name}]/access-file`, line, text });
    }
  } catch (error) {
    await discardRepositories(svnDeps, viewer, ids);
    throw error;
  }
  return ids;
}

/** Whether repositories can be made now; otherwise they wait. */
export const hasSubversion = async ({ config }: Pick<ArchiveDeps, 'config'>) =>
  (await new SvnParts(config).missing()) === undefined;

const waitPause = 10_000;

interface Waiting {
  readonly project: Project;
  readonly folder: string;
}

async function loadWaiting(
  archiveDeps: ArchiveDeps,
  { project, folder }: Waiting,
  log: ImportLog,
): Promise<void> {
  try {
    const warn: Warn = ({ text }) => log.warn({ project: project.id }, text);
    const ids = await loadRepositories(svnDepsIn(archiveDeps), systemViewer, project, folder, warn);
    await archiveDeps.operations.showImportedRepositories(systemViewer, { ids });
    await forgetRepositories(folder);
  } catch (error) {
    log.error(
      { project: project.id, fault: faultText(error) },
      'repositories of an archive cannot be loaded',
    );
    await rename(join(folder, repositoriesFile), join(folder, 'refused.json'));
  }
}

/** Repositories that wait, of imports that are done, in projects that everybody sees. */
async function waitingRepositories({ config, database }: ArchiveDeps): Promise<Waiting[]> {
  const found: Waiting[] = [];
  for (const folder of await repositoryFolders(config.dataFolder)) {
    const kept = await keptRepositories(folder);
    if (kept === undefined) continue;
    const { projectId, importId } = kept;
    const isDone = importId === undefined || (await findImport(database, importId))?.state === 'done';
    const project = await findProject(database, systemViewer, projectId);
    if (isDone && project?.status === 'active') found.push({ project, folder });
  }
  return found;
}

/** Makes the repositories of projects that were imported while Subversion was not there. */
export async function loadWaitingRepositories(archiveDeps: ArchiveDeps, log: ImportLog): Promise<void> {
  const waiting = await waitingRepositories(archiveDeps);
  if (waiting.length === 0 || !(await hasSubversion(archiveDeps))) return;
  for (const one of waiting) {
    const name = `load-repositories-${basename(one.folder)}`;
    await doJob(archiveDeps.operations, { name, every: waitPause }, () => loadWaiting(archiveDeps, one, log));
  }
}
