import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { endLeftovers, endsWithTests } from '../harness/processes.ts';
import { SmallRegistry } from '../harness/small-registry.ts';
import { leavesRareCases } from '../harness/thorough.ts';

const root = dirname(dirname(dirname(import.meta.dirname)));
/** Where the Node that runs this lies in a clone. */
const binary = relative(root, realpathSync(process.execPath));
/** `npm test` by itself has just set up all that is here, by the npm of this machine. */
const npmVersions = leavesRareCases ? [] : ['9.9.4', '10.9.9', '11.21.1'];
/** Where people test before they start: what that installs is all that a start needs. */
const testedFirst = '10.9.9';
/**
 * Where nobody tests: unpacking all tools takes long. That they are added to what is there is shown for every npm with small packages, and
 * for the newest with all of ours; this one says whether it would install them as they are locked.
 */
const neverTested = '9.9.4';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-set-up-'));
});
afterEach(endLeftovers);

/** The path as it was before npm put our own programs in front of it. */
const pathOfMachine = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((place) => !place.includes('node_modules') && !place.includes('node-gyp'))
  .join(delimiter);

/** As on a machine where nobody has used npm yet, but for the packages that were downloaded already. */
function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = mkdtempSync(join(folder, 'home-'));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|ATELIER_|VITEST|NODE_ENV|NODE_OPTIONS)/i.test(name),
  );
  return {
    ...Object.fromEntries(inherited.map(([name, value]) => [name, value ?? ''])),
    ATELIER_APT: '0',
    ATELIER_PORT: '0',
    PATH: pathOfMachine,
    HOME: home,
    npm_config_cache: packageCache,
    npm_config_registry: registry,
    ...more,
  };
}

function start(command: string, args: readonly string[], cwd: string, env: Record<string, string>) {
  // npm, its shell and what they start are one group.
  const child = endsWithTests(
    spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
    { leadsGroup: true },
  );
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said.stderr += part;
  });
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => ({ code, ...said }));
  return { child, said, ended };
}

const run = (command: string, args: readonly string[], cwd: string, env: Record<string, string>) =>
  start(command, args, cwd, env).ended;

let packageCache: string;
let registry: string;
/** What the npm of this machine was told. */
beforeAll(async () => {
  const env = { ...process.env, PATH: pathOfMachine } as Record<string, string>;
  const args = ['config', 'get', 'cache', 'registry', '--loglevel=error'];
  const { stdout } = await run('npm', args, root, env);
  const settingIn = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(stdout)?.[1] ?? '';
  [packageCache, registry] = [settingIn('cache'), settingIn('registry')];
});

/** The files of a clone, with what is changed here and not committed yet. */
async function freshClone(): Promise<string> {
  const clone = mkdtempSync(join(folder, 'clone-'));
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], root, environment());
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, file), join(clone, file));
  return clone;
}

async function addressIn(service: ReturnType<typeof start>): Promise<string> {
  for (;;) {
    const address = /Atelier serves on (\S+)/.exec(service.said.stdout)?.[1];
    if (address !== undefined) return address;
    await Promise.race([once(service.child.stdout, 'data'), service.ended]);
    if (service.child.exitCode !== null) throw new Error(`npm start ended: ${JSON.stringify(service.said)}`);
  }
}

/** Everything that the set-up hangs on. */
function stampOfSetUp(): string {
  const hash = createHash('sha256').update(JSON.stringify([process.versions, process.platform]));
  const places = [
    'package*.json',
    '.npmrc',
    '*/package.json',
    'scripts/*.*',
    'scripts/libatomic/*/*',
    'server/bin/*',
  ];
  const files = globSync(places, { cwd: root });
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** What passed once passes again, as the type checker does: installations of everything take their time. */
const note = join(root, 'node_modules', '.cache', 'set-up-tested');
const stamp = stampOfSetUp();
const noted = existsSync(note) ? readFileSync(note, 'utf8').split(' ') : [];
const passed = new Set(noted[0] === stamp ? noted.slice(1) : []);
const untested = npmVersions.filter((version) => !passed.has(version));
afterAll(() => {
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, [stamp, ...passed].join(' '));
});

/** Packages of npm bring along all that they need: unpacked, they run. */
let packed: string;
beforeAll(async () => {
  if (untested.length === 0) return;
  packed = mkdtempSync(join(folder, 'packed-'));
  const names = untested.map((version) => `npm@${version}`);
  const args = ['pack', '--pack-destination', packed, '--prefer-offline', '--loglevel=error', ...names];
  expect(await run('npm', args, packed, environment())).toMatchObject({ code: 0 });
});

describe.each(untested)('with npm %s', { timeout: 600_000 }, (version) => {
  let npm: string;
  let clone: string;
  beforeAll(async () => {
    const place = mkdtempSync(join(folder, 'npm-'));
    const args = ['-xzf', join(packed, `npm-${version}.tgz`), '-C', place];
    expect(await run('tar', args, place, environment())).toMatchObject({ code: 0 });
    npm = join(place, 'package', 'bin', 'npm-cli.js');
    clone = await freshClone();
  });
  // Installations of everything, one for each npm, would be much for memory.
  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  async function serve(hasWeb = false) {
    const env = environment({ ATELIER_WEB: hasWeb ? '1' : '0' });
    const service = start('node', [npm, 'start', '--', '--no-demo'], clone, env);
    const address = await addressIn(service);
    expect(service.said.stderr).toBe('');
    return { service, address };
  }

  async function testOneFile() {
    const tested = await run('node', [npm, 'test', '--', 'fair-queue'], clone, environment());
    expect(tested).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\b0 failed/) });
  }

  async function wouldInstallAllLocked() {
    const { packages } = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8'));
    const locked = Object.keys(packages).filter((place) => place.startsWith('node_modules/'));
    const args = [npm, 'ci', '--include=dev', '--dry-run', '--json', '--prefer-offline', '--loglevel=error'];
    const { code, stdout, stderr } = await run('node', args, clone, environment());
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).added).toBe(locked.length);
  }

  test('only what is missing or differs is unpacked, and only as it is locked', async () => {
    const place = mkdtempSync(join(folder, 'small-'));
    const registry = await SmallRegistry.open(place);
    onTestFinished(() => registry.close());
    const small = join(place, 'root');
    for (const part of ['scripts', 'server/bin', '.npmrc'])
      cpSync(join(root, part), join(small, part), { recursive: true });
    const locked = (versions: Readonly<Record<string, string>>) =>
      Object.entries(versions).map(([path, version]) => [
        `node_modules/${path}`,
        { ...registry.locked(path.split('/').at(-1) ?? '', version), dev: path === 'tool' },
      ]);

    /** Installs what the lock says, as on a machine that has downloaded nothing before. */
    async function installed(versions: Readonly<Record<string, string>>, withDevelopment: boolean) {
      const facts = { name: 'small', version: '1.0.0', workspaces: [] };
      const needs = { dependencies: { plain: '*', outer: '*' }, devDependencies: { tool: '*' } };
      const packages = { '': { ...facts, ...needs }, ...Object.fromEntries(locked(versions)) };
      const lock = { ...facts, lockfileVersion: 3, requires: true, packages };
      writeFileSync(join(small, 'package.json'), JSON.stringify({ ...facts, ...needs }));
      writeFileSync(join(small, 'package-lock.json'), JSON.stringify(lock));
      const program = `import { install } from './scripts/install.mjs';
        install(process.cwd(), { withDevelopment: ${withDevelopment} });`;
      const settings = {
        npm_execpath: npm,
        npm_config_cache: mkdtempSync(join(place, 'cache-')),
        npm_config_registry: registry.address,
      };
      const args = ['--input-type=module', '-e', program];
      const { code, stderr } = await run('node', args, small, environment(settings));
      return { code, stderr, unpacked: registry.takenSince() };
    }
    const said = (path: string) => readFileSync(join(small, 'node_modules', path, 'said.txt'), 'utf8');
    const saidBy = (program: string) => readFileSync(join(small, 'node_modules', '.bin', program), 'utf8');

    const inner = 'outer/node_modules/inner';
    const first = { plain: '1.0.0', outer: '1.0.0', [inner]: '1.0.0', tool: '1.0.0' };
    const well = { code: 0, stderr: '' };
    const ofService = ['inner-1.0.0.tgz', 'outer-1.0.0.tgz', 'plain-1.0.0.tgz'];
    expect(await installed(first, false)).toEqual({ ...well, unpacked: ofService });
    // What a registry knows of a package may be a hundred times what is installed.
    expect(registry.askedSince()).toEqual([]);
    // Not where most registries have it: this one is asked.
    registry.way = '/elsewhere/';
    expect(await installed(first, true)).toEqual({ ...well, unpacked: ['tool-1.0.0.tgz'] });
    expect(registry.askedSince()).toEqual(['tool']);
    expect(saidBy('plain')).toBe('plain 1.0.0');
    registry.way = '/-/';

    // What lies in another package comes anew with it.
    const second = { ...first, outer: '2.0.0', tool: '2.0.0' };
    const changed = ['inner-1.0.0.tgz', 'outer-2.0.0.tgz', 'tool-2.0.0.tgz'];
    expect(await installed(second, true)).toEqual({ ...well, unpacked: changed });
    expect(['plain', 'outer', inner, 'tool'].map(said)).toEqual([
      'plain 1.0.0',
      'outer 2.0.0',
      'inner 1.0.0',
      'tool 2.0.0',
    ]);

    // What is asked for and not locked is refused, whatever version there is.
    const { tool: _, ...lacking } = first;
    expect(await installed(lacking, true)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/in sync.*could not install the locked/s),
    });
    expect(said('outer')).toBe('outer 2.0.0');
  });

  if (version === testedFirst) {
    test('a fresh clone runs `npm test`, and `npm start` serves from what that installed', async () => {
      await testOneFile();
      const { ino } = statSync(join(clone, binary));
      const { service } = await serve();
      expect(service.said.stdout).not.toContain('Installing');
      expect(statSync(join(clone, binary)).ino).toBe(ino);
      expect(existsSync(join(clone, 'node_modules', 'vitest'))).toBe(true);
      await expectRefusalBelow(clone);
    });
  } else if (version === neverTested) {
    test('a fresh clone serves by `npm start`, and all that `npm test` needs would be installed as it is locked', async () => {
      await wouldInstallAllLocked();
      await serve();
      await expectRefusalBelow(clone);
    });
  } else {
    test('a fresh clone serves by `npm start`, and `npm test` beside it takes nothing away', async () => {
      const pages = await serve(true);
      await eventually(async () => expect((await fetch(pages.address)).status).toBe(200));
      // It would go on to make the pages as small as can be.
      await endLeftovers();
      const { service, address } = await serve();
      const { ino } = statSync(join(clone, binary));
      await testOneFile();
      expect(statSync(join(clone, binary)).ino).toBe(ino);
      expect((await fetch(`${address}/api/version`)).status).toBe(200);
      expect(service.child.exitCode).toBeNull();
      await expectRefusalBelow(clone);
    });
  }

  test('the command finds its Node without npm and whatever the path says', async () => {
    rmSync(join(clone, 'node_modules', '.bin', 'node'));
    const { stdout } = await run('node', ['server/bin/atelier.mjs', 'doctor'], clone, environment());
    expect(stdout).toMatch(new RegExp(`^ok +Node +Node ${process.versions.node} `, 'm'));
    passed.add(version);
  });
});

/** Another version of what the service runs on is not put under it. */
async function expectRefusalBelow(clone: string): Promise<void> {
  const lock = join(clone, 'package-lock.json');
  const before = readFileSync(lock, 'utf8');
  const changed = JSON.parse(before);
  changed.packages['node_modules/pg'].version = '8.0.0';
  writeFileSync(lock, JSON.stringify(changed));
  const refused = await run('node', ['scripts/setup.mjs'], clone, environment());
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/service runs .*\npg\.\n.*Stop/) });
  writeFileSync(lock, before);
}

test.skipIf(process.platform !== 'linux')('Node runs with the libatomic that comes along', async () => {
  const folder = join(root, 'scripts', 'libatomic', `linux-${process.arch}`);
  // A module that calls itself through a table: Node gives out, and takes back, places for its code by comparing and exchanging.
  const bytes =
    '0061736d0100000001040160000003020100040401700001070501016600000907010041000b01000a0901070041001100000b';
  const program = `
    const bytes = Buffer.from('${bytes}', 'hex');
    for (let i = 0; i < 200; i++) new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
    globalThis.gc();
    const maps = require('node:fs').readFileSync('/proc/self/maps', 'utf8');
    console.log(maps.includes('${join(folder, 'libatomic.so.1')}') ? 'with it' : 'without it');`;
  const ran = await run(process.execPath, ['--expose-gc', '--eval', program], root, {
    ...environment(),
    LD_LIBRARY_PATH: folder,
  });
  expect(ran).toMatchObject({ code: 0, stdout: 'with it\n', stderr: '' });
});

describe('where npm has no Node that runs', () => {
  let clone: string;
  beforeAll(async () => {
    clone = await freshClone();
  });

  /** Lets a Node believe that it is another one. */
  const disguise = (arch: string) => {
    const program = `
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });
      Object.defineProperty(process, 'arch', { value: '${arch}' });`;
    return environment({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` });
  };
  const advice =
    /^Atelier needs Node 26\.\d+\.\d+ .*this is Node 20\.0\.0\..*https:\/\/nodejs\.org\/en\/download/s;

  test('the set-up and the command say which one is needed and where it is', async () => {
    for (const program of ['scripts/setup.mjs', 'server/bin/atelier.mjs']) {
      const refused = await run('node', [program], clone, disguise('riscv64'));
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(advice) });
    }
  });

  test('the command names the set-up only where it was not run', async () => {
    const command = () => run('node', ['server/bin/atelier.mjs'], clone, disguise(process.arch));
    expect(await command()).toMatchObject({ code: 1, stderr: expect.stringContaining('"npm start"') });
    mkdirSync(dirname(join(clone, binary)), { recursive: true });
    writeFileSync(join(clone, binary), 'made for another system');
    chmodSync(join(clone, binary), 0o644);
    expect(await command()).toMatchObject({ code: 1, stderr: expect.stringMatching(advice) });
  });
});
