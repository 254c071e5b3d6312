import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asListed, readArtifact } from '../fixtures/artifact.ts';
import { Yard } from '../fixtures/deletion.ts';
import { readInChunks, someBytes, uploadInChunks } from '../fixtures/file.ts';
import { idsOf, sizeOf } from '../fixtures/project.ts';
import { type Atelier, type EngineName, type Reply, startAtelier, usuallyOn } from '../harness/atelier.ts';

/** Keeps everybody from changing artifacts; gives what lets them again. */
async function holdArtifacts({ instance }: Atelier): Promise<() => Promise<void>> {
  const url = instance.environment['ATELIER_DATABASE_URL'];
  if (url === undefined) {
    const database = new DatabaseSync(join(instance.folder, 'atelier.sqlite'), { timeout: 5000 });
    database.exec('begin immediate');
    return async () => database.close();
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin; lock table artifact in exclusive mode');
  return () => client.end();
}

describe.each(usuallyOn('PostgreSQL'))('a service that is killed on %s', (engine: EngineName) => {
  let atelier: Atelier;
  let yard: Yard;
  beforeAll(async () => {
    // Its port is another one after every start.
    atelier = await startAtelier(engine, { env: { ATELIER_PUBLIC_URL: 'https://forge.example' } });
    await atelier.configure({ artifact_deletion_limit: 1000 });
    const [alice, bob] = [await atelier.createUser('alice'), await atelier.createUser('bob')];
    yard = await Yard.create(atelier, 'shop', alice, bob);
  });
  afterAll(() => atelier.stop());

  const kill = () => atelier.server.end('SIGKILL');
  const deletedIds = async () => idsOf(await yard.alice.get('/deleted_artifacts?limit=50'));

  /** Sends a request that nobody will live to answer. */
  const cutOff = (request: Promise<Reply>) => request.catch(() => undefined);

  test('between archive and deletion has lost nothing and counted nothing', async () => {
    const bytes = someBytes(4000);
    const file = await uploadInChunks(yard.alice, bytes);
    const id = await yard.submit('survives', [{ field_id: yard.ids['file'], value: [file] }]);
    const before = asListed(await readArtifact(yard.alice, id));
    const letGo = await holdArtifacts(atelier);
    const request = cutOff(yard.delete(id));
    while (!existsSync(yard.folder) || yard.archivesOf(id).length === 0) await pause(10);
    await kill();
    await letGo();
    await request;
    await atelier.restart();
    expect(asListed(await readArtifact(yard.alice, id))).toEqual(before);
    expect(await yard.countedOf(yard.alice)).toBe(0);
    expect(await deletedIds()).not.toContain(id);
    expect((await yard.restore(id)).status).toBe(404);
    await yard.deleted(id);
    await yard.restored(id);
    expect(asListed(await readArtifact(yard.alice, id))).toEqual(before);
    expect((await readInChunks(yard.alice, file)).equals(bytes)).toBe(true);
  });

  test('while it deletes has either the artifact, or its archive and one more counted', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 12; count++) ids.push(await yard.submit(`one of many ${count}`));
    const counted = await yard.countedOf(yard.alice);
    const requests = Promise.all(ids.map((id) => cutOff(yard.delete(id))));
    while (ids.every((id) => yard.archivesOf(id).length === 0)) await pause(1);
    await pause(Math.random() * 30);
    await kill();
    await requests;
    await atelier.restart();
    const deleted = new Set(await deletedIds());
    for (const id of ids) {
      const { status } = await yard.alice.get(`/artifacts/${id}`);
      expect(status).toBe(deleted.has(id) ? 404 : 200);
      if (!deleted.has(id)) continue;
      await yard.restored(id);
    }
    expect(await yard.countedOf(yard.alice)).toBe(counted + ids.filter((id) => deleted.has(id)).length);
  });

  test('while it brings an artifact back has it wholly back or still deleted', async () => {
    const many = 1200;
    const bytes = someBytes(300_000);
    const file = await uploadInChunks(yard.alice, bytes);
    const id = await yard.submit('returns', [{ field_id: yard.ids['file'], value: [file] }]);
    await yard.lengthen(id, many);
    const before = asListed(await readArtifact(yard.alice, id));
    const isWhole = async () => {
      expect(asListed(await readArtifact(yard.alice, id))).toEqual(before);
      expect(sizeOf(await yard.alice.get(`/artifacts/${id}/changesets`))).toBe(many + 1);
      expect((await readInChunks(yard.alice, file)).equals(bytes)).toBe(true);
    };
    await yard.deleted(id);
    for (const moment of [25, 90]) {
      const request = cutOff(yard.restore(id));
      await pause(moment);
      await kill();
      await request;
      await atelier.restart();
      const { status } = await yard.alice.get(`/artifacts/${id}`);
      expect((await deletedIds()).includes(id)).toBe(status === 404);
      if (status === 404) continue;
      await isWhole();
      await yard.deleted(id);
    }
    await yard.restored(id);
    await isWhole();
  });
});
