import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { findFile, findPieces, isComplete, openSpan } from '../../files/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { commandLineViewer, type Viewer } from '../../kernel/viewer.ts';
import { firstAdministratorId } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { openArchive } from '../container.ts';
import type { Archive } from '../model.ts';
import { importArchive } from './importing.ts';
import { holderHere, type ImportRecord, insertImport, uploadingImports, waitingImports } from './records.ts';
import type { ImportOptions } from './requests.ts';
import { demoName, discardImport, faultOf, type Workshop } from './workshop.ts';

const platform = commandLineViewer('regular');

const demoFolder = fileURLToPath(new URL('../../../demo', import.meta.url));

/** Writes down that the demo project is to be loaded, by whoever is there to do it. */
export async function requestDemo(tx: Transaction, _: Viewer, _input: undefined): Promise<void> {
  const options: ImportOptions = { automap: 'no-email,create:A', isFresh: true };
  await insertImport(tx, {
    requestedBy: 0,
    fileName: demoName,
    options: JSON.stringify(options),
    state: 'waiting',
    projectId: null,
    uploadId: null,
  });
}

/** Those whose archive has arrived may begin; those whose time is over are given up, with their projects. */
async function settleUploads(workshop: Workshop): Promise<void> {
  const { database, operations } = workshop;
  for (const { id, uploadId, projectId } of await uploadingImports(database)) {
    const upload = uploadId === null ? undefined : await findFile(database, uploadId);
    if (upload === undefined || (upload.expiresAt ?? 0) <= Date.now())
      await discardImport(
        workshop,
        { importId: id, projectId },
        new Refusal('gone', 'The archive was not uploaded in time.'),
      );
    else if (isComplete(upload)) await operations.readyImport(platform, { id });
  }
}

/** An uploaded archive is read in no order, so it is put into a file first. */
async function fetchUpload({ database, keeper, config }: Workshop, id: number, uploadId: number) {
  const folder = join(config.dataFolder, 'imports');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `upload-${id}.zip`);
  const pieces = await findPieces(database, uploadId, 'original');
  const end = pieces.reduce((sum, { size }) => sum + size, 0);
  await pipeline(await openSpan(keeper.blobs, pieces, { start: 0, end }), createWriteStream(path));
  return path;
}

async function importRecord(workshop: Workshop, record: ImportRecord, archive: Archive): Promise<void> {
  const { id, requestedBy, fileName } = record;
  const options: ImportOptions = JSON.parse(record.options);
  const importerId = requestedBy === 0 ? firstAdministratorId : requestedBy;
  const task = { archive, fileName, importerId, requestedBy, importId: id, options, tell: () => {} };
  const report = JSON.stringify(await importArchive(workshop, platform, task));
  if (options.isDryRun) await workshop.operations.reportImport(platform, { id, report });
}

async function runImport(workshop: Workshop, record: ImportRecord): Promise<void> {
  const { id, uploadId, fileName } = record;
  const path = uploadId === null ? demoFolder : await fetchUpload(workshop, id, uploadId);
  try {
    const archive = await openArchive(path);
    await importRecord(workshop, { ...record, fileName }, archive).finally(() => archive.close());
  } finally {
    if (uploadId !== null) await rm(path, { force: true });
  }
}

export interface ImportLog {
  warn(facts: object, words: string): void;
  error(facts: object, words: string): void;
}

/** Runs the imports that wait. What goes wrong is written down for whoever asked. */
export async function runRequestedImports(workshop: Workshop, log: ImportLog): Promise<void> {
  const { database, operations, keeper } = workshop;
  await settleUploads(workshop);
  for (const record of await waitingImports(database)) {
    const { id, projectId, uploadId } = record;
    if (!(await operations.claimImport(platform, { id, holder: holderHere }))) continue;
    try {
      await runImport(workshop, record);
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ import: id, error: String(error) }, 'an import failed');
      else log.warn({ import: id, fault: faultOf(error) }, 'an import was refused');
      await discardImport(workshop, { importId: id, projectId }, error);
    }
    if (uploadId !== null) await keeper.erase(await operations.dropArchiveUpload(platform, { id: uploadId }));
  }
}
