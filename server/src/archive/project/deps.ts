import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactOperations } from '../../artifacts/index.ts';
import type { FileDeps } from '../../files/index.ts';
import type { Config } from '../../kernel/config.ts';
import { Refusal } from '../../kernel/errors.ts';
import { systemViewer } from '../../kernel/viewer.ts';
import type { ProjectExtension, ProjectOperations } from '../../projects/index.ts';
import type { BlobKeeper, Calls, Database, JobOperations } from '../../storage/index.ts';
import { discardRepositories, type SvnConfig, type SvnOperations, svnDepsOn } from '../../svn/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import type { archiveOperations } from '../operations.ts';
import { clipped } from '../words.ts';
import type { projectImportOperations } from './operations.ts';
import { abandonedImports, demoName, findImport, type ImportRecord } from './records.ts';
import { forgetRepositories, repositoryFolder } from './repositories.ts';

/** What archives are read and written with. */
export interface ArchiveDeps {
  readonly database: Database;
  readonly operations: Calls<typeof archiveOperations> &
    Calls<typeof projectImportOperations> &
    FileDeps['operations'] &
    Calls<SvnOperations> &
    Pick<ArtifactOperations, 'purgeArtifacts'> &
    Calls<Pick<ProjectOperations, 'beginPurge'>> &
    JobOperations;
  readonly keeper: BlobKeeper;
  readonly trackers: Trackers;
  readonly extensions: readonly ProjectExtension[];
  readonly config: Pick<Config, 'dataFolder' | 'maxFileSize' | 'archiveLimits' | 'userArchiveLimits'> &
    SvnConfig;
}

/** Where it is written down what became of imports that nobody waits for. */
export interface ImportLog {
  warn(facts: object, words: string): void;
  error(facts: object, words: string): void;
}

/** Where the ids of an import are listed, old and new. */
export const idsFileOf = (dataFolder: string, importId: number) =>
  join(dataFolder, 'imports', `${importId}-ids.csv`);

const longestFault = 20_000;

export function faultText(error: unknown): string {
  if (error instanceof Refusal) return error.detail === '' ? error.kind : clipped(error.detail, longestFault);
  return 'Something went wrong that the log tells of.';
}

/** Removes what an import has written, in short steps. */
async function removeHidden({ operations, keeper }: ArchiveDeps, projectId: number): Promise<void> {
  for (;;) {
    const { isOver, hashes } = await operations.removeSomeOfImport(systemViewer, { projectId });
    await keeper.erase(hashes);
    if (isOver) return;
  }
}

/** Removes repositories that a hidden project was given, with their folders. */
async function removeRepositories(archiveDeps: ArchiveDeps, projectId: number): Promise<void> {
  const { database, config, operations } = archiveDeps;
  await forgetRepositories(repositoryFolder(config.dataFolder, projectId));
  const query = database.sql.selectFrom('svn_repository').select('id').where('project_id', '=', projectId);
  const rows = await database.all<{ id: number }>(query.where('state', '=', 'creating'));
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await discardRepositories(svnDepsOn(config, database, operations), systemViewer, ids);
}

/** Removes the bytes of an archive that has served. */
export async function dropUpload(
  { operations, keeper }: ArchiveDeps,
  { uploadId }: Pick<ImportRecord, 'uploadId'>,
): Promise<void> {
  if (uploadId !== null)
    await keeper.erase(await operations.dropArchiveUpload(systemViewer, { id: uploadId }));
}

/** Removes all that an import left that came to nothing, and writes down why. One that is over is left alone. */
export async function discardImport(
  archiveDeps: ArchiveDeps,
  importId: number,
  error: unknown,
): Promise<void> {
  const record = await findImport(archiveDeps.database, importId);
  if (record === undefined || record.state === 'done' || record.state === 'failed') return;
  const { projectId } = record;
  if (projectId !== null) {
    await removeRepositories(archiveDeps, projectId);
    await removeHidden(archiveDeps, projectId);
  }
  await rm(idsFileOf(archiveDeps.config.dataFolder, importId), { force: true });
  await archiveDeps.operations.failImport(systemViewer, { id: importId, fault: faultText(error) });
  await dropUpload(archiveDeps, record);
}

const leftAlone = new Refusal(
  'unavailable',
  'The service, or the command that ran the import, ended before it was done. Begin it anew.',
);

async function discardAbandoned(
  archiveDeps: ArchiveDeps,
  { id, requestedBy, fileName }: ImportRecord,
): Promise<void> {
  await discardImport(archiveDeps, id, leftAlone);
  // Nobody who starts for the first time should miss it because the first start was a short one.
  if (requestedBy === 0 && fileName === demoName)
    await archiveDeps.operations.requeueImport(systemViewer, { id });
}

/** Removes what imports left that were cut off. */
export async function removeAbandonedImports(archiveDeps: ArchiveDeps): Promise<number> {
  const abandoned = await abandonedImports(archiveDeps.database);
  for (const record of abandoned) await discardAbandoned(archiveDeps, record);
  return abandoned.length;
}
