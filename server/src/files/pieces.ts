import {
  BlobMissing,
  type Blobs,
  holdBlobs,
  type OpenBlob,
  type Reader,
  releaseBlobs,
  type StoredBlob,
  statement,
  type Transaction,
} from '../storage/index.ts';

/** Where a part of a file is. */
export interface Piece {
  /** The place of its first byte in the file. */
  readonly start: number;
  readonly size: number;
  readonly hash: string;
}

/** The bytes themselves, or the picture that stands for them. */
export type Rendition = 'original' | 'preview';

const flagOf = (rendition: Rendition) => (rendition === 'preview' ? 1 : 0);

const piecesOfFile = statement((sql, p: { id: number; isPreview: 0 | 1 }) =>
  sql
    .selectFrom('attachment_piece')
    .select(['start', 'size', 'hash'])
    .where('attachment_id', '=', p.id)
    .where('is_preview', '=', p.isPreview)
    .orderBy('position'),
);

export function findPieces(reader: Reader, id: number, rendition: Rendition): Promise<Piece[]> {
  return reader.all(piecesOfFile, { id, isPreview: flagOf(rendition) });
}

/** Bytes that are stored and that no file has yet. */
export interface StoredPart {
  readonly blobs: readonly StoredBlob[];
  /** What `removalMark` said before they were stored. */
  readonly mark: number;
}

const columns = ['attachment_id', 'is_preview', 'position', 'start', 'size', 'hash'] as const;

/** The rows of pieces that follow each other. */
function rowsOf(
  id: number,
  rendition: Rendition,
  position: number,
  start: number,
  blobs: readonly StoredBlob[],
) {
  let next = start;
  return blobs.map(({ hash, size }, index) => {
    const row = [id, flagOf(rendition), position + index, next, size, hash] as const;
    next += size;
    return row;
  });
}

const lastPiece = statement((sql, p: { id: number; isPreview: 0 | 1 }) =>
  sql
    .selectFrom('attachment_piece')
    .select(['position', 'start', 'size'])
    .where('attachment_id', '=', p.id)
    .where('is_preview', '=', p.isPreview)
    .orderBy('position', 'desc')
    .limit(1),
);

/** Keeps stored bytes from being removed until a piece points to them. False when they may be gone again. */
export async function hold(tx: Transaction, { blobs, mark }: StoredPart): Promise<boolean> {
  return blobs.length === 0 || holdBlobs(tx, blobs, mark);
}

/** Adds bytes that are held to the end of a file that is locked. */
export async function addPieces(
  tx: Transaction,
  id: number,
  rendition: Rendition,
  blobs: readonly StoredBlob[],
): Promise<void> {
  const last = await tx.first(lastPiece, { id, isPreview: flagOf(rendition) });
  const position = last === undefined ? 0 : last.position + 1;
  const start = last === undefined ? 0 : last.start + last.size;
  await tx.insertMany('attachment_piece', columns, rowsOf(id, rendition, position, start, blobs));
}

export const sizeOf = ({ blobs }: StoredPart) => blobs.reduce((sum, { size }) => sum + size, 0);

/** Takes the bytes away from files, with their previews. Gives what nothing may need any more. */
export async function dropPieces(tx: Transaction, ids: readonly number[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const pieces = tx.sql.selectFrom('attachment_piece').select('hash').where('attachment_id', 'in', ids);
  const hashes = [...new Set((await tx.all(pieces)).map(({ hash }) => hash))];
  await tx.run(tx.sql.deleteFrom('attachment_piece').where('attachment_id', 'in', ids));
  await releaseBlobs(tx, hashes);
  return hashes;
}

/** Some of the bytes of a file, from `start` up to and without `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The parts of pieces that make a span. */
function partsOf(pieces: readonly Piece[], { start, end }: Span) {
  return pieces
    .filter((piece) => piece.start < end && piece.start + piece.size > start)
    .map(({ hash, start: first, size }) => ({
      hash,
      range: { start: Math.max(start - first, 0), end: Math.min(end - first, size) },
    }));
}

/**
 * The bytes of a span, piece after piece. The first piece is opened before this gives anything, so that bytes that are
 * missing are told before an answer begins.
 */
export async function openSpan(blobs: Blobs, pieces: readonly Piece[], span: Span): Promise<OpenBlob> {
  const parts = partsOf(pieces, span);
  const found = parts.reduce((sum, { range }) => sum + range.end - range.start, 0);
  if (found < span.end - span.start) throw new BlobMissing('of a piece that is not known');
  const [head, ...rest] = parts;
  const first = head && (await blobs.read(head.hash, head.range));
  async function* opened() {
    if (first !== undefined) yield first;
    for (const { hash, range } of rest) yield await blobs.read(hash, range);
  }
  return {
    async *[Symbol.asyncIterator]() {
      for await (const blob of opened()) yield* blob;
    },
    async pour(take) {
      for await (const blob of opened()) await blob.pour(take);
    },
    async close() {
      await first?.close();
    },
  };
}
