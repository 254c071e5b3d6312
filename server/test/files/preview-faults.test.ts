import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSmall } from '../../src/files/preview-maker.ts';
import { entryOf, readArtifact, submit } from '../fixtures/artifact.ts';
import { createWorkplace, keyOf, send, uploadInChunks, type Workplace } from '../fixtures/file.ts';
import { until } from '../fixtures/notify.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The process that started a process, by what Linux tells; 0 for one that is gone. */
const parentOf = (pid: number) => Number(/^PPid:\s*(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

function isBelow(pid: number, ancestor: number): boolean {
  const parent = parentOf(pid);
  return parent === ancestor || (parent > 1 && isBelow(parent, ancestor));
}

/** The program that makes a preview for a server, while it runs. */
const helperOf = (server: number) =>
  readdirSync('/proc')
    .map(Number)
    .find(
      (pid) => pid > 0 && read(`/proc/${pid}/cmdline`).includes('preview-process') && isBelow(pid, server),
    );

const engines = oneEngine('SQLite', 'previews are made by a program that knows of no database');

describe.skipIf(process.platform !== 'linux').each(engines)('previews on %s', (engine) => {
  let atelier: Atelier;
  let place: Workplace;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { isAlone: true });
    place = await createWorkplace(atelier);
  });
  afterAll(() => atelier?.stop());

  test('whose program was killed are refused for now, with a line in the log, and made the next time', async () => {
    const { alice, files, tracker } = place;
    const bytes = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#2f6f4f' } })
      .png()
      .toBuffer();
    const id = await uploadInChunks(alice, bytes, { name: 'p.png', mimetype: 'image/png' });
    const artifact = await submit(alice, tracker, [{ field_id: files, value: [id] }]);
    const [file] = entryOf(await readArtifact(alice, artifact), files).file_descriptions;
    const get = () => send(`${atelier.url}${file.html_preview_url}`, 'GET', keyOf(alice));
    const server = atelier.server.child.pid ?? 0;
    const first = get();
    let helper: number | undefined;
    await until(() => {
      helper = helperOf(server);
      return helper !== undefined;
    });
    process.kill(helper ?? 0, 'SIGKILL');
    const refused = await first;
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    await until(() => atelier.server.output().includes('It ended with SIGKILL'));
    expect((await get()).status).toBe(200);
  });
});

test.skipIf(process.platform !== 'linux')(
  'a program that was killed before it got the picture is told as such',
  async () => {
    const open = async () => {
      const helper = helperOf(process.pid) ?? 0;
      process.kill(helper, 'SIGKILL');
      await until(() => parentOf(helper) === 0);
      return Object.assign(Readable.from([Buffer.alloc(1000)]), { close: async () => {} });
    };
    await expect(makeSmall(open)).rejects.toMatchObject({ kind: 'unavailable', extras: { retryAfter: 5 } });
  },
);

test('a preview for which no program can be started leaves no file open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-preview-'));
  try {
    const script = fileURLToPath(new URL('../harness/preview-without-room.ts', import.meta.url));
    const node = [process.execPath, '--expose-gc', script, folder];
    const { stdout } = await promisify(execFile)('/bin/sh', [
      '-c',
      'ulimit -n 100 && exec "$@"',
      'sh',
      ...node,
    ]);
    expect(stdout).toBe('unavailable\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
