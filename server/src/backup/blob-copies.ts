import { BlobMissing } from '../storage/index.ts';
import { contentOfBytes } from './contents.ts';
import type { Content, Tell } from './model.ts';
import type { BackedUpPlatform } from './platform.ts';
import type { Vault } from './vault.ts';

/** Reads a blob, which is never large; undefined when it is gone, null when it is damaged. */
export async function bytesOf(
  { blobs }: BackedUpPlatform,
  { sha256 }: Content,
): Promise<Buffer | undefined | null> {
  try {
    const collected: Buffer[] = [];
    for await (const part of await blobs.read(sha256)) collected.push(Buffer.from(part));
    const bytes = Buffer.concat(collected);
    return contentOfBytes(bytes).sha256 === sha256 ? bytes : null;
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}

/** Blobs that are asked for at once, and those that are held at once: a store takes its time for each. */
const page = 1000;
const readsAtOnce = 4;

/** Reads those of some blobs that a vault does not have, and that are there and sound. */
async function readAbsent(platform: BackedUpPlatform, vault: Vault, contents: readonly Content[]) {
  const read = await Promise.all(
    contents.map(async (content) => ({
      content,
      bytes: (await vault.has(content)) ? undefined : await bytesOf(platform, content),
    })),
  );
  return read.flatMap(({ content, bytes }) => (bytes ? [{ content, bytes }] : []));
}

/**
 * Copies bytes of files before the state of the database is read: few are left to be copied after it then, so that hardly any
 * can be removed in between. Gives how many were copied.
 */
export async function prefillBlobs(platform: BackedUpPlatform, vault: Vault, tell: Tell): Promise<number> {
  const { database } = platform;
  let [copied, done, last] = [0, 0, ''];
  for (let isOver = false; !isOver; ) {
    const query = database.sql.selectFrom('blob').select(['hash', 'size']).where('released_at', 'is', null);
    const rows = await database.all<{ hash: string; size: number }>(
      query.where('hash', '>', last).orderBy('hash').limit(page),
    );
    for (let start = 0; start < rows.length; start += readsAtOnce) {
      tell({ stage: 'Files', done, total: 0 });
      const some = rows.slice(start, start + readsAtOnce).map(({ hash, size }) => ({ sha256: hash, size }));
      for (const { content, bytes } of await readAbsent(platform, vault, some)) {
        await vault.putBytes(content, bytes);
        copied += content.size;
      }
      done += some.length;
    }
    isOver = rows.length < page;
    last = rows.at(-1)?.hash ?? last;
  }
  return copied;
}
