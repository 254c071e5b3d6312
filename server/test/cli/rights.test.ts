import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstance, type Instance, runCommand, runProcess, startServer } from '../harness/atelier.ts';
import { expectRefusal } from './replies.ts';

/** Root may look everywhere, unless it gives that up before. */
const isRoot = process.getuid?.() === 0;
const givingUp = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];
const canRun = !isRoot || spawnSync('setpriv', [...givingUp.slice(1), 'true']).status === 0;

const withoutRights = ({ environment }: Instance, ...args: string[]) =>
  runProcess(environment, args, '', isRoot ? givingUp : []);

describe.skipIf(!canRun)('a command whose user may not look into a place', () => {
  let instance: Instance;
  let shut: string;
  beforeAll(async () => {
    instance = await createInstance('SQLite');
    shut = join(instance.folder, 'shut');
    mkdirSync(shut);
    writeFileSync(join(shut, 'garden.zip'), '');
  });
  afterAll(() => instance.remove());

  /** Does something while a folder lets nobody in. */
  async function whileShut<T>(folder: string, work: () => Promise<T>, mode = 0): Promise<T> {
    chmodSync(folder, mode);
    return work().finally(() => chmodSync(folder, 0o700));
  }

  test('says so of the data folder, and never that nothing is stored there', async () => {
    const { folder } = instance;
    for (const args of [
      ['user', 'list'],
      ['backup', join(folder, '..', 'unused')],
      ['upgrade', '--check'],
    ]) {
      const refused = await whileShut(folder, () => withoutRights(instance, ...args));
      expectRefusal(refused, 'atelier.sqlite: this user may not use it');
    }
    const told = await whileShut(folder, () => withoutRights(instance, 'doctor'));
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(/problem +database +It cannot be read: \S+: this user may not use it\./);
    expect(told.stdout).not.toContain('nothing stored yet');
    const database = join(folder, 'atelier.sqlite');
    const readOnly = await whileShut(database, () => withoutRights(instance, 'doctor'), 0o400);
    expect([readOnly.code, readOnly.stdout]).toEqual([
      1,
      expect.stringContaining(`${database} cannot be written to. Give it to the user that runs the service.`),
    ]);
  });

  test('says so of an archive that is to be imported', async () => {
    const path = join(shut, 'garden.zip');
    const refused = await whileShut(shut, () =>
      withoutRights(instance, 'import', path, '--automap', 'no-email,create:A'),
    );
    expectRefusal(refused, `${path}: It cannot be read: this user may not use it.`);
  });

  test('says so of backups, and removes nothing of those that it cannot list', async () => {
    const place = `${instance.folder}-backup`;
    const lists = join(place, 'backups');
    expect((await runCommand(instance.environment, ['backup', place])).code).toBe(0);
    const words = 'cannot be read: this user may not use it.';
    const verify = () => withoutRights(instance, 'backup', '--verify', place);
    expectRefusal(await whileShut(place, verify), words);
    expectRefusal(
      await whileShut(lists, () => withoutRights(instance, 'restore', place, '--data', join(shut, 'new'))),
      words,
    );
    const before = readdirSync(join(place, 'objects'));
    await whileShut(lists, () => withoutRights(instance, 'backup', place), 0o300);
    expect(readdirSync(join(place, 'objects'))).toEqual(expect.arrayContaining(before));
    expect((await runCommand(instance.environment, ['backup', '--verify', place])).code).toBe(0);
    rmSync(place, { recursive: true });
  });

  test('makes no backup that lacks what it may not look at', async () => {
    const imports = join(instance.folder, 'imports');
    const place = `${instance.folder}-partial`;
    mkdirSync(imports);
    writeFileSync(join(imports, '1-ids.csv'), 'old,new');
    const backup = () => withoutRights(instance, 'backup', place);
    expectRefusal(await whileShut(imports, backup), `${imports}: this user may not use it`);
    expect((await backup()).code).toBe(0);
    rmSync(place, { recursive: true });
  });
});

/** Whom no service runs as, but for those of tests. */
const nobody = 65_534;
const code = fileURLToPath(new URL('../../..', import.meta.url));
const mayRunHere = () =>
  spawnSync('setpriv', [`--reuid=${nobody}`, '--clear-groups', 'test', '-r', join(code, 'package.json')])
    .status === 0;

describe.runIf(isRoot && mayRunHere())('commands of root beside a service of another user', () => {
  let instance: Instance;
  const shelf = mkdtempSync(join(tmpdir(), 'atelier-shelf-'));
  const everything = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const ofOthers = (folder = instance.folder) =>
    everything(folder).filter((path) => lstatSync(path).uid !== nobody);
  const run = (...args: string[]) => runProcess(instance.environment, args);
  beforeAll(async () => {
    const made = await createInstance('SQLite');
    // That user must get there.
    const folder = join(shelf, 'data');
    cpSync(made.folder, folder, { recursive: true });
    await made.remove();
    instance = { ...made, folder, environment: { ...made.environment, ATELIER_DATA: folder } };
    for (const path of [folder, ...everything(folder)]) chownSync(path, nobody, nobody);
    chmodSync(shelf, 0o755);
  });
  afterAll(() => rmSync(shelf, { recursive: true, force: true }));

  test('leave nothing that the service cannot use, and reach all that is its own', async () => {
    const demo = join(code, 'server', 'demo');
    const imported = await run('import', demo, '--automap', 'no-email,create:A');
    expect(imported.code, imported.stderr).toBe(0);
    expect(ofOthers()).toEqual([]);
    const saved = await run('backup', join(shelf, 'backup'));
    expect(saved.code, saved.stderr).toBe(0);
    const exported = await run('export', 'lighthouse', '--out', join(shelf, 'lighthouse.zip'));
    expect(exported.code, exported.stderr).toBe(0);
    expect(ofOthers()).toEqual([]);
    expect(readdirSync(instance.folder)).toContain('last-backup.json');
    const made = join(shelf, 'new');
    mkdirSync(made);
    chownSync(made, nobody, nobody);
    const restored = await run('restore', join(shelf, 'backup'), '--data', made);
    expect(restored.code, restored.stderr).toBe(0);
    expect(ofOthers(made)).toEqual([]);
  });

  test('are told from the service, which says that it should not be root', async () => {
    const server = await startServer(instance.environment);
    expect(server.output()).toContain(`the data in ${instance.folder} belong to another user`);
    expect(await server.end()).toBe(0);
  });

  test('say whose rights they have where those do not reach', async () => {
    const path = join(shelf, 'garden.zip');
    writeFileSync(path, '', { mode: 0o600 });
    expectRefusal(
      await run('import', path, '--automap', 'no-email,create:A'),
      `${path}: this user may not use it. Root works as the user to whom the data belong, who must be let in.`,
    );
  });
});

test('upgrade leaves a data folder alone that was restored half', async () => {
  const instance = await createInstance('SQLite');
  writeFileSync(join(instance.folder, 'restore-unfinished'), '');
  for (const args of [['upgrade'], ['upgrade', '--check']])
    expectRefusal(await runCommand(instance.environment, args), 'is under way or was cut off');
  await instance.remove();
});
