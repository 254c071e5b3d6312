import type { Blobs, Reader } from '../storage/index.ts';

/** Bytes that some file has and that are not there as they should be. */
interface BadBytes {
  readonly hash: string;
  readonly state: 'missing' | 'damaged';
}

/** A file that cannot be given as it was. */
export interface BadFile {
  readonly id: number;
  readonly name: string;
  /** Null while it is not attached. */
  readonly artifactId: number | null;
  readonly bytes: readonly BadBytes[];
}

export interface Verification {
  readonly blobs: number;
  readonly bytes: number;
  readonly badBlobs: number;
  /** Not more than a person can look at. */
  readonly badFiles: readonly BadFile[];
}

const pageSize = 200;
/** So many are read at once: more do not make a disk faster, but stores at the other end of a line. */
const width = 4;
/** What is told in detail at the most. */
const most = { blobs: 500, files: 1000 };

interface Used {
  readonly hash: string;
  readonly size: number;
}

function usedAfter(reader: Reader, hash: string): Promise<Used[]> {
  const pieces = reader.sql.selectFrom('attachment_piece').where('hash', '>', hash).groupBy('hash');
  const sizes = pieces.select(['hash', ({ fn }) => fn.max('size').as('size')]);
  return reader.all(sizes.orderBy('hash').limit(pageSize));
}

/** Every blob that some file has, once. */
async function* usedBlobs(reader: Reader): AsyncGenerator<Used> {
  let page = await usedAfter(reader, '');
  while (page.length > 0) {
    yield* page;
    page = await usedAfter(reader, page.at(-1)?.hash ?? '');
  }
}

/** Reads all bytes of all files. Takes as long as that takes, and little memory. */
export async function verifyFiles(reader: Reader, blobs: Blobs): Promise<Verification> {
  const sum = { blobs: 0, bytes: 0, badBlobs: 0 };
  const bad = new Map<string, BadBytes>();
  const used = usedBlobs(reader);
  const verify = async () => {
    for await (const { hash, size } of used) {
      const state = await blobs.verify(hash);
      sum.blobs++;
      sum.bytes += size;
      if (state === 'sound') continue;
      sum.badBlobs++;
      if (bad.size < most.blobs) bad.set(hash, { hash, state });
    }
  };
  await Promise.all(Array.from({ length: width }, verify));
  return { ...sum, badFiles: await filesWith(reader, bad) };
}

/** Asked at the end: what was removed while this ran is in no file any more. */
async function filesWith(reader: Reader, bad: ReadonlyMap<string, BadBytes>): Promise<BadFile[]> {
  if (bad.size === 0) return [];
  const pieces = reader.sql
    .selectFrom('attachment_piece as piece')
    .innerJoin('attachment as file', 'file.id', 'piece.attachment_id')
    .select(['file.id', 'file.name', 'file.artifact_id as artifactId', 'piece.hash'])
    .where('piece.hash', 'in', [...bad.keys()])
    .distinct();
  const rows = await reader.all(pieces.orderBy('file.id').limit(most.files));
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { id, name, artifactId } = first;
    return [{ id, name, artifactId, bytes: [first, ...others].flatMap(({ hash }) => bad.get(hash) ?? []) }];
  });
}
