import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { findFile, findPieces, isComplete, openSpan, uploadLifetime } from '../../files/index.ts';
import { second } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/errors.ts';
import { holderHere } from '../../kernel/holder.ts';
import { systemViewer } from '../../kernel/viewer.ts';
import { workFileName } from '../../kernel/work-files.ts';
import { firstAdministratorId } from '../../projects/index.ts';
import { openArchive } from '../container.ts';
import type { Archive } from '../model.ts';
import { type ArchiveDeps, discardImport, dropUpload, faultText, type ImportLog } from './deps.ts';
import { importArchive } from './import.ts';
import {
  cancellation,
  type ImportRecord,
  requireImport,
  uploadingImports,
  waitingImports,
} from './records.ts';
import type { ImportOptions } from './requests.ts';

const demoFolder = fileURLToPath(new URL('../../../demo', import.meta.url));

/** Imports that are not wanted any more before they began are given up, with their projects. */
async function settleUnwanted(archiveDeps: ArchiveDeps): Promise<void> {
  const { database } = archiveDeps;
  for (const { id } of [...(await uploadingImports(database)), ...(await waitingImports(database))]) {
    const unwanted = await cancellation(database, id);
    if (unwanted !== undefined) await discardImport(archiveDeps, id, unwanted);
  }
}

/** What nobody sends an archive for any more comes to nothing: the name and the next import are free for whoever asked. */
export const giveUpImport = (archiveDeps: ArchiveDeps, id: number): Promise<void> =>
  discardImport(archiveDeps, id, new Refusal('gone', 'Its upload was given up.'));

/** Those whose archive has arrived may begin; those whose time is over are given up, with their projects. */
export async function settleUploads(archiveDeps: ArchiveDeps): Promise<void> {
  const { database, operations } = archiveDeps;
  await settleUnwanted(archiveDeps);
  for (const { id, uploadId, createdAt } of await uploadingImports(database)) {
    const upload = uploadId === null ? undefined : await findFile(database, uploadId);
    if (createdAt + uploadLifetime <= Date.now())
      await discardImport(archiveDeps, id, new Refusal('gone', 'The archive was not uploaded in time.'));
    else if (upload === undefined) await giveUpImport(archiveDeps, id);
    else if (isComplete(upload)) await operations.readyImport(systemViewer, { id });
  }
}

/** An import that somebody runs, once its archive is there. */
export interface ClaimedImport {
  readonly id: number;
  /** Where the bytes that were uploaded are put; undefined: the archive is one of the product's own. */
  readonly path: string | undefined;
}

/** An uploaded archive is read in no order, so it is put into a file first. */
async function fetchUpload({ database, keeper }: ArchiveDeps, path: string, uploadId: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const pieces = await findPieces(database, uploadId, 'original');
  const end = pieces.reduce((sum, { size }) => sum + size, 0);
  const bytes = await openSpan(keeper.blobs, pieces, { start: 0, end });
  try {
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }));
  } finally {
    await bytes.close();
  }
}

const optionsOf = (record: ImportRecord): ImportOptions => JSON.parse(record.options);

const limitsFor = ({ config }: ArchiveDeps, { isByUser }: ImportOptions) =>
  isByUser ? config.userArchiveLimits : config.archiveLimits;

async function importRecord(archiveDeps: ArchiveDeps, record: ImportRecord, archive: Archive): Promise<void> {
  const { id, requestedBy, fileName } = record;
  const options = optionsOf(record);
  const importerId = requestedBy === 0 ? firstAdministratorId : requestedBy;
  const limits = limitsFor(archiveDeps, options);
  const task = { archive, limits, fileName, importerId, requestedBy, importId: id, options, tell: () => {} };
  const report = JSON.stringify(await importArchive(archiveDeps, systemViewer, task));
  if (options.isDryRun) await archiveDeps.operations.reportImport(systemViewer, { id, report });
}

/** Imports what somebody asked for and this process was told to do. */
export async function runClaimedImport(archiveDeps: ArchiveDeps, { id, path }: ClaimedImport): Promise<void> {
  const record = await requireImport(archiveDeps.database, id);
  const { uploadId, fileName } = record;
  if (path !== undefined && uploadId !== null) await fetchUpload(archiveDeps, path, uploadId);
  const archive = await openArchive(path ?? demoFolder, limitsFor(archiveDeps, optionsOf(record)), fileName);
  await importRecord(archiveDeps, record, archive).finally(() => archive.close());
}

/** Runs an import somewhere, to its end or until it is to stop. */
export type RunImport = (
  claimed: ClaimedImport & { readonly seconds: number },
  stopping: AbortSignal,
) => Promise<void>;

/** How often whoever runs an import looks whether it is still wanted. */
const lookPause = second / 2;

/** Runs it for as long as it is wanted. */
async function runUnlessCancelled(
  archiveDeps: ArchiveDeps,
  claimed: ClaimedImport & { readonly seconds: number },
  { run, stopping }: Pick<WaitingImports, 'run' | 'stopping'>,
): Promise<void> {
  const unwanted = new AbortController();
  const look = setInterval(() => {
    cancellation(archiveDeps.database, claimed.id).then(
      (reason) => reason !== undefined && unwanted.abort(reason),
      () => {},
    );
  }, lookPause);
  try {
    await run(claimed, AbortSignal.any([stopping, unwanted.signal]));
  } catch (error) {
    throw unwanted.signal.aborted ? unwanted.signal.reason : error;
  } finally {
    clearInterval(look);
  }
}

async function runImport(
  archiveDeps: ArchiveDeps,
  record: ImportRecord,
  waiting: Pick<WaitingImports, 'run' | 'stopping'>,
): Promise<void> {
  const folder = join(archiveDeps.config.dataFolder, 'imports');
  const path = record.uploadId === null ? undefined : join(folder, workFileName('.zip'));
  const { seconds } = limitsFor(archiveDeps, optionsOf(record));
  try {
    await runUnlessCancelled(archiveDeps, { id: record.id, path, seconds }, waiting);
  } finally {
    if (path !== undefined) await rm(path, { force: true });
  }
}

function tellFailure(log: ImportLog, id: number, error: unknown): void {
  if (!(error instanceof Refusal)) log.error({ import: id, error: String(error) }, 'an import failed');
  else if (error.extras.cause !== undefined)
    log.error({ import: id, fault: faultText(error), cause: error.extras.cause }, 'an import failed');
  else log.warn({ import: id, fault: faultText(error) }, 'an import was refused');
}

/** Which imports are run, and how. */
interface WaitingImports {
  readonly ofUsers: boolean;
  readonly stopping: AbortSignal;
  readonly run: RunImport;
}

/**
 * Runs the imports that wait, one after the other: those of site administrators, which may be long, or those of everybody else.
 * What goes wrong is written down for whoever asked, and what was uploaded is gone afterwards. One that a stop of the service
 * cuts off is left as it is: whoever starts next finds it abandoned.
 */
export async function runRequestedImports(
  archiveDeps: ArchiveDeps,
  log: ImportLog,
  { ofUsers, stopping, run }: WaitingImports,
): Promise<void> {
  const { database, operations } = archiveDeps;
  const waiting = await waitingImports(database);
  for (const record of waiting.filter((one) => (optionsOf(one).isByUser ?? false) === ofUsers)) {
    const { id } = record;
    if (stopping.aborted) return;
    if (!(await operations.claimImport(systemViewer, { id, holder: holderHere }))) continue;
    try {
      await runImport(archiveDeps, record, { run, stopping });
    } catch (error) {
      if (stopping.aborted) return;
      tellFailure(log, id, error);
      await discardImport(archiveDeps, id, error);
    }
    await dropUpload(archiveDeps, record);
  }
}
