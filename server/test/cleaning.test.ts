import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf, uploadInChunks } from './file-fixtures.ts';
import { type Atelier, Caller, engines, startAtelier, startServer } from './harness/atelier.ts';
import { databaseOf } from './project-fixtures.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const twoDays = 2 * 24 * 60 * 60 * 1000;

describe.each(engines)('cleaning in the background on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
  });
  afterAll(() => atelier.stop());

  const blobs = () => join(atelier.instance.folder, 'blobs');
  const pathOf = (bytes: Uint8Array) => {
    const hash = hashOf(bytes);
    return join(blobs(), hash.slice(0, 2), hash.slice(2, 4), hash);
  };
  const stored = () =>
    readdirSync(blobs(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();

  /** Writes a file as a process would have that died right after. */
  function leave(path: string, bytes: Uint8Array, age = 0): string {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, bytes);
    const then = new Date(Date.now() - age);
    utimesSync(path, then, then);
    return path;
  }

  /** Starts the service with every job due, in so many processes that could do them. */
  async function cleanUntil(processes: 1 | 2, isClean: () => boolean | Promise<boolean>): Promise<void> {
    // One that ends may have claimed a job and not done it.
    await atelier.server.end();
    await atelier.sql('update job set due_at = 0');
    const other = processes === 2 ? await startServer(atelier.instance.environment) : undefined;
    await atelier.restart();
    while (!(await isClean())) await pause(20);
    await other?.end();
  }

  const isNoted = async (bytes: Uint8Array) => {
    const database = await databaseOf(atelier);
    const rows = database.sql.selectFrom('blob').select('hash').where('hash', '=', hashOf(bytes));
    return (await database.all(rows).finally(() => database.close())).length > 0;
  };

  test('removes files whose time is over and bytes that a crash left, and nothing else', async () => {
    const caller = await atelier.createUser('alice');
    const [kept, expired] = [randomBytes(100), randomBytes(100)];
    const keptId = await uploadInChunks(caller, kept);
    const expiredId = await uploadInChunks(caller, expired);
    await atelier.sql(`update attachment set expires_at = 1 where id = ${expiredId}`);
    const [oldOrphan, newOrphan] = [randomBytes(10), randomBytes(11)];
    leave(pathOf(oldOrphan), oldOrphan, twoDays);
    leave(join(blobs(), 'incoming', 'old'), randomBytes(10), twoDays);
    const young = [
      leave(pathOf(newOrphan), newOrphan),
      leave(join(blobs(), 'incoming', 'new'), randomBytes(10)),
    ];
    // However old: what is pointed to stays.
    leave(pathOf(kept), kept, twoDays);
    await cleanUntil(2, async () => stored().length <= 4 && (await isNoted(oldOrphan)));
    expect(stored()).toEqual([pathOf(kept), pathOf(oldOrphan), ...young].sort());
    await atelier.sql('update blob set released_at = 1 where released_at is not null');
    await cleanUntil(1, () => stored().length <= 3);
    expect(stored()).toEqual([pathOf(kept), ...young].sort());
    const again = new Caller(atelier.url, keyOf(caller));
    expect((await again.get(`/artifact_temporary_files/${keptId}`)).status).toBe(200);
    expect((await again.get(`/artifact_temporary_files/${expiredId}`)).status).toBe(404);
  });
});
