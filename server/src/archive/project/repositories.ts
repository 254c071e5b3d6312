import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { workFileName, workFileNames } from '../../kernel/work-files.ts';
import { type ArchivedRepository, repositoryNamePart } from '../../svn/index.ts';
import { type Archive, archiveFault, pathIn } from '../model.ts';
import type { RepositoryDraft } from './draft.ts';
import { projectFile } from './file-names.ts';

/*
 * Subversion repositories of imported projects wait in the data folder until they are loaded: a folder for each import, named
 * after the project that it was read into; in it `repositories.json` with what the archive tells of them, and the dumps beside it.
 */

export const repositoriesFile = 'repositories.json';

const folderOfAll = (dataFolder: string) => join(dataFolder, 'imported-repositories');

export const repositoryFolder = (dataFolder: string, projectId: number) =>
  join(folderOfAll(dataFolder), String(projectId));

/** All folders in which repositories wait. */
export async function repositoryFolders(dataFolder: string): Promise<string[]> {
  const names = await workFileNames(folderOfAll(dataFolder));
  return names.filter((name) => /^\d{1,15}$/.test(name)).map((name) => join(folderOfAll(dataFolder), name));
}

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

export interface RepositoryOwner {
  /** The project that gets them. */
  readonly projectId: number;
  /** The import that brings them; undefined in folders of older versions. */
  readonly importId: number | undefined;
}

const keptDump = (name: string) => `${repositoryNamePart(name)}.svn`;

/** Keeps the repositories of an archive for whoever will load them. */
export async function keepRepositories(
  archive: Archive,
  folder: string,
  { projectId, importId }: RepositoryOwner,
  repositories: readonly RepositoryDraft[],
): Promise<void> {
  if (repositories.length === 0) return;
  await mkdir(folder, { recursive: true });
  for (const { name, dumpFile, line } of repositories) {
    if (dumpFile === '') continue;
    const bytes = await archive.open(pathIn(projectFile, line, dumpFile));
    await pipeline(bytes, createWriteStream(join(folder, keptDump(name))));
  }
  const listed = repositories.map(({ name, dumpFile, accessFile, notifications, references, line }) => ({
    ...{ name, line },
    dump: dumpFile === '' ? null : keptDump(name),
    access_file: accessFile,
    notifications,
    references,
  }));
  const told: ToldRepositories = { project: projectId, import: importId, repositories: listed };
  const draft = join(folder, workFileName('.json'));
  await writeFile(draft, `${JSON.stringify(told, null, 2)}\n`);
  await rename(draft, join(folder, repositoriesFile));
}

export async function forgetRepositories(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

interface KeptRepository {
  readonly name: string;
  /** Where the archive tells of it. */
  readonly line?: number;
  readonly dump: string | null;
  readonly access_file: string;
  readonly notifications: ArchivedRepository['notifications'];
}

interface ToldRepositories {
  readonly project: number;
  readonly import?: number | undefined;
  readonly repositories: readonly KeptRepository[];
}

/** Whose the repositories in a folder are, and what was kept of them; undefined where they are not whole. */
/** A repository, and where its archive tells of it. */
export type WaitingRepository = ArchivedRepository & { readonly line: number };

export async function keptRepositories(
  folder: string,
): Promise<(RepositoryOwner & { readonly repositories: WaitingRepository[] }) | undefined> {
  const text = await readFile(join(folder, repositoriesFile), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const read: ToldRepositories | readonly KeptRepository[] = JSON.parse(text);
  // Older versions wrote the list alone.
  const told = 'repositories' in read ? read : { project: Number(basename(folder)), repositories: read };
  return {
    projectId: told.project,
    importId: told.import,
    repositories: told.repositories.map(({ name, line = 1, dump, access_file, notifications }) => ({
      ...{ name, line, notifications, accessText: access_file },
      dump: dump === null ? null : join(folder, dump),
    })),
  };
}
