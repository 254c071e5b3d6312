import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createInstance, engines, type Instance, runCommand, runProcess } from '../harness/atelier.ts';
import { expectRefusal } from './replies.ts';

async function onStored(instance: Instance, sql: string): Promise<void> {
  const connectionString = instance.environment['ATELIER_DATABASE_URL'];
  if (connectionString === undefined) {
    const database = new DatabaseSync(join(instance.folder, 'atelier.sqlite'));
    database.exec(sql);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

describe.each(engines)('the command line on stored data of %s that it cannot use', (engine) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await createInstance(engine);
  });
  afterAll(() => instance.remove());
  const run = (...args: string[]) => runCommand(instance.environment, args);

  test('data of a newer version is left alone', async () => {
    await onStored(instance, "insert into migration (id, name, applied_at) values (9999, 'future', 0)");
    for (const args of [['user', 'list'], ['config', 'set', 'access_mode', 'regular'], ['serve']])
      expectRefusal(await run(...args), /newer version.*9999/);
    const { code, stdout } = await run('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^problem +database +.*newer version/m);
    await onStored(instance, 'delete from migration where id = 9999');
    expect((await run('config', 'get', 'access_mode')).stdout).toBe('anonymous\n');
  });

  test('data of an older version waits for the service to bring it up to date', async () => {
    const newest = '(select max(id) from migration)';
    await onStored(instance, `update migration set id = -id where id = ${newest}`);
    for (const args of [
      ['user', 'list'],
      ['config', 'set', 'access_mode', 'regular'],
    ])
      expectRefusal(await run(...args), /written by an older version.*atelier serve/);
    await onStored(instance, 'update migration set id = -id where id < 0');
    expect((await run('config', 'get', 'access_mode')).stdout).toBe('anonymous\n');
  });
});

describe.each(engines)('a process of its own on %s', (engine) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await createInstance(engine);
  });
  afterAll(() => instance.remove());

  test.for([
    { args: ['user', 'list', '--json'], code: 0 },
    { args: ['user', 'set', 'admin', '--password-stdin'], input: 'another-password\n', code: 0 },
    { args: ['key', 'delete', 'admin', '7'], code: 1 },
    { args: ['user', 'set', 'admin', '--password-stdin'], input: 'short\n', code: 1 },
    { args: ['doctor', '--data', '/dev/null'], code: 1 },
    { args: ['user', 'creat', 'ines'], code: 2 },
    { args: ['user'], code: 2 },
  ])('says and answers what tests hear from one that they share: $args', async ({ args, input, code }) => {
    const alone = await runProcess(instance.environment, args, input);
    expect(alone.code).toBe(code);
    expect(await runCommand(instance.environment, args, input)).toEqual(alone);
  });
});

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...args: string[]) => runCommand({ ATELIER_DATA: folder }, args);

  test('on a folder where nothing ever ran, every command says how to start and makes nothing', async () => {
    const commands = [
      'user list',
      'user create ines',
      'key list ines',
      'group list',
      'permission list',
      'config list',
      'project list',
      'project-field list',
    ];
    for (const command of commands) expectRefusal(await run(...command.split(' ')), 'atelier serve');
    const missing = join(folder, 'not', 'there');
    expectRefusal(await run('--data', missing, 'user', 'list'), missing);
    const { code, stdout } = await run('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning +database .*atelier serve/m);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('on a PostgreSQL database where nothing ever ran, or that is away, a command says so', async () => {
    const ATELIER_DATABASE_URL = `${inject('prepared').postgresUrl}postgres`;
    expectRefusal(await runCommand({ ATELIER_DATABASE_URL }, ['user', 'list']), 'atelier serve');
    const away = { ATELIER_DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/x', ATELIER_DATA: folder };
    expectRefusal(await runCommand(away, ['user', 'list']), /cannot be reached.*127\.0\.0\.1:1/);
    const { code, stdout } = await runCommand(away, ['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^problem +database .*127\.0\.0\.1:1/m);
    expect(stdout).not.toContain('secret');
  });

  test('--data wins over the environment, before and after the command', async () => {
    const instance = await createInstance('SQLite');
    for (const args of [
      ['--data', instance.folder, 'user', 'list'],
      ['user', 'list', '--data', instance.folder],
    ])
      expect((await run(...args)).stdout).toContain('admin@localhost');
    expectRefusal(await run('--data', '', 'user', 'list'), '--data', 2);
    await instance.remove();
  });

  test('a wrong environment is told with every fault in it', async () => {
    const environment = {
      ATELIER_PORT: 'many',
      ATELIER_LOG_LEVEL: 'loud',
      ATELIER_DATABASE_URL: 'mysql://x:secret@y',
    };
    for (const args of [['user', 'list'], ['serve']]) {
      const { code, stdout, stderr } = await runCommand(environment, args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      for (const name of Object.keys(environment)) expect(stderr).toContain(name);
      expect(stderr).not.toMatch(/secret|^\s+at /m);
    }
    const { code, stdout } = await runCommand(environment, ['doctor', '--json']);
    expect(code).toBe(1);
    const problems = JSON.parse(stdout).checks.filter(({ state }: { state: string }) => state === 'problem');
    expect(problems).toHaveLength(3);
  });

  test('doctor finds a damaged file, a folder that is none, and mail that goes nowhere', async () => {
    const instance = await createInstance('SQLite');
    const file = openSync(join(instance.folder, 'atelier.sqlite'), 'r+');
    for (let page = 2; page < 12; page++) writeSync(file, Buffer.alloc(2000, 0xff), 0, 2000, page * 4096);
    closeSync(file);
    const damaged = await runCommand(
      { ...instance.environment, ATELIER_SMTP_URL: 'smtp://me:secret@127.0.0.1:1' },
      ['doctor'],
    );
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toMatch(/^problem +database +/m);
    expect(damaged.stdout).toMatch(/^problem +mail +127\.0\.0\.1:1 cannot be reached/m);
    expect(damaged.stdout + damaged.stderr).not.toMatch(/secret|^\s+at /m);
    await instance.remove();
    const file2 = join(folder, 'file');
    writeFileSync(file2, '');
    const { code, stdout } = await run('doctor', '--data', file2);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^problem +data folder +.*not a folder/m);
    rmSync(file2);
  });

  test('wrong usage ends with code 2 and one line', async () => {
    expectRefusal(await run('frobnicate'), "unknown command 'frobnicate'", 2);
    expectRefusal(await run('user', 'creat', 'ines'), 'create', 2);
    expectRefusal(await run('user', 'create'), 'name', 2);
    expectRefusal(await run('user', 'list', 'ines'), 'too many arguments', 2);
    expectRefusal(await run('user', 'create', 'ines', '--frob'), '--frob', 2);
    expectRefusal(
      await run('user', 'create', 'ines', '--status', 'dead'),
      'active, restricted, suspended',
      2,
    );
    expectRefusal(
      await run('user', 'create', 'ines', '--password', 'x', '--password-stdin'),
      '--password',
      2,
    );
    expectRefusal(await run('key', 'delete', 'ines', 'first'), 'whole number', 2);
    expectRefusal(await run('serve', '--port', '99999'), '65535', 2);
    for (const args of [[], ['user']]) {
      const { code, stdout, stderr } = await run(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Usage: atelier/);
    }
  });

  test('changing nothing, and an empty password, are wrong usage', async () => {
    const instance = await createInstance('SQLite');
    const on = (input: string, ...args: string[]) => runCommand(instance.environment, args, input);
    expectRefusal(await on('', 'user', 'set', 'admin'), 'nothing to change', 2);
    expectRefusal(await on('\n', 'user', 'set', 'admin', '--password-stdin'), 'empty', 2);
    await instance.remove();
  });

  test('whatever path or address cannot be used is told in words', async () => {
    const instance = await createInstance('SQLite');
    const on = (...args: string[]) => runCommand(instance.environment, args);
    const missing = join(folder, 'missing');
    const file = join(folder, 'plain-file');
    writeFileSync(file, '# no keys\n');
    const noFolder = `There is no folder ${missing}`;
    for (const [words, ...args] of [
      ['There is no such file or folder', 'import', missing, '--automap', 'no-email,create:A'],
      ['not a zip file', 'import', file, '--automap', 'no-email,create:A'],
      ['there is no such file or folder', 'import', folder, '--user-map', missing],
      ['it is a folder', 'import', folder, '--user-map', folder],
      [noFolder, 'export', 'admin-project', '--out', join(missing, 'x.zip')],
      ['there is a file of that name already', 'export', 'admin-project', '--out', file],
      ['there is no such file or folder', 'ssh-key', 'add', 'admin', missing],
      ['it is a folder', 'ssh-key', 'add', 'admin', folder],
      ['There is no key in', 'ssh-key', 'add', 'admin', file],
      ['a file of that name', '--data', file, 'user', 'list'],
      ['a part of that path is a file', '--data', join(file, 'x'), 'serve'],
      ['this machine has no such address', 'serve', '--host', '192.0.2.1'],
      ['', 'backup', join(file, 'x')],
      ['', 'backup', '--verify', missing],
      ['', 'restore', missing, '--data', join(folder, 'new')],
    ] as const) {
      const result = await on(...args);
      expectRefusal(result, words);
      expect(result.stderr, args.join(' ')).not.toMatch(/\bE[A-Z]{4,}\b/);
    }
    rmSync(file);
    await instance.remove();
  });

  test('a stack is shown only to those who ask for it', async () => {
    expect((await run('user', 'list')).stderr).not.toMatch(/^\s+at /m);
    const debugging = { ATELIER_DATA: folder, ATELIER_DEBUG: '1' };
    expect((await runCommand(debugging, ['user', 'list'])).stderr).toMatch(/^\s+at /m);
  });

  test('completion prints a script for a shell that it knows', async () => {
    const { code, stdout } = await run('completion', 'bash');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# Completes atelier in bash/);
    expect(stdout).toMatch(/\ncomplete -F _atelier atelier\n$/);
    expectRefusal(await run('completion', 'tcsh'), 'bash, zsh, fish', 2);
  });

  test('--version prints the version', async () => {
    const { code, stdout } = await run('--version');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

/** Tells on standard error what is loaded: modules, scripts as they are read, and parts of Node. */
const tracing = `import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
const tell = (name) => process.stderr.write(name + '\\n');
registerHooks({ resolve(name, context, next) { const found = next(name, context); tell(found.url); return found; } });
const read = fs.readFileSync;
fs.readFileSync = (file, ...how) => { if (typeof file === 'string') tell(pathToFileURL(file).href); return read(file, ...how); };
syncBuiltinESMExports();
process.on('exit', () => tell(process.moduleLoadList.join('\\n')));`;

/** What was loaded, and what parts of the bundle name as the files that they were made of. */
function modulesLoaded(urls: string): string {
  const parts = [...urls.matchAll(/^file:.*\/server\/\.cache\/.*\.js$/gm)].map(([url]) => url);
  const regions = parts.flatMap(
    (url) => readFileSync(new URL(url), 'utf8').match(/^\/\/#region .*$/gm) ?? [],
  );
  return [urls, ...regions].join('\n');
}

describe('help', () => {
  const help = (...args: string[]) => runCommand({}, [...args, '--help']);

  test('of a group is had by every way of asking, with examples of its commands', async () => {
    const { code, stdout, stderr } = await help('ssh-key');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Examples:\n {2}\$ atelier ssh-key list ines\n {2}\$ atelier ssh-key add /);
    expect((await runCommand({}, ['help', 'ssh-key'])).stdout).toBe(stdout);
    const { stdout: ofOne } = await help('ssh-key', 'add');
    expect(ofOne).toContain('Usage: atelier ssh-key add');
    expect((await runCommand({}, ['help', 'ssh-key', 'add'])).stdout).toBe(ofOne);
    for (const names of [['nope'], ['ssh-key', 'nope'], ['ssh-key', 'add', 'nope']])
      expect(await runCommand({}, ['help', ...names])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `atelier: There is no command ${names.join(' ')}.\n`,
      });
    expect((await help()).stdout).toContain('Exit codes: 0 done, 1 refused or failed, 2 wrong usage.');
  });

  test('it loads neither the web server nor the database', async () => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tracing)}`;
    for (const args of [
      ['--help'],
      ['user', 'create', '--help'],
      ['serve', '--help'],
      ['doctor', '--help'],
    ]) {
      const { code, stderr } = await runCommand({ NODE_OPTIONS }, args);
      expect(code).toBe(0);
      const loaded = modulesLoaded(stderr);
      expect(loaded).toContain('node_modules/commander/');
      expect(loaded).toContain('NativeModule fs\n');
      expect(loaded).not.toMatch(/node_modules\/(fastify|kysely|pg|typebox)\/|NativeModule sqlite/);
    }
  });

  test('that of serve names every variable of the environment', async () => {
    const source = readFileSync(new URL('../../src/kernel/config.ts', import.meta.url), 'utf8');
    const names = new Set(source.match(/ATELIER_[A-Z0-9_]+/g));
    const { stdout } = await help('serve');
    expect([...names].filter((name) => !stdout.includes(name))).toEqual([]);
    expect(names.size).toBeGreaterThan(10);
  });

  test('that of --password warns of the list of processes', async () => {
    expect((await help('user', 'create')).stdout.replace(/\s+/g, ' ')).toContain('list of processes');
  });
});
