import { basename } from 'node:path';
import type { Viewer } from '../../kernel/viewer.ts';
import { firstAdministratorId } from '../../projects/index.ts';
import { openArchive } from '../container.ts';
import { type ArchiveDeps, removeAbandonedImports } from './deps.ts';
import { importArchive } from './import.ts';
import { classifyAll, writeUserMap } from './people.ts';
import { readUsers } from './read.ts';
import type { ImportProgress } from './records.ts';
import type { ImportReport } from './report.ts';
import { type ImportOptions, importerNamed } from './requests.ts';

export interface PathImport {
  /** A folder or a zip file. */
  readonly path: string;
  /** The name of whoever imports; undefined: the first administrator. */
  readonly importer: string | undefined;
  readonly options: ImportOptions;
  readonly tell: (progress: ImportProgress) => void;
}

/** Imports what lies on this machine. */
export async function importFromPath(
  archiveDeps: ArchiveDeps,
  viewer: Viewer,
  { path, importer, options, tell }: PathImport,
): Promise<ImportReport> {
  await removeAbandonedImports(archiveDeps);
  const importerId =
    importer === undefined
      ? firstAdministratorId
      : await importerNamed(archiveDeps.database, viewer, importer, options);
  const limits = archiveDeps.config.archiveLimits;
  const archive = await openArchive(path, limits);
  const task = { archive, limits, fileName: basename(path), importerId, requestedBy: 0, importId: undefined };
  return importArchive(archiveDeps, viewer, { ...task, options, tell }).finally(() => archive.close());
}

/** A mapping file to complete for the people of an archive. */
export async function suggestUserMap({ database, config }: ArchiveDeps, path: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    return writeUserMap(
      await classifyAll(database, await readUsers(archive, config.archiveLimits), { kind: 'file' }),
    );
  } finally {
    await archive.close();
  }
}
