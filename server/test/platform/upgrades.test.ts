import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstReleasedSchema, newestSchema, openDatabase, storedSchema } from '../../src/storage/index.ts';
import { applyMigrations } from '../../src/storage/migrate.ts';
import { lacksSubversion } from '../fixtures/svn.ts';
import {
  type Atelier,
  createEmptyInstance,
  engines,
  type Instance,
  runCommand,
  startAtelier,
} from '../harness/atelier.ts';

/**
 * What earlier versions left: a backup of the demo with a file and a comment, and what that version answered then. A new one is made with
 * `atelier backup` before a release, and never changed again.
 */
const fixtures = fileURLToPath(new URL('../fixtures/upgrades/', import.meta.url));
const versions = readdirSync(fixtures)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

/** The key of its administrator, who exists nowhere else. */
const key = 'tlp-k1-1.041957330296d09f3fc1b39910a845dbb106df3ccdad57a53234b0348d4aedab';

test('every release of the changelog has left its data here', () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
  expect(released).not.toEqual([]);
  expect(versions).toEqual(expect.arrayContaining(released));
});

describe.each(engines)('data of earlier versions on %s', (engine) => {
  describe.each(versions)('%s', (version) => {
    const answers: Record<string, unknown> = JSON.parse(
      readFileSync(join(fixtures, `${version}.json`), 'utf8'),
    );
    let atelier: Atelier;
    beforeAll(async () => {
      const shelf = mkdtempSync(join(tmpdir(), 'atelier-shelf-'));
      const backup = join(shelf, 'backup.tar');
      writeFileSync(backup, gunzipSync(readFileSync(join(fixtures, `${version}.tar.gz`))));
      const instance = await createEmptyInstance(engine);
      const restored = await runCommand(instance.environment, ['restore', backup]);
      rmSync(shelf, { recursive: true });
      expect(restored.code, restored.stderr).toBe(0);
      // Answers name the address and the offset of that time.
      const env = { ATELIER_PUBLIC_URL: 'http://localhost:18411', TZ: 'UTC' };
      atelier = await startAtelier(engine, { instance, env });
    });
    afterAll(() => atelier.stop());

    // Logs are read by Subversion.
    const asked = Object.keys(answers).filter((path) => !(lacksSubversion && path.endsWith('/log')));
    test.each(asked)('is answered as then: %s', async (path) => {
      const caller = atelier.callerWith({ 'X-Auth-AccessKey': key });
      const { status, body } = await caller.get(`/${path}`);
      expect(status).toBe(200);
      expect(body).toMatchObject(answers[path] as object);
    });

    test('can be searched and changed', async () => {
      const caller = atelier.callerWith({ 'X-Auth-AccessKey': key });
      const query = encodeURIComponent(`summary = "power cut"`);
      const found = await caller.get(`/trackers/5/artifacts?expert_query=${query}`);
      expect(found.body.map(({ id }: { id: number }) => id)).toEqual([141, 161, 181]);
      const comment = { body: 'Still there.', format: 'text' };
      const changed = await caller.put('/artifacts/141', { values: [], comment });
      expect(changed.status, changed.text).toBe(200);
      const file = await caller.get('/artifact_files/22');
      expect(Buffer.from(file.body.data, 'base64').toString()).toBe(
        'The log of the night in which it went dark.\n',
      );
    });
  });
});

describe.each(engines)('a backup of what an earlier version stored, on %s', (engine) => {
  test('is made before it is brought up to date, and restored by this version', async () => {
    const [instance, other] = [await createEmptyInstance(engine), await createEmptyInstance(engine)];
    const openOf = ({ environment, folder }: Instance) =>
      openDatabase({ folder, databaseUrl: environment['ATELIER_DATABASE_URL'], connections: 1 });
    const database = await openOf(instance);
    await database.exclusiveTransaction(async (transaction, session) => {
      await applyMigrations(transaction, session, database.capabilities, firstReleasedSchema);
      await transaction.insertMany('setting', ['name', 'value'], [['access_mode', 'regular']]);
    });
    const shelf = mkdtempSync(join(tmpdir(), 'atelier-shelf-'));
    const check = () => runCommand(instance.environment, ['upgrade', '--check']);
    expect((await check()).stdout).toContain('Make one first with `atelier backup FOLDER`');
    const made = await runCommand(instance.environment, ['backup', shelf]);
    expect(made.code, made.stderr).toBe(0);
    expect(await storedSchema(database)).toBe(firstReleasedSchema);
    await database.close();
    expect((await check()).code).toBe(0);
    expect((await runCommand(instance.environment, ['user', 'list'])).stderr).toContain(
      '`atelier backup` copies it as it is.',
    );
    const restored = await runCommand(other.environment, ['restore', shelf]);
    expect(restored.code, restored.stderr).toBe(0);
    const copy = await openOf(other);
    expect(await storedSchema(copy)).toBe(newestSchema);
    expect(await copy.all(copy.sql.selectFrom('setting').select(['name', 'value']))).toContainEqual({
      name: 'access_mode',
      value: 'regular',
    });
    await copy.close();
    rmSync(shelf, { recursive: true });
    await Promise.all([instance.remove(), other.remove()]);
  });
});

describe.each(engines)('atelier upgrade on %s', (engine) => {
  const old = 15;
  let instance: Instance;
  beforeAll(async () => {
    instance = await createEmptyInstance(engine);
    const { environment, folder } = instance;
    const databaseUrl = environment['ATELIER_DATABASE_URL'];
    const database = await openDatabase({ folder, databaseUrl, connections: 1 });
    await database.exclusiveTransaction(async (transaction, session) => {
      await applyMigrations(transaction, session, database.capabilities, old);
      const numbers = [...Array(120_000).keys()];
      await transaction.insertMany(
        'summed_name',
        ['name', 'build', 'is_ready'],
        numbers.map((number) => [`effort ${number}`, 1, 1]),
      );
    });
    await database.close();
  });
  afterAll(() => instance.remove());

  const upgrade = (...options: string[]) => runCommand(instance.environment, ['upgrade', ...options]);

  test('tells before there is anything that there is nothing to upgrade', async () => {
    const empty = await createEmptyInstance(engine);
    const { code, stderr } = await runCommand(empty.environment, ['upgrade', '--check']);
    await empty.remove();
    expect(code).toBe(1);
    const place = engine === 'SQLite' ? empty.folder : 'the database of ATELIER_DATABASE_URL';
    expect(stderr).toMatch(new RegExp(`^atelier: There is nothing to upgrade in ${place} yet: .*\n$`));
  });

  test('tells what would be changed, changes it, and then that all is up to date', async () => {
    const without = await upgrade('--check');
    expect(without.code, without.stderr).toBe(1);
    expect(without.stdout).toMatch(/^16 +sums by trackers +summed_name \(120,000\) +2 s$/m);
    expect(without.stdout).toMatch(/^24 +favorites +at once$/m);
    expect(without.stdout).toContain(`From schema ${old} to ${newestSchema}, all or nothing, in about `);
    expect(without.stdout).toContain('No backup was made yet.');

    const note = join(instance.folder, 'last-backup.json');
    const write = (madeAt: number) =>
      writeFileSync(note, JSON.stringify({ madeAt, bytes: 1, place: '/backup' }));
    write(Date.now() - 25 * 3_600_000);
    expect((await upgrade('--check')).stdout).toContain('Make a new one first: there is no way down.');
    write(Date.now());
    const asked = await upgrade('--check', '--json');
    expect(asked.code).toBe(0);
    const told = JSON.parse(asked.stdout);
    expect(told).toMatchObject({ schema: old, newest_schema: newestSchema, is_backup_recent: true });
    expect(told.migrations.map(({ id }: { id: number }) => id)).toEqual(
      [...Array(newestSchema - old).keys()].map((index) => old + 1 + index),
    );

    const done = await upgrade();
    expect(done.stdout).toBe(
      `${newestSchema - old} changes were made. The stored data has schema ${newestSchema} now.\n`,
    );
    const after = await upgrade('--check');
    expect(after).toMatchObject({ code: 0, stderr: '' });
    expect(after.stdout).toBe(
      `The stored data is up to date: schema ${newestSchema}. There is nothing to do.\n`,
    );
    expect((await upgrade()).stdout).toBe(`The stored data was up to date: schema ${newestSchema}.\n`);
  });
});
