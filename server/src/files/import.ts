import type { StoredBlob, Transaction } from '../storage/index.ts';
import { addPieces, hold } from './pieces.ts';

/** A file that comes attached, with bytes that are stored already. */
export interface NewAttachment {
  readonly id: number;
  readonly fieldId: number;
  readonly submittedBy: number;
  readonly createdAt: number;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly blobs: readonly StoredBlob[];
}

const columns = [
  'id',
  'submitted_by',
  'artifact_id',
  'field_id',
  'name',
  'type',
  'size',
  'description',
  'created_at',
  'state',
  'chunks',
] as const;

/** Keeps the bytes of files that are about to be attached. False when they may be gone again. */
export const holdNew = (tx: Transaction, files: readonly NewAttachment[], mark: number): Promise<boolean> =>
  hold(tx, { blobs: files.flatMap(({ blobs }) => blobs), mark });

/** Attaches files whose bytes are held to artifacts that are being made. */
export async function insertAttached(
  tx: Transaction,
  files: readonly (NewAttachment & { readonly artifactId: number })[],
): Promise<void> {
  const rows = files.map((file) => {
    const size = file.blobs.reduce((sum, blob) => sum + blob.size, 0);
    const { id, submittedBy, artifactId, fieldId, name, type, description, createdAt } = file;
    return [
      id,
      submittedBy,
      artifactId,
      fieldId,
      name,
      type,
      size,
      description,
      createdAt,
      'attached',
      1,
    ] as const;
  });
  await tx.insertMany('attachment', columns, rows);
  for (const { id, blobs } of files) await addPieces(tx, id, 'original', blobs);
}
