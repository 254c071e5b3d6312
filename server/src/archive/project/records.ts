import { lockQuotaOf } from '../../files/index.ts';
import { findAccounts, isSiteAdministrator, isUsable } from '../../identity/index.ts';
import { isWaitOver, minute, second } from '../../kernel/clock.ts';
import { notFound, Refusal } from '../../kernel/errors.ts';
import { holderHere, isGone } from '../../kernel/holder.ts';
import type { Page, Slice } from '../../kernel/paging.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { logEvent, type Reader, type Tables, type Transaction } from '../../storage/index.ts';

/** The name under which the demo project is written down. */
export const demoName = 'the demo project';

/** How far an import is. */
export interface ImportProgress {
  readonly stage: string;
  readonly done: number;
  /** 0 where it is not known. */
  readonly total: number;
}

/** An import as it was asked for and as far as it is. */
export interface ImportRecord {
  readonly id: number;
  readonly projectId: number | null;
  readonly requestedBy: number;
  readonly uploadId: number | null;
  /** Which of the archives that people upload it is. */
  readonly archiveNumber: number | null;
  readonly fileName: string;
  /** JSON object. */
  readonly options: string;
  readonly state: Tables['project_import']['state'];
  readonly progress: ImportProgress | null;
  /** JSON object. */
  readonly report: string | null;
  readonly fault: string | null;
  readonly holder: string | null;
  readonly seenAt: number;
  readonly createdAt: number;
  /** Who wants it to come to nothing. */
  readonly cancelledBy: number | null;
}

type Row = Omit<Tables['project_import'], 'id' | 'cancelled_by'> & {
  id: number;
  cancelled_by: number | null;
};

function toRecord(row: Row): ImportRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    requestedBy: row.requested_by,
    uploadId: row.upload_id,
    archiveNumber: row.archive_number,
    fileName: row.file_name,
    options: row.options,
    state: row.state,
    progress: row.progress === null ? null : JSON.parse(row.progress),
    report: row.report,
    fault: row.fault,
    holder: row.holder,
    seenAt: row.seen_at,
    createdAt: row.created_at,
    cancelledBy: row.cancelled_by,
  };
}

/** After so long without a word, whoever ran an import is believed to be dead. */
const longestSilence = 2 * minute;
/** How often whoever runs one says so, and how far it is: somebody looks at it. */
export const signPause = second;

/** Whether nobody runs it any more. */
function isAbandoned({ holder, seenAt }: ImportRecord): boolean {
  if (holder === holderHere) return false;
  return holder === null || isGone(holder) || isWaitOver(seenAt + longestSilence, longestSilence);
}

export async function findImport(reader: Reader, id: number): Promise<ImportRecord | undefined> {
  const row = await reader.first(reader.sql.selectFrom('project_import').selectAll().where('id', '=', id));
  return row && toRecord(row);
}

export interface UploadOfImport {
  readonly importId: number;
  readonly uploadId: number;
}

/** The upload that whoever asked for an import still has to send. */
export async function uploadOfImport(
  reader: Reader,
  viewer: Viewer,
  archiveNumber: number,
): Promise<UploadOfImport> {
  const query = reader.sql.selectFrom('project_import').selectAll();
  const row = await reader.first(query.where('archive_number', '=', archiveNumber));
  const record = row && toRecord(row);
  const isOwn = record?.requestedBy === viewer.userId && viewer.userId !== 0;
  if (!isOwn || record.state !== 'uploading' || record.uploadId === null)
    throw notFound('There is no such upload of yours.');
  return { importId: record.id, uploadId: record.uploadId };
}

/** Imports, the last one first: all for site administrators, their own for others. */
export async function listImports(reader: Reader, viewer: Viewer, page: Page): Promise<Slice<ImportRecord>> {
  const stored = reader.sql.selectFrom('project_import');
  const all = viewer.isSiteAdmin ? stored : stored.where('requested_by', '=', viewer.userId);
  const count = await reader.first(all.select((row) => row.fn.countAll<number>().as('size')));
  const some = all.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset);
  return { items: (await reader.all(some)).map(toRecord), size: count?.size ?? 0 };
}

/** One import, for site administrators and whoever asked for it. */
export async function readImport(reader: Reader, viewer: Viewer, id: number): Promise<ImportRecord> {
  const record = await requireImport(reader, id);
  const isOwn = record.requestedBy === viewer.userId && viewer.userId !== 0;
  if (!isOwn && !viewer.isSiteAdmin) throw notFound('There is no such import.');
  return record;
}

export async function requireImport(reader: Reader, id: number): Promise<ImportRecord> {
  const record = await findImport(reader, id);
  if (record === undefined) throw notFound('There is no such import.');
  return record;
}

async function importsIn(reader: Reader, state: ImportRecord['state']): Promise<ImportRecord[]> {
  const query = reader.sql.selectFrom('project_import').selectAll().where('state', '=', state);
  return (await reader.all(query.orderBy('id'))).map(toRecord);
}

/** Imports that whoever ran them left unfinished. */
export async function abandonedImports(reader: Reader): Promise<ImportRecord[]> {
  return (await importsIn(reader, 'running')).filter(isAbandoned);
}

/** How many imports wait or run. */
export async function countOpenImports(reader: Reader): Promise<number> {
  const open = reader.sql.selectFrom('project_import').where('state', 'in', ['waiting', 'running']);
  return (await reader.first(open.select((row) => row.fn.countAll<number>().as('size'))))?.size ?? 0;
}

export const waitingImports = (reader: Reader) => importsIn(reader, 'waiting');
export const uploadingImports = (reader: Reader) => importsIn(reader, 'uploading');

export interface NewImport {
  readonly requestedBy: number;
  readonly fileName: string;
  readonly options: string;
  readonly state: 'uploading' | 'waiting' | 'running';
  readonly projectId: number | null;
  readonly uploadId: number | null;
  /** Who runs it already. */
  readonly holder?: string | undefined;
}

/** Counts from 1, whatever was imported without an upload. */
async function nextArchiveNumber(tx: Transaction): Promise<number> {
  // Whoever else asks for one waits here: the administration project is always there.
  await tx.lock(tx.sql.selectFrom('project').select('id').where('id', '=', 1));
  const query = tx.sql.selectFrom('project_import');
  const last = await tx.first(query.select((row) => row.fn.max('archive_number').as('number')));
  return (last?.number ?? 0) + 1;
}

export async function insertImport(tx: Transaction, record: NewImport): Promise<number> {
  const now = Date.now();
  const row = {
    project_id: record.projectId,
    requested_by: record.requestedBy,
    upload_id: record.uploadId,
    archive_number: record.uploadId === null ? null : await nextArchiveNumber(tx),
    file_name: record.fileName,
    options: record.options,
    state: record.state,
    progress: null,
    report: null,
    fault: null,
    holder: record.holder ?? null,
    seen_at: now,
    created_at: now,
  };
  const [stored] = await tx.all(tx.sql.insertInto('project_import').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new import has no id.');
  return stored.id;
}

/** Refuses whoever has an import that is not over yet: archives are large, and importing them is work. */
export async function requireNoOpenImport(tx: Transaction, { userId }: Viewer): Promise<void> {
  // Whoever asks twice at the same moment waits here.
  await lockQuotaOf(tx, userId);
  const own = tx.sql.selectFrom('project_import').select('id').where('requested_by', '=', userId);
  const open = await tx.first(own.where('state', 'in', ['uploading', 'waiting', 'running']).limit(1));
  if (open === undefined) return;
  throw new Refusal(
    'conflict',
    `Your import project_imports/${open.id} is not over yet: wait for its end, or delete its upload to give it up.`,
  );
}

/** Those who look at it see how far it is. */
const tellStep = (tx: Transaction, importId: number) => logEvent(tx, 'import.changed', { importId, by: 0 });

/** Lets an import come to nothing, for whoever sees it. Those who run imports look for it and remove what was written. */
export async function cancelImport(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  const { state } = await readImport(tx, viewer, id);
  const isOver = new Refusal('conflict', 'The import is over: there is nothing left to cancel.');
  if (state === 'done' || state === 'failed') throw isOver;
  const open = tx.sql
    .updateTable('project_import')
    .set((row) => ({ cancelled_by: row.fn.coalesce('cancelled_by', row.val(viewer.userId)) }))
    .where('id', '=', id)
    .where('state', 'in', ['uploading', 'waiting', 'running']);
  // It may have come to its end since it was read.
  if ((await tx.run(open)) === 0) throw isOver;
  await tellStep(tx, id);
}

/**
 * Whether whoever uploaded an archive may still have it imported: it may wait for long, and is imported with the rights of the platform.
 * What the command line imports is nobody's upload.
 */
async function mayStillImport(
  reader: Reader,
  { requestedBy, archiveNumber, options }: ImportRecord,
): Promise<boolean> {
  if (archiveNumber === null) return true;
  const [account] = await findAccounts(reader, [requestedBy]);
  if (account === undefined || !isUsable(account.status)) return false;
  const { isByUser = false }: { isByUser?: boolean } = JSON.parse(options);
  return isByUser || isSiteAdministrator(reader, requestedBy);
}

/** Why an import comes to nothing: somebody cancelled it, or whoever asked may not import any more. Undefined while it is wanted. */
export async function cancellation(reader: Reader, id: number): Promise<Refusal | undefined> {
  const record = await findImport(reader, id);
  if (record === undefined) return undefined;
  const isCancelled = record.cancelledBy !== null;
  if (!isCancelled && (await mayStillImport(reader, record))) return undefined;
  const [account] = await findAccounts(reader, [record.cancelledBy ?? record.requestedBy]);
  const name = account?.realName ?? 'Somebody';
  return new Refusal(
    'gone',
    isCancelled ? `${name} cancelled it.` : `${name} may not import archives any more.`,
  );
}

/** Of all that ask, one gets to run it. */
export async function claimImport(
  tx: Transaction,
  _: Viewer,
  { id, holder }: { id: number; holder: string },
): Promise<boolean> {
  const claim = tx.sql.updateTable('project_import').set({ state: 'running', holder, seen_at: Date.now() });
  const waiting = claim.where('id', '=', id).where('state', '=', 'waiting');
  return (await tx.run(waiting.where('cancelled_by', 'is', null))) === 1;
}

/** Tells how far it is, and that somebody is still there. Gives whether it is still wanted. */
export async function signImport(
  tx: Transaction,
  _: Viewer,
  { id, progress }: { id: number; progress: ImportProgress },
): Promise<boolean> {
  const sign = tx.sql
    .updateTable('project_import')
    .set({ progress: JSON.stringify(progress), seen_at: Date.now() })
    .where('id', '=', id)
    .returning('cancelled_by');
  const [signed] = await tx.all(sign);
  await tellStep(tx, id);
  return signed?.cancelled_by === null;
}

/** Its archive has arrived: somebody may begin. */
export async function readyImport(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<void> {
  const ready = tx.sql.updateTable('project_import').set({ state: 'waiting', seen_at: Date.now() });
  await tx.run(ready.where('id', '=', id).where('state', '=', 'uploading'));
  await tellStep(tx, id);
}

export async function failImport(
  tx: Transaction,
  _: Viewer,
  { id, fault }: { id: number; fault: string },
): Promise<void> {
  const over = { state: 'failed', fault, project_id: null, holder: null, progress: null } as const;
  await tx.run(tx.sql.updateTable('project_import').set(over).where('id', '=', id));
  await tellStep(tx, id);
}

/** Refuses when it is not wanted any more: whoever was told so finds nothing of it. */
export async function finishImport(
  tx: Transaction,
  { id, projectId, report }: { id: number; projectId: number | null; report: string },
): Promise<void> {
  const unwanted = await cancellation(tx, id);
  if (unwanted !== undefined) throw unwanted;
  const over = { state: 'done', report, project_id: projectId, holder: null, progress: null } as const;
  const finish = tx.sql.updateTable('project_import').set(over).where('id', '=', id);
  // Somebody may cancel it at this moment.
  if ((await tx.run(finish.where('cancelled_by', 'is', null))) === 0)
    throw (await cancellation(tx, id)) ?? notFound('There is no such import.');
  await tellStep(tx, id);
}

/** A look at an archive was all that was asked for. */
export const reportImport = (tx: Transaction, _: Viewer, { id, report }: { id: number; report: string }) =>
  finishImport(tx, { id, projectId: null, report });

/** Lets somebody begin anew what was cut off. */
export async function requeueImport(tx: Transaction, _: Viewer, { id }: { id: number }): Promise<void> {
  const nothing = { project_id: null, holder: null, progress: null, fault: null, cancelled_by: null };
  const again = { ...nothing, state: 'waiting' } as const;
  await tx.run(tx.sql.updateTable('project_import').set(again).where('id', '=', id));
  await tellStep(tx, id);
}
