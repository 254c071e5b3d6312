import { invalid, notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { checkedDescription, isComplete, type StoredFile } from './model.ts';
import { dropPieces } from './pieces.ts';
import { findFiles, lockFiles } from './store.ts';
import { lowerUsage } from './usage.ts';

/** A field of an artifact; 0 for one that is being made. */
export interface FilePlace {
  readonly artifactId: number;
  readonly fieldId: number;
}

/** Whether the viewer sent the file and it waits to be attached to this field. */
function isWaiting(file: StoredFile, { userId }: Viewer, fieldId: number): boolean {
  const isOwn = file.submittedBy === userId && (file.expiresAt ?? 0) > Date.now();
  return isOwn && (file.state === 'temporary' || (file.fieldId === fieldId && isComplete(file)));
}

/** Whether the viewer may know where a file is that is attached already. */
type MayKnowOf = (file: StoredFile) => Promise<boolean>;

async function checkFile(
  file: StoredFile | undefined,
  id: number,
  viewer: Viewer,
  place: FilePlace,
  mayKnowOf: MayKnowOf,
): Promise<void> {
  if (file?.state === 'attached') {
    if (file.artifactId === place.artifactId && file.fieldId === place.fieldId) return;
    if (await mayKnowOf(file)) throw invalid(`File #${id} is already linked to artifact #${file.artifactId}`);
    throw notFound(`File #${id} not found`);
  }
  if (file === undefined || file.state === 'removed' || !isWaiting(file, viewer, place.fieldId))
    throw notFound(`File #${id} not found`);
}

/** Refuses files that the viewer cannot have in this place. Nobody else can attach them before the transaction ends. */
export async function checkFiles(
  tx: Transaction,
  viewer: Viewer,
  place: FilePlace,
  ids: readonly number[],
  mayKnowOf: MayKnowOf,
): Promise<void> {
  if (ids.length === 0) return;
  const files = new Map((await lockFiles(tx, ids)).map((file) => [file.id, file]));
  for (const id of ids) await checkFile(files.get(id), id, viewer, place, mayKnowOf);
}

/** Attaches files that were checked. */
async function attach(
  tx: Transaction,
  { artifactId, fieldId }: FilePlace,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const temporary = tx.sql
    .selectFrom('attachment')
    .select(['submitted_by as owner', 'size'])
    .where('id', 'in', ids)
    .where('state', '=', 'temporary');
  const former = await tx.all(temporary);
  const attached = { state: 'attached', artifact_id: artifactId, field_id: fieldId } as const;
  const done = { ...attached, expires_at: null, lock_token: null, lock_until: null };
  await tx.run(tx.sql.updateTable('attachment').set(done).where('id', 'in', ids));
  await lowerUsage(tx, former);
}

/** Files that leave a field stay known to history; their bytes go. */
async function remove(tx: Transaction, ids: readonly number[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  await tx.run(tx.sql.updateTable('attachment').set({ state: 'removed' }).where('id', 'in', ids));
  return dropPieces(tx, ids);
}

/** Brings the files of a place from what they were to what they are. Gives the bytes that nothing may need any more. */
export async function changeFiles(
  tx: Transaction,
  place: FilePlace,
  { before, after }: { before: readonly number[]; after: readonly number[] },
): Promise<readonly string[]> {
  const gone = before.filter((id) => !after.includes(id));
  const added = after.filter((id) => !before.includes(id));
  await attach(tx, place, added);
  return remove(tx, gone);
}

/** Descriptions as files keep them, without those that files have already. */
export async function newDescriptions(
  tx: Transaction,
  wanted: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, string>> {
  const files = await findFiles(tx, [...wanted.keys()]);
  const changed = new Map<number, string>();
  for (const [id, given] of wanted) {
    const description = checkedDescription(given);
    // What some clients left around it when they sent the file is no difference.
    if (files.get(id)?.description.trim() !== description) changed.set(id, description);
  }
  return changed;
}

/** Gives files other descriptions. The first one stays known to history. */
export async function describeFiles(
  tx: Transaction,
  descriptions: readonly (readonly [id: number, description: string])[],
): Promise<void> {
  for (const [id, description] of descriptions) {
    const files = tx.sql.updateTable('attachment').where('id', '=', id);
    await tx.run(
      files.set((row) => ({
        description,
        first_description: row.fn.coalesce('first_description', 'description'),
      })),
    );
  }
}

/** All files that are or were in a place belong to another field from now on. */
export async function moveFiles(
  tx: Transaction,
  { artifactId, fieldId }: FilePlace,
  toFieldId: number,
): Promise<void> {
  const files = tx.sql.updateTable('attachment').set({ field_id: toFieldId });
  await tx.run(files.where('artifact_id', '=', artifactId).where('field_id', '=', fieldId));
}
