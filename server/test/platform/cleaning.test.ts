import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf, uploadInChunks } from '../fixtures/file.ts';
import { databaseOf } from '../fixtures/project.ts';
import { type Atelier, Caller, startAtelier, startHosted, usuallyOn } from '../harness/atelier.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const twoDays = 2 * 24 * 60 * 60 * 1000;

describe.each(usuallyOn('SQLite'))('cleaning in the background on %s', (engine) => {
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
    await atelier.server.end();
    // Those that the ended process had claimed and not done are taken over by themselves.
    await atelier.sql('update job set due_at = 0');
    const other = processes === 2 ? await startHosted(atelier.instance.environment) : undefined;
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
    expect((await again.get('/artifact_temporary_files')).headers.get('x-disk-usage')).toBe('100');
  });

  /** A file whose time is over, which only the job that removes such files will touch. */
  async function leaveExpired(): Promise<string> {
    const bytes = randomBytes(100);
    const id = await uploadInChunks(atelier.admin, bytes);
    await atelier.sql(`update attachment set expires_at = 1 where id = ${id}`);
    return pathOf(bytes);
  }

  /** Starts the service on jobs as somebody else left them, and waits for a file to be removed. */
  async function removedAfter(state: string): Promise<void> {
    const path = await leaveExpired();
    await atelier.server.end();
    await atelier.sql(`update job set ${state}`);
    await atelier.restart();
    while (existsSync(path)) await pause(20);
  }

  const nextDay = () => Date.now() + 86_400_000;
  const soon = () => Date.now() + 40_000;

  test('takes over at once what a process of this machine had claimed that was killed', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await removedAfter(`due_at = 0, holder = '${hostname()} ${pid} x', held_until = ${soon()}`);
  });

  test('takes over what somebody elsewhere had claimed and said nothing of for long', async () => {
    await removedAfter(`due_at = ${nextDay()}, holder = 'elsewhere 1 x', held_until = ${Date.now() - 1}`);
  });

  test('leaves alone what somebody elsewhere works on, until their time is over', async () => {
    const path = await leaveExpired();
    await atelier.server.end();
    await atelier.sql(`update job set due_at = 0, holder = 'elsewhere 1 x', held_until = ${soon()}`);
    await atelier.restart();
    const { stdout } = await atelier.cli('doctor');
    expect(stdout).not.toBe('');
    expect(existsSync(path)).toBe(true);
    await atelier.sql('update job set held_until = 1');
    while (existsSync(path)) await pause(20);
  });

  test('waits for no job, claim or removal that was due before the clock was set back', async () => {
    await removedAfter(`holder = null, due_at = ${nextDay()}`);
    await removedAfter(`holder = 'elsewhere 1 x', due_at = 0, held_until = ${nextDay()}`);
    const path = await leaveExpired();
    await atelier.server.end();
    const hash = path.slice(path.lastIndexOf('/') + 1);
    await atelier.sql(
      `update blob set released_at = 1, removing_at = ${nextDay()} where hash = '${hash}'; update job set due_at = 0`,
    );
    await atelier.restart();
    while (existsSync(path)) await pause(20);
  });
});
