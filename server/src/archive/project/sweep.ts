import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { day } from '../../kernel/clock.ts';
import { Unclaimed } from '../../kernel/unclaimed.ts';
import { removeAbandonedFiles, removeOldFiles, workFileNames } from '../../kernel/work-files.ts';
import { sweepRepositories } from '../../svn/index.ts';
import type { ArchiveDeps } from './deps.ts';
import { findImport } from './records.ts';
import { keptRepositories, repositoryFolders } from './repositories.ts';

type Sweeper = Pick<ArchiveDeps, 'database' | 'config'>;

/** Whether an import has come to something, or may still do so. */
async function isOfUse({ database }: Sweeper, importId: number): Promise<boolean> {
  const record = await findImport(database, importId);
  return record !== undefined && record.state !== 'failed';
}

/** Whether a report names a list of ids, which older versions called after the time. */
async function isReported({ database }: Sweeper, name: string): Promise<boolean> {
  const query = database.sql.selectFrom('project_import').select('id').where('report', 'like', `%${name}%`);
  return (await database.first(query)) !== undefined;
}

/** Lists of ids of imports that came to nothing. */
async function sweepIds(sweeper: Sweeper, folder: string): Promise<void> {
  for (const name of (await workFileNames(folder)).filter((entry) => entry.endsWith('-ids.csv'))) {
    const [, id] = /^(\d{1,15})-ids\.csv$/.exec(name) ?? [];
    const isKept = id === undefined ? await isReported(sweeper, name) : await isOfUse(sweeper, Number(id));
    if (!isKept) await rm(join(folder, name), { force: true });
  }
}

/** The project that an import is read into, as long as there is one. */
async function hasProject({ database }: Sweeper, id: number): Promise<boolean> {
  const query = database.sql.selectFrom('project').select('id').where('id', '=', id);
  return (await database.first(query)) !== undefined;
}

/** Repositories that were to wait for a project, and wait for none. */
async function sweepWaiting(sweeper: Sweeper): Promise<void> {
  for (const folder of await repositoryFolders(sweeper.config.dataFolder)) {
    const kept = await keptRepositories(folder);
    const isKept =
      kept === undefined
        ? await hasProject(sweeper, Number(basename(folder)))
        : (await hasProject(sweeper, kept.projectId)) &&
          (kept.importId === undefined || (await isOfUse(sweeper, kept.importId)));
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what nothing points to from the data folder: what was in the making when a process died, at once; what is whole and
 * might be of use to somebody, a week after it was first seen. What the rooms below keep for themselves they tidy themselves.
 */
export async function sweepDataFolder(sweeper: Sweeper): Promise<void> {
  const { dataFolder } = sweeper.config;
  const [imports, exports] = [join(dataFolder, 'imports'), join(dataFolder, 'exports')];
  for (const folder of [dataFolder, imports, exports]) await removeAbandonedFiles(folder);
  // As older versions named them.
  await removeOldFiles(imports, /^upload-\d+\.zip$/, Date.now() - day);
  await removeOldFiles(exports, /^[0-9a-f-]{36}\.(zip|svn|svn\.part)$/, Date.now() - day);
  await sweepIds(sweeper, imports);
  await sweepWaiting(sweeper);
  const unclaimed = await Unclaimed.open(dataFolder);
  await sweepRepositories(sweeper.database, dataFolder, unclaimed);
  await unclaimed.close();
}
