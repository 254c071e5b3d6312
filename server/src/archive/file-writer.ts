import { type ArchivedFile, findPieces, openSpan } from '../files/index.ts';
import { BlobMissing, type Blobs, type Reader } from '../storage/index.ts';
import { filePath } from './keys.ts';
import type { ZipWriter } from './zip-writer.ts';

const pageSize = 200;

/** The files that artifacts of a tracker have. */
export async function* attachedFiles(
  reader: Reader,
  trackerId: number,
): AsyncGenerator<Pick<ArchivedFile, 'id' | 'size'>> {
  const query = reader.sql
    .selectFrom('attachment')
    .innerJoin('artifact', 'artifact.id', 'attachment.artifact_id')
    .select(['attachment.id', 'attachment.size'])
    .where('artifact.tracker_id', '=', trackerId)
    .where('attachment.state', '=', 'attached');
  for (let after = 0; ; ) {
    const rows = await reader.all(
      query.where('attachment.id', '>', after).orderBy('attachment.id').limit(pageSize),
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The bytes of a file; none where they are missing. */
async function bytesOf(reader: Reader, blobs: Blobs, { id, size }: Pick<ArchivedFile, 'id' | 'size'>) {
  try {
    return await openSpan(blobs, await findPieces(reader, id, 'original'), { start: 0, end: size });
  } catch (error) {
    if (error instanceof BlobMissing) return nothing();
    throw error;
  }
}

/** Puts the bytes of files into a zip, one after the other. Gives how many there were. */
export async function addFiles(
  zip: ZipWriter,
  reader: Reader,
  blobs: Blobs,
  files: AsyncIterable<Pick<ArchivedFile, 'id' | 'size'>> | Iterable<Pick<ArchivedFile, 'id' | 'size'>>,
): Promise<number> {
  let count = 0;
  for await (const file of files) {
    await zip.add(filePath(file.id), await bytesOf(reader, blobs, file));
    count++;
  }
  return count;
}
