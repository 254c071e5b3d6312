import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from '../src/kernel/clock.ts';
import { BlobMissing, type Blobs, openBlobs, pieceSize, type StoredBlob } from '../src/storage/index.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* inChunks(bytes: Uint8Array, size = 65_536): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function storeAll(blobs: Blobs, source: AsyncIterable<Uint8Array>): Promise<StoredBlob[]> {
  return Array.fromAsync(blobs.store(source));
}

async function readBack(blobs: Blobs, hash: string, range?: { start: number; end: number }): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(await blobs.read(hash, range)));
}

describe('bytes on disk', () => {
  let dataFolder: string;
  let folder: string;
  let blobs: Blobs;
  beforeAll(() => {
    dataFolder = mkdtempSync(join(tmpdir(), 'atelier-blobs-'));
    folder = join(dataFolder, 'blobs');
    blobs = openBlobs({ dataFolder });
  });
  afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  const incoming = () => readdirSync(join(folder, 'incoming'));

  test('come back as they were, under the hash of themselves, for nobody else to read', async () => {
    const bytes = randomBytes(100_000);
    expect(await storeAll(blobs, inChunks(bytes, 777))).toEqual([{ hash: hashOf(bytes), size: 100_000 }]);
    expect(await readBack(blobs, hashOf(bytes))).toEqual(bytes);
    expect(statSync(pathOf(hashOf(bytes))).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(incoming()).toEqual([]);
  });

  test('of a large file become pieces of equal size and a rest', async () => {
    const bytes = randomBytes(2 * pieceSize + 5);
    const stored = await storeAll(blobs, inChunks(bytes, 1_000_003));
    expect(stored.map(({ size }) => size)).toEqual([pieceSize, pieceSize, 5]);
    const back = await Promise.all(stored.map(({ hash }) => readBack(blobs, hash)));
    expect(Buffer.concat(back).equals(bytes)).toBe(true);
  });

  test('that are exactly one piece make no empty second one, and no bytes make none', async () => {
    expect(await storeAll(blobs, inChunks(Buffer.alloc(pieceSize, 1)))).toHaveLength(1);
    expect(await storeAll(blobs, inChunks(Buffer.alloc(0)))).toEqual([]);
    expect(incoming()).toEqual([]);
  });

  test('are read from any place to any other', async () => {
    const bytes = randomBytes(300_000);
    await storeAll(blobs, inChunks(bytes));
    for (const [start, end] of [
      [0, 1],
      [0, 300_000],
      [65_535, 262_145],
      [299_999, 300_000],
      [7, 7],
    ] as const)
      expect(await readBack(blobs, hashOf(bytes), { start, end })).toEqual(bytes.subarray(start, end));
  });

  test('that arrived before the source failed are kept', async () => {
    const bytes = randomBytes(pieceSize + 10);
    async function* cut() {
      yield* inChunks(bytes);
      throw new Error('the line is cut');
    }
    const stored: StoredBlob[] = [];
    const storing = async () => {
      for await (const blob of blobs.store(cut())) stored.push(blob);
    };
    await expect(storing()).rejects.toThrow('the line is cut');
    expect(stored.map(({ size }) => size)).toEqual([pieceSize, 10]);
    expect(await readBack(blobs, stored[1]?.hash ?? '')).toEqual(bytes.subarray(pieceSize));
    expect(incoming()).toEqual([]);
  });

  test('that nobody waits for to the end leave nothing half behind', async () => {
    const bytes = randomBytes(3 * pieceSize);
    for await (const _ of blobs.store(inChunks(bytes))) break;
    expect(incoming()).toEqual([]);
  });

  test('that are not there are missing before the first byte', async () => {
    const hash = hashOf(Buffer.from('never stored'));
    await expect(blobs.read(hash)).rejects.toBeInstanceOf(BlobMissing);
    expect(await blobs.has(hash)).toBe(false);
    expect(await blobs.verify(hash)).toBe('missing');
  });

  test('can be removed, twice too', async () => {
    const bytes = randomBytes(10);
    await storeAll(blobs, inChunks(bytes));
    expect(await blobs.has(hashOf(bytes))).toBe(true);
    await blobs.remove(hashOf(bytes));
    await blobs.remove(hashOf(bytes));
    expect(existsSync(pathOf(hashOf(bytes)))).toBe(false);
  });

  test('that were damaged are found out, and healed when they are stored again', async () => {
    const bytes = randomBytes(1000);
    await storeAll(blobs, inChunks(bytes));
    expect(await blobs.verify(hashOf(bytes))).toBe('sound');
    writeFileSync(pathOf(hashOf(bytes)), bytes.subarray(1));
    expect(await blobs.verify(hashOf(bytes))).toBe('damaged');
    await storeAll(blobs, inChunks(bytes));
    expect(await blobs.verify(hashOf(bytes))).toBe('sound');
  });

  test('are listed with the time of their last storing, and nothing else is', async () => {
    const bytes = randomBytes(20);
    await storeAll(blobs, inChunks(bytes));
    writeFileSync(join(folder, 'README'), 'not a blob');
    const old = new Date(Date.now() - 2 * day);
    utimesSync(pathOf(hashOf(bytes)), old, old);
    const ages = async () =>
      new Map((await Array.fromAsync(blobs.list())).map(({ hash, storedAt }) => [hash, storedAt]));
    expect((await ages()).get(hashOf(bytes))).toBe(old.getTime());
    await storeAll(blobs, inChunks(bytes));
    expect((await ages()).get(hashOf(bytes))).toBeGreaterThan(old.getTime());
    expect([...(await ages()).keys()].every((hash) => existsSync(pathOf(hash)))).toBe(true);
  });

  test('that a crash left in the making are removed once they are old', async () => {
    for (const name of ['old', 'new']) writeFileSync(join(folder, 'incoming', name), 'half');
    const old = new Date(Date.now() - 2 * day);
    utimesSync(join(folder, 'incoming', 'old'), old, old);
    await blobs.tidy(Date.now() - day);
    expect(incoming()).toEqual(['new']);
  });

  test('refuse as unavailable where the folder cannot be used', async () => {
    writeFileSync(join(dataFolder, 'file'), '');
    const nowhere = openBlobs({ dataFolder: join(dataFolder, 'file') });
    await expect(storeAll(nowhere, inChunks(randomBytes(5)))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
