import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, second } from '../../src/kernel/clock.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { S3Client } from '../../src/storage/blobs/s3-client.ts';
import { BlobMissing, type Blobs, openBlobs, pieceSize, type StoredBlob } from '../../src/storage/index.ts';
import { type S3Server, startS3 } from '../harness/s3.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* inChunks(bytes: Uint8Array, size = 65_536): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const storeAll = (blobs: Blobs, source: AsyncIterable<Uint8Array>): Promise<StoredBlob[]> =>
  Array.fromAsync(blobs.store(source));

async function readBack(blobs: Blobs, hash: string, range?: { start: number; end: number }): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(await blobs.read(hash, range)));
}

/** A folder for as long as the tests of a group run. */
function temporaryFolder(): () => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'atelier-blobs-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

const openIn = (dataFolder: string, environment: Readonly<Record<string, string>> = {}) =>
  openBlobs(readConfig({ ...environment, ATELIER_DATA: dataFolder }));

const s3Folder = temporaryFolder();
let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3(s3Folder());
});
afterAll(() => s3.stop());

describe.each(['on disk', 'in an S3 store'] as const)('bytes %s', (place) => {
  const folder = temporaryFolder();
  const isOnDisk = place === 'on disk';
  let blobs: Blobs;
  beforeAll(() => {
    blobs = openIn(folder(), isOnDisk ? {} : s3.environment);
  });

  const incoming = () => readdirSync(join(folder(), 'blobs', 'incoming'));
  const pathOf = (hash: string) =>
    isOnDisk ? join(folder(), 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash) : s3.pathOf(`forge/${hash}`);

  test('come back as they were, under the hash of themselves', async () => {
    const bytes = randomBytes(100_000);
    expect(await storeAll(blobs, inChunks(bytes, 777))).toEqual([{ hash: hashOf(bytes), size: 100_000 }]);
    expect(await readBack(blobs, hashOf(bytes))).toEqual(bytes);
    expect(existsSync(pathOf(hashOf(bytes)))).toBe(true);
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

  test.each([
    [0, 2],
    [0, 300_000],
    [65_535, 262_145],
    [299_999, 300_000],
    [7, 7],
  ])('are read from %i to %i', async (start, end) => {
    const bytes = Buffer.alloc(300_000, 'not all bytes are alike');
    await storeAll(blobs, inChunks(bytes));
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
    for await (const _ of blobs.store(inChunks(Buffer.alloc(2 * pieceSize, 2)))) break;
    await expect.poll(incoming).toEqual([]);
  });

  test('that are not there are missing before the first byte', async () => {
    const hash = hashOf(Buffer.from('never stored'));
    await expect(blobs.read(hash)).rejects.toBeInstanceOf(BlobMissing);
    await expect(blobs.read(hash, { start: 0, end: 0 })).rejects.toBeInstanceOf(BlobMissing);
    expect(await blobs.has(hash)).toBe(false);
    expect(await blobs.verify(hash)).toBe('missing');
  });

  test('can be removed, twice too', async () => {
    const bytes = randomBytes(10);
    await storeAll(blobs, inChunks(bytes));
    expect(await blobs.has(hashOf(bytes))).toBe(true);
    await blobs.remove(hashOf(bytes));
    await blobs.remove(hashOf(bytes));
    expect(await blobs.has(hashOf(bytes))).toBe(false);
    expect(existsSync(pathOf(hashOf(bytes)))).toBe(false);
  });

  test('that were damaged are found out, and healed when they are stored again', async () => {
    const bytes = randomBytes(1000);
    await storeAll(blobs, inChunks(bytes));
    expect(await blobs.verify(hashOf(bytes))).toBe('sound');
    writeFileSync(pathOf(hashOf(bytes)), randomBytes(1000));
    expect(await blobs.verify(hashOf(bytes))).toBe('damaged');
    await storeAll(blobs, inChunks(bytes));
    expect(await blobs.verify(hashOf(bytes))).toBe('sound');
  });

  test('are listed with the time of their last storing', async () => {
    const bytes = randomBytes(20);
    await storeAll(blobs, inChunks(bytes));
    const old = new Date(1_600_000_000_000);
    utimesSync(pathOf(hashOf(bytes)), old, old);
    const listed = async () =>
      (await Array.fromAsync(blobs.list())).find(({ hash }) => hash === hashOf(bytes));
    expect(await listed()).toEqual({ hash: hashOf(bytes), size: 20, storedAt: old.getTime() });
    await storeAll(blobs, inChunks(bytes));
    expect((await listed())?.storedAt).toBeGreaterThan(old.getTime());
  });

  test('that a crash left in the making are removed once they are old', async () => {
    for (const name of ['old', 'new']) writeFileSync(join(folder(), 'blobs', 'incoming', name), 'half');
    const old = new Date(Date.now() - 2 * day);
    utimesSync(join(folder(), 'blobs', 'incoming', 'old'), old, old);
    await blobs.tidy(Date.now() - day);
    expect(incoming()).toEqual(['new']);
  });
});

describe('the folder of files', () => {
  const folder = temporaryFolder();

  test('is for nobody else to read, and what is no blob is not listed', async () => {
    const blobs = openIn(folder());
    const [blob] = await storeAll(blobs, inChunks(randomBytes(10)));
    const { hash } = blob ?? { hash: '' };
    const path = join(folder(), 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder(), 'blobs')).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder(), 'blobs', 'README'), 'not a blob');
    expect((await Array.fromAsync(blobs.list())).map((listed) => listed.hash)).toEqual([hash]);
  });

  test('that cannot be used makes storing unavailable', async () => {
    writeFileSync(join(folder(), 'file'), '');
    const blobs = openIn(join(folder(), 'file'));
    await expect(storeAll(blobs, inChunks(randomBytes(5)))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('an S3 store', () => {
  const folder = temporaryFolder();
  const openWith = (environment: Readonly<Record<string, string>>) =>
    openIn(folder(), { ...s3.environment, ...environment });
  const at = (endpoint: string) => ({ ATELIER_BLOBS: `s3://attachments?endpoint=${endpoint}` });
  const hash = hashOf(Buffer.from('something'));

  /** Everything that can be asked of the bytes; all of it must be refused, none with an error of another kind. */
  const everything: [string, (blobs: Blobs) => Promise<unknown>][] = [
    ['storing', (blobs) => storeAll(blobs, inChunks(Buffer.from('something')))],
    ['reading', (blobs) => blobs.read(hash)],
    ['asking', (blobs) => blobs.has(hash)],
    ['removing', (blobs) => blobs.remove(hash)],
    ['verifying', (blobs) => blobs.verify(hash)],
    ['listing', (blobs) => Array.fromAsync(blobs.list())],
  ];

  test('lists more than a page holds, below its own prefix only', async () => {
    const blobs = openWith({ ATELIER_BLOBS: `s3://attachments/listed?endpoint=${s3.endpoint}` });
    const others = openWith({ ATELIER_BLOBS: `s3://attachments/listed-of-others?endpoint=${s3.endpoint}` });
    await storeAll(others, inChunks(randomBytes(10)));
    const bytes = Buffer.from('in the prefix');
    await storeAll(blobs, inChunks(bytes));
    const hashes = [
      hashOf(bytes),
      ...Array.from({ length: 1009 }, (_, number) => hashOf(Buffer.from(`${number}`))),
    ];
    for (const copy of hashes) s3.copy(`listed/${hashOf(bytes)}`, `listed/${copy}`);
    const listed = (await Array.fromAsync(blobs.list())).map((blob) => blob.hash);
    expect(listed.sort()).toEqual(hashes.sort());
  });

  test.each(everything)('with a wrong key refuses %s as unavailable', async (_, work) => {
    const blobs = openWith({ ATELIER_S3_SECRET_KEY: 'wrong' });
    const refusal = {
      kind: 'unavailable',
      extras: { cause: expect.stringContaining('SignatureDoesNotMatch') },
    };
    await expect(work(blobs)).rejects.toMatchObject(refusal);
  });

  test.each(everything)('without the bucket refuses %s as unavailable', async (_, work) => {
    const blobs = openWith({ ATELIER_BLOBS: `s3://another-bucket?endpoint=${s3.endpoint}` });
    const refusal = { kind: 'unavailable', extras: { cause: expect.stringContaining('NoSuchBucket') } };
    await expect(work(blobs)).rejects.toMatchObject(refusal);
  });

  test('that is away makes everything unavailable for now', async () => {
    const blobs = openWith(at('http://127.0.0.1:9'));
    const refusal = { kind: 'unavailable', extras: { retryAfter: 5 } };
    await Promise.all(everything.map(([, work]) => expect(work(blobs)).rejects.toMatchObject(refusal)));
  });

  /** A store that behaves as it is told. */
  async function strangeStore(answer: RequestListener): Promise<{ blobs: Blobs; close: () => void }> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { blobs: openWith(at(`http://127.0.0.1:${port}`)), close: () => server.close() };
  }

  test('that is cut in the middle of an answer calls nothing damaged', async () => {
    const { blobs, close } = await strangeStore((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('some bytes', () => response.destroy());
    });
    await expect(blobs.verify(hash)).rejects.toMatchObject({ kind: 'unavailable' });
    close();
  });

  test('that stops in the middle of an answer is given up, and whoever reads slowly is not', async () => {
    const long = Buffer.alloc(5_000_000, 'x');
    const server = createServer((request, response) => {
      response.writeHead(200, { 'Content-Length': long.length });
      if (request.url?.includes('stops')) response.write('some bytes');
      else response.end(long);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const place = {
      bucket: 'bucket',
      prefix: '',
      region: 'us-east-1',
      accessKey: 'key',
      secretKey: 'secret',
    };
    const client = new S3Client({ ...place, endpoint: `http://127.0.0.1:${port}` }, 3 * second);
    const slow = await client.send({ method: 'GET', key: 'slow' });
    slow.read(0);
    for (const _ of ['while the first', 'and the second wait']) {
      const stopped = await client.send({ method: 'GET', key: 'stops' });
      await expect(text(stopped)).rejects.toThrow('It stopped in the middle of its answer.');
    }
    expect(await text(slow)).toHaveLength(long.length);
    server.close();
  });

  test('that is busy or hangs up is asked again', async () => {
    let requests = 0;
    const { blobs, close } = await strangeStore((request, response) => {
      requests++;
      if (requests === 1) response.writeHead(503).end();
      else if (requests === 2) request.destroy();
      else response.end('something');
    });
    expect((await readBack(blobs, hash)).toString()).toBe('something');
    close();
  });

  test('that answers with a page of a proxy is unavailable', async () => {
    const { blobs, close } = await strangeStore((_, response) => response.end('<html><p>Welcome'));
    await expect(Array.fromAsync(blobs.list())).rejects.toMatchObject({ kind: 'unavailable' });
    close();
  });
});

describe('the address of an S3 store', () => {
  const keys = { ATELIER_S3_ACCESS_KEY: 'key', ATELIER_S3_SECRET_KEY: 'secret' };
  const placeOf = (address: string, environment: Readonly<Record<string, string>> = keys) =>
    readConfig({ ...environment, ATELIER_BLOBS: address }).blobs;

  test('names bucket, prefix, endpoint and region', () => {
    expect(placeOf('s3://bucket/of/ours/?endpoint=http://localhost:9000/&region=eu-west-3')).toEqual({
      bucket: 'bucket',
      prefix: 'of/ours/',
      endpoint: 'http://localhost:9000',
      region: 'eu-west-3',
      accessKey: 'key',
      secretKey: 'secret',
    });
    expect(placeOf('s3://bucket')).toMatchObject({
      prefix: '',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
    });
  });

  test('goes with the keys that other programs use, too', () => {
    const place = placeOf('s3://bucket', { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
    expect(place).toMatchObject({ accessKey: 'a', secretKey: 'b' });
  });

  test.each([
    'bucket',
    'http://bucket',
    's3://',
    's3://bucket?endpoint=host',
    's3://bucket?port=1',
    's3://bucket?endpoint=http://me:pass@host',
  ])('%s is none', (address) =>
    expect(() => placeOf(address)).toThrow('ATELIER_BLOBS must be of the form s3://'),
  );

  test('without a key is a fault that repeats no secret', () => {
    expect(() => placeOf('s3://bucket', { ATELIER_S3_SECRET_KEY: 'hush' })).toThrow(/ATELIER_S3_ACCESS_KEY/);
    expect(() => placeOf('s3://bucket', { ATELIER_S3_SECRET_KEY: 'hush' })).not.toThrow(/hush/);
  });
});
