import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstance, type Instance, runCommand, runProcess } from '../harness/atelier.ts';
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

test('upgrade leaves a data folder alone that was restored half', async () => {
  const instance = await createInstance('SQLite');
  writeFileSync(join(instance.folder, 'restore-unfinished'), '');
  for (const args of [['upgrade'], ['upgrade', '--check']])
    expectRefusal(await runCommand(instance.environment, args), 'is under way or was cut off');
  await instance.remove();
});
