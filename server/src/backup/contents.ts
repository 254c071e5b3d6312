import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupFault, type Content } from './model.ts';

/** Reads a file to know what it is. */
export async function contentOf(path: string): Promise<Content> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const part of createReadStream(path)) {
    hash.update(part);
    size += part.length;
  }
  return { sha256: hash.digest('hex'), size };
}

export const contentOfBytes = (bytes: Uint8Array): Content => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
});

/** The bytes of a file, which must be what they were: otherwise it fails after the last, and tells what they are of. */
export async function* checkedBytes(
  path: string,
  { sha256, size }: Content,
  whatItIs = path,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const part of createReadStream(path)) {
    hash.update(part);
    count += part.length;
    yield part;
  }
  if (count !== size || hash.digest('hex') !== sha256)
    throw new BackupFault(`${whatItIs} is damaged: its bytes are not those that were written.`);
}

/** Copies a file and sees to it that the copy has the right bytes, and that they last. */
export async function copyChecked(
  path: string,
  target: string,
  content: Content,
  mode: number,
  whatItIs = path,
): Promise<void> {
  await pipeline(checkedBytes(path, content, whatItIs), createWriteStream(target, { mode, flush: true }));
}

export interface Found {
  /** With slashes, below the folder that was looked through. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Everything below a folder but what processes work with at the moment. Nothing where there is none. */
export async function* everythingIn(folder: string, below = ''): AsyncGenerator<Found> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  for (const entry of entries) {
    if (entry.name.startsWith('.work.')) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) yield { path, isFolder: false };
    if (!entry.isDirectory()) continue;
    yield { path, isFolder: true };
    yield* everythingIn(folder, path);
  }
}
