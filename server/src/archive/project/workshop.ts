import type { Depot } from '../../files/index.ts';
import type { Config } from '../../kernel/config.ts';
import { Refusal } from '../../kernel/errors.ts';
import { commandLineViewer } from '../../kernel/viewer.ts';
import type { ProjectExtension } from '../../projects/index.ts';
import type { BlobKeeper, Calls, Database, storageOperations } from '../../storage/index.ts';
import type { SvnOperations } from '../../svn/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import type { archiveOperations } from '../operations.ts';
import type { projectImportOperations } from './operations.ts';
import { abandonedImports, type ImportRecord } from './records.ts';
import { forgetRepositories, repositoryFolder } from './repositories.ts';

/** What archives are read and written with. */
export interface Workshop {
  readonly database: Database;
  readonly operations: Calls<typeof archiveOperations> &
    Calls<typeof projectImportOperations> &
    Depot['operations'] &
    Calls<SvnOperations> &
    Pick<Calls<typeof storageOperations>, 'claimJob'>;
  readonly keeper: BlobKeeper;
  readonly trackers: Trackers;
  readonly extensions: readonly ProjectExtension[];
  readonly config: Pick<Config, 'dataFolder' | 'maxFileSize' | 'svnUser'>;
}

/** The name under which the demo project is written down. */
export const demoName = 'the demo project';

const platform = commandLineViewer('regular');

export function faultOf(error: unknown): string {
  if (error instanceof Refusal) return error.detail === '' ? error.kind : error.detail;
  return 'Something went wrong that the log tells of.';
}

/** Removes what an import has written, in short steps. */
async function removeHidden({ operations, keeper }: Workshop, projectId: number): Promise<void> {
  for (;;) {
    const { isOver, hashes } = await operations.removeSomeOfImport(platform, { projectId });
    await keeper.erase(hashes);
    if (isOver) return;
  }
}

/** Removes an import that came to nothing, and writes down why. */
export async function discardImport(
  workshop: Workshop,
  { importId, projectId }: { readonly importId: number; readonly projectId: number | null },
  error: unknown,
): Promise<void> {
  if (projectId !== null) await removeHidden(workshop, projectId);
  await workshop.operations.failImport(platform, { id: importId, fault: faultOf(error) });
}

const leftAlone = new Refusal('unavailable', 'Whoever ran the import ended before it was done.');

async function discardAbandoned(workshop: Workshop, record: ImportRecord): Promise<void> {
  const { id, projectId, requestedBy, fileName } = record;
  if (projectId !== null) await forgetRepositories(repositoryFolder(workshop.config.dataFolder, projectId));
  await discardImport(workshop, { importId: id, projectId }, leftAlone);
  // Nobody who starts for the first time should miss it because the first start was a short one.
  if (requestedBy === 0 && fileName === demoName) await workshop.operations.requeueImport(platform, { id });
}

/** Removes what imports left that were cut off. */
export async function removeAbandonedImports(workshop: Workshop): Promise<number> {
  const abandoned = await abandonedImports(workshop.database);
  for (const record of abandoned) await discardAbandoned(workshop, record);
  return abandoned.length;
}
