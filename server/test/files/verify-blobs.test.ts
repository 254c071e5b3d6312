import { createHash } from 'node:crypto';
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import { createWorkplace, someBytes, uploadInChunks } from '../fixtures/file.ts';
import { type Atelier, engines, startAtelier } from '../harness/atelier.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(engines)('atelier doctor --verify-blobs on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
  });
  afterAll(() => atelier.stop());

  const pathOf = (hash: string) =>
    join(atelier.instance.folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash);

  test('finds nothing wrong, then names the files and artifacts whose bytes are missing or damaged', async () => {
    const { alice, tracker, files } = await createWorkplace(atelier);
    const [sound, gone, short] = [someBytes(5), someBytes(6), someBytes(7)];
    await uploadInChunks(alice, sound);
    const goneId = await uploadInChunks(alice, gone, { name: 'gone.txt' });
    const shortId = await uploadInChunks(alice, short, { name: 'short.txt' });
    const id = await submit(alice, tracker, [{ field_id: files, value: [shortId] }]);
    const before = await atelier.cli('doctor', '--verify-blobs');
    expect(before.stdout).toMatch(/^ok +files +3 blobs of 18 bytes were read; all are sound\./m);
    expect(before.code).toBe(0);

    rmSync(pathOf(hashOf(gone)));
    truncateSync(pathOf(hashOf(short)), 3);
    const { code, stdout } = await atelier.cli('doctor', '--verify-blobs', '--json');
    expect(code).toBe(1);
    const { healthy, checks } = JSON.parse(stdout);
    const found = checks.filter(({ about }: { about: string }) => about === 'file');
    expect(healthy).toBe(false);
    expect(found.map(({ says }: { says: string }) => says)).toEqual([
      `#${goneId} "gone.txt", not attached yet: ${hashOf(gone)} is missing.`,
      `#${shortId} "short.txt", of artifact #${id}: ${hashOf(short)} is damaged.`,
    ]);
    expect((await atelier.cli('doctor')).code).toBe(0);
  });
});
