import * as tus from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import {
  CuttingProxy,
  createWorkplace,
  keyOf,
  readInChunks,
  reserve,
  send,
  someBytes,
  type Workplace,
} from '../fixtures/file.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';

const mebibyte = 1_048_576;

/** Uploads with the client that web pages use, and gives the places it went on from. */
async function uploadByClient(url: string, key: string, bytes: Buffer): Promise<number[]> {
  const resumed: number[] = [];
  await new Promise<void>((done, failed) => {
    const upload = new tus.Upload(bytes, {
      uploadUrl: url,
      headers: { 'X-Auth-AccessKey': key },
      retryDelays: [50, 50, 100, 200, 500, 1000],
      onBeforeRequest(request) {
        if (request.getMethod() === 'PATCH') resumed.push(Number(request.getHeader('Upload-Offset')));
      },
      onSuccess: () => done(),
      onError: failed,
    });
    upload.start();
  });
  return resumed;
}

const engines = oneEngine('PostgreSQL', 'the client sees nothing but HTTP');

describe.each(engines)('tus-js-client on %s', (engine) => {
  let atelier: Atelier;
  let place: Workplace;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    place = await createWorkplace(atelier);
  });
  afterAll(() => atelier.stop());

  test('survives ten cuts in one upload, and the file is what was sent', async () => {
    const { alice, bob, files, tracker } = place;
    const bytes = someBytes(24 * mebibyte + 11);
    const name = 'Bericht № 10.bin';
    const proxy = await CuttingProxy.before(atelier.url, { cuts: 10, after: 2 * mebibyte });
    const reserved = await reserve(alice, files, bytes.length, { name, type: 'application/octet-stream' });
    const offsets = await uploadByClient(`${proxy.url}${reserved.upload_href}`, alice.key, bytes);
    expect(proxy.cuts).toBe(10);
    // Each went on behind what had arrived before.
    const distinct = [...new Set(offsets)];
    expect(distinct.length).toBeGreaterThan(1);
    expect(distinct).toEqual(distinct.toSorted((left, right) => left - right));
    const artifact = await submit(alice, tracker, [{ field_id: files, value: [reserved.id] }]);
    const { body } = await bob.get(`/artifacts/${artifact}`);
    const { file_descriptions: described } = body.values.find(
      ({ field_id }: { field_id: number }) => field_id === files,
    );
    expect(described[0]).toMatchObject({ id: reserved.id, name, size: bytes.length });
    expect((await readInChunks(bob, reserved.id)).equals(bytes)).toBe(true);
    const download = await send(`${atelier.url}${described[0].html_url}`, 'GET', keyOf(bob));
    expect(download.bytes.equals(bytes)).toBe(true);
    proxy.close();
  });

  test('goes on with an upload that another client began, and after it was done', async () => {
    const { alice, files } = place;
    const bytes = someBytes(100_000);
    const { upload_href: href } = await reserve(alice, files, bytes.length, { name: 'begun.bin' });
    const url = `${atelier.url}${href}`;
    const headers = {
      ...keyOf(alice),
      'Tus-Resumable': '1.0.0',
      'Content-Type': 'application/offset+octet-stream',
    };
    await send(url, 'PATCH', { ...headers, 'Upload-Offset': '0' }, bytes.subarray(0, 40_000));
    expect(await uploadByClient(url, alice.key, bytes)).toEqual([40_000]);
    expect(await uploadByClient(url, alice.key, bytes)).toEqual([]);
  });
});
