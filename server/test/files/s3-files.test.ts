import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../cli/replies.ts';
import { submit } from '../fixtures/artifact.ts';
import { comparableTables, restoreTo } from '../fixtures/backup.ts';
import {
  createWorkplace,
  isStored,
  keyOf,
  patchHeaders,
  readInChunks,
  reserve,
  send,
  someBytes,
  upload,
  uploadInChunks,
  type Workplace,
} from '../fixtures/file.ts';
import { type Atelier, createEmptyInstance, runCommand, startAtelier } from '../harness/atelier.ts';
import { type S3Server, startS3 } from '../harness/s3.ts';

describe('with files in an S3 store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-s3-'));
  let s3: S3Server;
  let atelier: Atelier;
  let place: Workplace;
  beforeAll(async () => {
    s3 = await startS3(folder);
    atelier = await startAtelier('PostgreSQL', { env: s3.environment });
    place = await createWorkplace(atelier);
  });
  afterAll(async () => {
    await atelier.stop();
    await s3.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const set = (value: readonly number[]) => [{ field_id: place.files, value }];

  test('what is attached comes back, and is gone when it is detached', async () => {
    const { alice, files, tracker } = place;
    const bytes = someBytes(17 * 1024 * 1024);
    const { id, download_href } = await upload(atelier, alice, files, bytes);
    const artifact = await submit(alice, tracker, set([id]));
    expect(isStored(atelier, bytes)).toBe(false);
    const address = `${atelier.url}${download_href}`;
    expect((await send(address, 'GET', keyOf(alice))).bytes.equals(bytes)).toBe(true);
    const part = await send(address, 'GET', { ...keyOf(alice), Range: 'bytes=16777210-16777220' });
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(16_777_210, 16_777_221)]);
    expect(s3.keys()).toHaveLength(2);
    expect((await alice.put(`/artifacts/${artifact}`, { values: set([]) })).status).toBe(200);
    expect(s3.keys()).toEqual([]);
  });

  test('a backup has their bytes, and is restored to a disk, or to a store that is empty', async () => {
    const bytes = someBytes(5000);
    const id = await uploadInChunks(place.alice, bytes);
    const shelf = mkdtempSync(join(tmpdir(), 'atelier-shelf-'));
    const backups = join(shelf, 'backups');
    expect((await atelier.cli('backup', backups)).code).toBe(0);
    const onDisk = await restoreTo('SQLite', backups);
    expect(await comparableTables(onDisk)).toEqual(await comparableTables(atelier.instance));
    const sound = await runCommand(onDisk.environment, ['doctor', '--verify-blobs']);
    expect(sound.stdout).toContain('1 blobs of 5,000 bytes were read; all are sound.');
    const again = await createEmptyInstance('SQLite');
    const shared = { ...again.environment, ...s3.environment };
    expectRefusal(
      await runCommand(shared, ['restore', backups]),
      'The store of ATELIER_BLOBS has files already',
    );
    const before = s3.keys();
    const own = {
      ...shared,
      ATELIER_BLOBS: String(s3.environment['ATELIER_BLOBS']).replace('/forge', '/other'),
    };
    expect((await runCommand(own, ['restore', backups])).code).toBe(0);
    expect(s3.keys().sort()).toEqual([...before, before[0]?.replace('forge/', 'other/')].sort());
    await onDisk.remove();
    await again.remove();
    rmSync(shelf, { recursive: true, force: true });
    expect((await place.alice.delete(`/artifact_temporary_files/${id}`)).status).toBe(200);
  });

  test('doctor tells where they are, and what is wrong with them', async () => {
    const id = await uploadInChunks(place.alice, Buffer.from('hello'));
    const sound = await atelier.cli('doctor', '--verify-blobs');
    expect(sound.stdout).toContain(`They are kept in attachments/forge/ at ${s3.endpoint}.`);
    expect(sound.stdout).toContain('1 blobs of 5 bytes were read; all are sound.');
    for (const key of s3.keys()) writeFileSync(s3.pathOf(key), 'jello');
    const { code, stdout } = await atelier.cli('doctor', '--verify-blobs');
    expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`#${id} .* is damaged`))]);
  });

  test('while the store is away, reading and writing answer 503 and nothing is lost', async () => {
    const { alice, files, tracker } = place;
    const { id, download_href } = await upload(atelier, alice, files, Buffer.from('before'));
    await submit(alice, tracker, set([id]));
    const { upload_href } = await reserve(alice, files, 5);
    await s3.stop();
    const post = { name: 'a.txt', mimetype: 'text/plain', content: 'aGVsbG8=' };
    expect((await alice.post('/artifact_temporary_files', post)).status).toBe(503);
    expect((await alice.get(`/artifact_files/${id}`)).status).toBe(503);
    expect((await send(`${atelier.url}${download_href}`, 'GET', keyOf(alice))).status).toBe(503);
    const headers = { ...keyOf(alice), ...patchHeaders(0) };
    const patch = await send(`${atelier.url}${upload_href}`, 'PATCH', headers, 'hello');
    expect([patch.status, patch.headers['retry-after']]).toEqual([503, '5']);
    const { code, stdout } = await atelier.cli('doctor');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^problem +files +.* cannot be used/m)]);
    s3 = await startS3(folder, Number(new URL(s3.endpoint).port));
    expect((await send(`${atelier.url}${upload_href}`, 'PATCH', headers, 'hello')).status).toBe(204);
    expect((await readInChunks(alice, id)).toString()).toBe('before');
  });
});
