import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformBackups } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyBackup } from '../../src/backup/index.ts';
import { createProject } from '../fixtures/project.ts';
import { createRepository, lacksSubversion } from '../fixtures/svn.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

const engines = oneEngine('PostgreSQL', 'what a backup holds is in backup.test.ts, on both');

describe.each(engines)('a backup that is started from the service on %s', (engine) => {
  let atelier: Atelier;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atelier-backups-'));
    atelier = await startAtelier(engine, { env: { ATELIER_BACKUP_FOLDER: folder } });
  });
  afterAll(async () => {
    await atelier.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const ended = () =>
    eventually(async () => {
      const { body } = await atelier.admin.get('/platform/backups');
      expect(body.run.state).not.toBe('running');
      return body;
    });

  test('18.11 is made in the folder of the service, one at a time, and is written to the log', async () => {
    const { body: before } = await atelier.admin.get('/platform/backups');
    expect(before).toEqual({ folder, kept: 7, run: null });
    const replies = await Promise.all([1, 2, 3].map(() => atelier.admin.post('/platform/backups', {})));
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    const started = replies.find(({ status }) => status === 202)?.body;
    expect(Check(PlatformBackups, started)).toBe(true);
    expect(started.run).toMatchObject({ state: 'running', place: folder, started_by: { username: 'admin' } });

    const body = await ended();
    expect(body.run).toMatchObject({ state: 'done', fault: null, outcome: { missing: [], faults: [] } });
    const verified = await verifyBackup(folder, () => {});
    expect(verified).toMatchObject({ backups: 1, faults: [], files: body.run.outcome.files });
    const { body: health } = await atelier.admin.get('/platform/health');
    expect(health.last_backup === null || health.last_backup.place === folder).toBe(true);
    const { body: events } = await atelier.admin.get('/platform/events?kind=backup_start');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ subject: folder, user: { username: 'admin' } });
  });

  test('that cannot be made says why, and the next one can be started', async () => {
    writeFileSync(join(folder, 'something-else'), '');
    expect((await atelier.admin.post('/platform/backups', {})).status).toBe(202);
    expect((await ended()).run).toMatchObject({ state: 'failed', outcome: null });
    expect((await ended()).run.fault).toContain('something-else');
    rmSync(join(folder, 'something-else'));
    expect((await atelier.admin.post('/platform/backups', {})).status).toBe(202);
    expect((await ended()).run.state).toBe('done');
  });

  test.skipIf(lacksSubversion)(
    'removes the copy of a repository at which one before it was cut off',
    async () => {
      await createRepository(atelier.admin, (await createProject(atelier.admin, 'twice')).id, 'copied');
      const make = async () => {
        expect((await atelier.admin.post('/platform/backups', {})).status).toBe(202);
        expect((await ended()).run.state).toBe('done');
      };
      await make();
      const { pid } = spawnSync('true');
      const name = `.work.${hostname().replace(/[^A-Za-z0-9-]/g, '_')}.${pid}.0a0b0c0d.${randomUUID()}.copy`;
      const left = join(atelier.instance.folder, 'svn_plugin', '.server', name);
      mkdirSync(join(left, 'db'), { recursive: true });
      await make();
      expect(existsSync(left)).toBe(false);
    },
  );

  test('whose folder is none is told by the health page, until it is one again', async () => {
    const told = async () =>
      (await atelier.admin.get('/platform/health')).body.checks.find(
        ({ name }: { name: string }) => name === 'backup folder',
      );
    expect(await told()).toBeUndefined();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    await eventually(async () =>
      expect(await told()).toMatchObject({
        ...{ state: 'fault', code: 'backup-shut', facts: { folder, reason: 'it is not a folder' } },
        remedy: expect.stringContaining('ATELIER_BACKUP_FOLDER'),
      }),
    );
    rmSync(folder);
    // It is made with the next backup.
    await eventually(async () => expect(await told()).toBeUndefined());
  });

  test('whose process is gone is told as failed', async () => {
    const note = join(atelier.instance.folder, 'started-backup.json');
    const { body } = await atelier.admin.get('/platform/backups');
    expect(body.run.state).toBe('done');
    const { hostname } = await import('node:os');
    const gone = { startedAt: Date.now(), startedBy: 101, place: folder, host: hostname(), pid: 2 ** 22 + 1 };
    const rest = { state: 'running', progress: { stage: 'Files', done: 1, total: 2 }, endedAt: null };
    writeFileSync(note, JSON.stringify({ ...gone, ...rest, fault: null, outcome: null }));
    const { body: after } = await atelier.admin.get('/platform/backups');
    expect(after.run).toMatchObject({ state: 'failed', stage: 'Files', done: 1, total: 2 });
  });

  test('is for site administrators alone', async () => {
    const alice = await atelier.createUser('alice');
    expect((await alice.get('/platform/backups')).status).toBe(403);
    expect((await alice.post('/platform/backups', {})).status).toBe(403);
  });
});

test('without a folder the service says how to set one', async () => {
  const atelier = await startAtelier('SQLite');
  const { status, body } = await atelier.admin.post('/platform/backups', {});
  expect({ status, words: body.error.message }).toMatchObject({
    status: 409,
    words: expect.stringContaining('ATELIER_BACKUP_FOLDER'),
  });
  await atelier.stop();
});

/** A `svnadmin` in a folder of its own, which never comes to an end with a copy, and notes its process. */
function putEndlessSvnadmin(folder: string): string {
  const note = join(folder, 'process');
  const path = join(folder, 'svnadmin');
  const copying = `echo $$ > '${note}'; exec sleep 600`;
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = hotcopy ] && { ${copying}; }\nPATH='${process.env['PATH']}'\nexec svnadmin "$@"\n`,
  );
  // Programs of Subversion run as another user where the tests run as root.
  chmodSync(folder, 0o777);
  chmodSync(path, 0o755);
  return note;
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.skipIf(lacksSubversion).each(engines)('a backup that is cut off by a stop on %s', (engine) => {
  test('leaves no copy of a repository in the making', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-backups-'));
    const programs = mkdtempSync(join(tmpdir(), 'atelier-programs-'));
    const note = putEndlessSvnadmin(programs);
    const env = {
      ...{ ATELIER_BACKUP_FOLDER: folder, ATELIER_DRAIN_SECONDS: '0' },
      PATH: `${programs}:${process.env['PATH']}`,
    };
    const atelier = await startAtelier(engine, { env, isAlone: true });
    const { admin } = atelier;
    await createRepository(admin, (await createProject(admin, 'copying')).id, 'copied');
    expect((await admin.post('/platform/backups', {})).status).toBe(202);
    const copying = await eventually(async () => {
      const pid = Number(readFileSync(note, 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    });
    try {
      expect(isRunning(copying)).toBe(true);
      expect(await atelier.server.end()).toBe(0);
      await eventually(async () => expect(isRunning(copying)).toBe(false));
    } finally {
      if (isRunning(copying)) process.kill(copying, 'SIGKILL');
    }
    await atelier.instance.remove();
    for (const path of [folder, programs]) rmSync(path, { recursive: true, force: true });
  });
});
