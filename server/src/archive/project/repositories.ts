import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ArchivedRepository } from '../../svn/index.ts';
import { type Archive, archiveFault, pathIn } from '../model.ts';
import { projectFile, type RepositoryDraft } from './draft.ts';

/*
 * Subversion repositories of imported projects wait in the data folder until they are loaded: a folder for each
 * project, in it `repositories.json` with what the archive tells of them, and the dumps beside it.
 */

export const repositoriesFile = 'repositories.json';

export const repositoryFolder = (dataFolder: string, projectId: number) =>
  join(dataFolder, 'imported-repositories', String(projectId));

/** Refuses dumps that are not there or lie outside, before anything is written. */
export async function checkRepositories(
  archive: Archive,
  repositories: readonly RepositoryDraft[],
): Promise<void> {
  for (const { dumpFile, line, name } of repositories) {
    if (dumpFile === '') continue;
    if ((await archive.size(pathIn(projectFile, line, dumpFile))) === undefined)
      throw archiveFault(projectFile, line, `The dump ${dumpFile} of the repository ${name} is missing.`);
  }
}

/** Keeps the repositories of an archive for whoever will load them. */
export async function keepRepositories(
  archive: Archive,
  folder: string,
  repositories: readonly RepositoryDraft[],
): Promise<void> {
  if (repositories.length === 0) return;
  await mkdir(folder, { recursive: true });
  for (const { name, dumpFile, line } of repositories) {
    if (dumpFile === '') continue;
    const bytes = await archive.open(pathIn(projectFile, line, dumpFile));
    await pipeline(bytes, createWriteStream(join(folder, `${name}.svn`)));
  }
  const told = repositories.map(({ name, dumpFile, accessFile, notifications, references }) => ({
    name,
    dump: dumpFile === '' ? null : `${name}.svn`,
    access_file: accessFile,
    notifications,
    references,
  }));
  await writeFile(join(folder, repositoriesFile), `${JSON.stringify(told, null, 2)}\n`);
}

export async function forgetRepositories(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

interface KeptRepository {
  readonly name: string;
  readonly dump: string | null;
  readonly access_file: string;
  readonly notifications: ArchivedRepository['notifications'];
}

/** What was kept of the repositories of an archive. */
export async function keptRepositories(folder: string): Promise<ArchivedRepository[]> {
  const told: readonly KeptRepository[] = JSON.parse(await readFile(join(folder, repositoriesFile), 'utf8'));
  return told.map(({ name, dump, access_file, notifications }) => ({
    ...{ name, notifications, accessText: access_file },
    dump: dump === null ? null : join(folder, dump),
  }));
}
