import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { day } from '../../kernel/clock.ts';
import type { Unclaimed } from '../../kernel/unclaimed.ts';
import { removeAbandonedFiles, removeOldFiles, workFileNames } from '../../kernel/work-files.ts';
import type { Database } from '../../storage/index.ts';
import { dumpFileOf } from '../records/index.ts';
import type { RepositoryRow } from '../store.ts';

type Row = Pick<RepositoryRow, 'project_id' | 'name' | 'state' | 'dump_file' | 'deleted_at'>;

/** All repositories there are rows of, by where they lie; and the dumps that some of them have or are about to have. */
async function knownRepositories(database: Database) {
  const columns = ['project_id', 'name', 'state', 'dump_file', 'deleted_at'] as const;
  const rows = await database.all<Row>(database.sql.selectFrom('svn_repository').select(columns));
  const byPlace = new Map<string, Row>();
  for (const row of rows) {
    const place = `${row.project_id}/${row.name}`;
    // A name may be free again after a deletion: then the one that is there counts.
    if (row.state !== 'deleted' || !byPlace.has(place)) byPlace.set(place, row);
  }
  const dumps = new Set(rows.flatMap((row) => [row.dump_file ?? '', dumpFileOf(row)]));
  return { byPlace, dumps };
}

type KnownRepositories = Awaited<ReturnType<typeof knownRepositories>>;

/** Folders of repositories, and what work on them left. */
async function sweepFolders(
  folder: string,
  { byPlace }: KnownRepositories,
  unclaimed: Unclaimed,
): Promise<void> {
  await removeAbandonedFiles(join(folder, '.server'));
  await removeOldFiles(join(folder, '.server'), /^draft-[0-9a-f-]{36}$/, Date.now() - day);
  for (const projectId of (await workFileNames(folder)).filter((name) => /^\d+$/.test(name))) {
    const own = join(folder, projectId);
    await removeAbandonedFiles(own);
    await removeOldFiles(own, /\.[0-9a-f-]{36}\.removed$/, Date.now() - day);
    for (const name of (await workFileNames(own)).filter((entry) => /^[A-Za-z]/.test(entry))) {
      const known = byPlace.get(`${projectId}/${name}`);
      const path = join(own, name);
      if (known === undefined) await unclaimed.add(path);
      else if (known.state === 'deleted' && known.dump_file !== null) await removeDumped(path);
      else {
        await removeAbandonedFiles(path);
        await removeOldFiles(path, /^\.SVNAccessFile\.[0-9a-f-]{36}$/, Date.now() - day);
      }
    }
  }
}

/** Removes the folder of a repository that has a dump. A young one is being made from it: somebody wants it back. */
async function removeDumped(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && found.mtimeMs < Date.now() - day)
    await rm(path, { recursive: true, force: true });
}

/** Dumps that no deleted repository has, and what is left of making some. */
async function sweepDumps(folder: string, { dumps }: KnownRepositories, unclaimed: Unclaimed): Promise<void> {
  await removeAbandonedFiles(folder);
  await removeOldFiles(folder, /\.svn\.part$/, Date.now() - day);
  for (const name of await workFileNames(folder))
    if (name.endsWith('.svn') && !dumps.has(name)) await unclaimed.add(join(folder, name));
}

/** Removes what work on repositories left in the data folder when it was cut off. */
export async function sweepRepositories(
  database: Database,
  dataFolder: string,
  unclaimed: Unclaimed,
): Promise<void> {
  const known = await knownRepositories(database);
  await sweepFolders(join(dataFolder, 'svn_plugin'), known, unclaimed);
  await sweepDumps(join(dataFolder, 'backup', 'svn'), known, unclaimed);
}
