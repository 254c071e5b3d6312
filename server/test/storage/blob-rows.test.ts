import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../src/kernel/clock.ts';
import { commandLineViewer } from '../../src/kernel/viewer.ts';
import {
  BlobKeeper,
  type Blobs,
  type Calls,
  type Database,
  holdBlobs,
  KeptBytes,
  openBlobs,
  openDatabase,
  operationsOn,
  releaseBlobs,
  type StoredBlob,
  storageOperations,
} from '../../src/storage/index.ts';
import { createInstance, engines, type Instance } from '../harness/atelier.ts';

const viewer = commandLineViewer('regular');
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(engines)('bytes and the rows that point to them, on %s', (engine) => {
  let instance: Instance;
  let database: Database;
  let blobs: Blobs;
  let operations: Calls<typeof storageOperations>;
  let keeper: BlobKeeper;
  let position = 0;
  let attachment = 0;

  beforeAll(async () => {
    instance = await createInstance(engine);
    const databaseUrl = instance.environment['ATELIER_DATABASE_URL'];
    database = await openDatabase({ folder: instance.folder, databaseUrl, connections: 8 });
    blobs = openBlobs({ dataFolder: instance.folder, blobs: undefined });
    operations = operationsOn(database, storageOperations);
    keeper = new BlobKeeper(blobs, database, operations);
    attachment = await createAttachment();
  });
  afterAll(async () => {
    await database.close();
    await instance.remove();
  });

  const createAttachment = () =>
    database.transaction(async (tx) => {
      const [id = 0] = await tx.newIds('attachment', 1);
      const file = { name: 'a', type: 'text/plain', size: 0, description: '', created_at: 0 };
      await tx.run(tx.sql.insertInto('attachment').values({ id, submitted_by: 101, ...file }));
      return id;
    });

  /** An operation as the room of files has them: holds the bytes and points to them. */
  const point = ({ hash, size }: StoredBlob) => {
    const place = ++position;
    return (mark: number) =>
      database.transaction(async (tx) => {
        if (!(await holdBlobs(tx, [{ hash, size }], mark))) return false;
        const piece = { attachment_id: attachment, is_preview: 0 as const, position: place, start: 0 };
        await tx.run(tx.sql.insertInto('attachment_piece').values({ ...piece, size, hash }));
        return true;
      });
  };

  /** Deletes one pointer to these bytes, or all. */
  const unpoint = (hash: string) =>
    database.transaction(async (tx) => {
      await tx.run(tx.sql.deleteFrom('attachment_piece').where('hash', '=', hash));
      await releaseBlobs(tx, [hash]);
    });

  const pointers = async (hash: string) => {
    const pieces = database.sql.selectFrom('attachment_piece').select('position').where('hash', '=', hash);
    return (await database.all(pieces)).length;
  };

  const rowOf = (hash: string) =>
    database.first(database.sql.selectFrom('blob').selectAll().where('hash', '=', hash));

  async function store(bytes: Uint8Array): Promise<StoredBlob> {
    const [blob] = await Array.fromAsync(
      blobs.store(
        (async function* () {
          yield bytes;
        })(),
      ),
    );
    if (blob === undefined) throw new Error('Nothing was stored.');
    return blob;
  }

  async function storeAndPoint(bytes: Uint8Array): Promise<StoredBlob> {
    const mark = await keeper.mark();
    const blob = await store(bytes);
    await keeper.add([blob], mark, point(blob));
    return blob;
  }

  test('are erased when the last pointer is gone, with their row', async () => {
    const bytes = randomBytes(10);
    const { hash } = await storeAndPoint(bytes);
    await storeAndPoint(bytes);
    await database.transaction((tx) => releaseBlobs(tx, [hash]));
    await keeper.erase([hash]);
    expect([await blobs.has(hash), await pointers(hash)]).toEqual([true, 2]);
    expect(await rowOf(hash)).toMatchObject({ released_at: null, removing_at: null });
    await unpoint(hash);
    await keeper.erase([hash]);
    expect([await blobs.has(hash), await rowOf(hash)]).toEqual([false, undefined]);
  });

  test('are kept when they are pointed to again before they were erased', async () => {
    const bytes = randomBytes(10);
    const { hash } = await storeAndPoint(bytes);
    await unpoint(hash);
    await storeAndPoint(bytes);
    await keeper.eraseAll();
    expect([await blobs.verify(hash), await pointers(hash)]).toEqual(['sound', 1]);
  });

  test('that somebody else erased between their storing and their row are stored again', async () => {
    const bytes = randomBytes(10);
    const { hash } = await storeAndPoint(bytes);
    const erased = async () => {
      await unpoint(hash);
      await keeper.erase([hash]);
      expect(await blobs.has(hash)).toBe(false);
    };
    // While they are given, and for as long as they are kept.
    let mark = await keeper.mark();
    for await (const blob of blobs.store(Readable.from([bytes]))) {
      await erased();
      await keeper.add([blob], mark, point(blob));
    }
    expect([await blobs.verify(hash), await pointers(hash)]).toEqual(['sound', 1]);
    const kept = new KeptBytes();
    mark = await keeper.mark();
    const stored = await Array.fromAsync(blobs.store(Readable.from([bytes]), kept));
    await erased();
    await keeper.add(stored, mark, point(stored[0]!));
    await kept.forget();
    expect([await blobs.verify(hash), await pointers(hash)]).toEqual(['sound', 1]);
    await erased();
    expect(await blobs.placeAgain(stored[0]!)).toBe(false);
  });

  test('that were erased between their storing and their row get none', async () => {
    const bytes = randomBytes(10);
    const { hash } = await storeAndPoint(bytes);
    const mark = await keeper.mark();
    const blob = await store(bytes);
    await unpoint(hash);
    await keeper.erase([hash]);
    await expect(keeper.add([blob], mark, point(blob))).rejects.toMatchObject({ kind: 'unavailable' });
    expect([await blobs.has(hash), await pointers(hash)]).toEqual([false, 0]);
    await storeAndPoint(bytes);
    expect(await blobs.has(hash)).toBe(true);
  });

  test('that are being erased get no row before that is over', async () => {
    const bytes = randomBytes(10);
    const { hash } = await storeAndPoint(bytes);
    await unpoint(hash);
    const claim = await operations.claimRemoval(viewer, { hashes: [hash], limit: 1 });
    expect(claim.hashes).toEqual([hash]);
    const mark = await keeper.mark();
    const blob = await store(bytes);
    const refused = Promise.withResolvers<void>();
    const adding = keeper.add([blob], mark, async (newest) => {
      const isAdded = await point(blob)(newest);
      refused.resolve();
      return isAdded;
    });
    adding.catch(() => {});
    await refused.promise;
    await blobs.remove(hash);
    await operations.forgetRemoved(viewer, claim);
    await expect(adding).rejects.toMatchObject({ kind: 'unavailable', extras: { retryAfter: 1 } });
    expect(await pointers(hash)).toBe(0);
  });

  test('that were erased after they were stored again get no row, though nothing is left that tells of it', async () => {
    const bytes = randomBytes(10);
    const { hash } = await storeAndPoint(bytes);
    await unpoint(hash);
    const claim = await operations.claimRemoval(viewer, { hashes: [hash], limit: 1 });
    const mark = await keeper.mark();
    const blob = await store(bytes);
    await blobs.remove(hash);
    await operations.forgetRemoved(viewer, claim);
    const adding = keeper.add([blob], mark, point(blob));
    await expect(adding).rejects.toMatchObject({ kind: 'unavailable', extras: { retryAfter: 1 } });
    expect(await pointers(hash)).toBe(0);
  });

  test('get their row although others were erased meanwhile', async () => {
    const other = await storeAndPoint(randomBytes(10));
    const mark = await keeper.mark();
    const blob = await store(randomBytes(10));
    await unpoint(other.hash);
    await keeper.erase([other.hash]);
    await keeper.add([blob], mark, point(blob));
    expect(await pointers(blob.hash)).toBe(1);
  });

  test('that nothing ever pointed to are erased, those in use are not', async () => {
    const orphan = await store(randomBytes(10));
    const used = await storeAndPoint(randomBytes(10));
    await operations.releaseUnused(viewer, { blobs: [orphan, used], delay: minute });
    await keeper.eraseAll();
    expect([await blobs.has(orphan.hash), await blobs.has(used.hash)]).toEqual([true, true]);
    await operations.releaseUnused(viewer, { blobs: [orphan, used] });
    await operations.releaseUnused(viewer, { blobs: [orphan, used], delay: minute });
    await keeper.eraseAll();
    expect([await blobs.has(orphan.hash), await blobs.has(used.hash)]).toEqual([false, true]);
    expect(await rowOf(orphan.hash)).toBeUndefined();
  });

  test('whose removal was cut short by a crash are removed by the next who comes, and then only', async () => {
    const { hash } = await storeAndPoint(randomBytes(10));
    await unpoint(hash);
    const crashed = await operations.claimRemoval(viewer, { hashes: [hash], limit: 1 });
    await keeper.erase([hash]);
    expect(await blobs.has(hash)).toBe(true);
    const longAgo = Date.now() - 2 * minute - 1;
    await database.transaction((tx) => tx.run(tx.sql.updateTable('blob').set({ removing_at: longAgo })));
    const next = await operations.claimRemoval(viewer, { hashes: [hash], limit: 1 });
    expect(next.hashes).toEqual([hash]);
    // As the one that crashed would have done it: its claim is as old as the row said.
    await operations.forgetRemoved(viewer, { ...crashed, claimedAt: longAgo });
    expect(await rowOf(hash)).toBeDefined();
    await operations.forgetRemoved(viewer, next);
    expect(await rowOf(hash)).toBeUndefined();
  });

  test('are there for every pointer, however many store and erase the same at once', async () => {
    const contents = Array.from({ length: 3 }, () => randomBytes(100));
    const missing: string[] = [];
    const outcomes = { added: 0, refused: 0 };
    const storer = async (bytes: Uint8Array) => {
      await storeAndPoint(bytes).then(
        () => outcomes.added++,
        (error: { kind?: string }) => {
          if (error.kind !== 'unavailable') throw error;
          outcomes.refused++;
        },
      );
    };
    const remover = async (bytes: Uint8Array) => {
      await unpoint(hashOf(bytes));
      await keeper.erase([hashOf(bytes)]);
    };
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        contents.flatMap((bytes) => [storer(bytes), remover(bytes), storer(bytes), remover(bytes)]),
      );
      for (const bytes of contents) {
        const hash = hashOf(bytes);
        if ((await pointers(hash)) > 0 && (await blobs.verify(hash)) !== 'sound') missing.push(hash);
      }
    }
    expect(missing).toEqual([]);
    expect(outcomes.added).toBeGreaterThan(0);
  });
});
