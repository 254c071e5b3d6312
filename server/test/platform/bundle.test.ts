import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildScript, digestOfSources, folderOf, isBuilt } from '../../src/web-build/sources.ts';
import { endsWithTests } from '../harness/processes.ts';

const root = dirname(dirname(dirname(import.meta.dirname)));

describe('the code that runs', () => {
  let copy: string;
  /** Where it is started, which is not where it lies. */
  let elsewhere: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'atelier #code-'));
    elsewhere = mkdtempSync(join(tmpdir(), 'atelier-elsewhere-'));
    for (const part of ['server/src', 'server/bin', 'server/package.json', 'contract/src'])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const fault = "throw new Error('on purpose');";
    change('main.ts', 'process.umask', `if (args[0] === 'fail') ${fault}\nprocess.umask`);
    change('threads/writer.ts', 'const database', `if (process.env['FAILS']) ${fault}\nconst database`);
  });
  afterAll(() => {
    for (const folder of [copy, elsewhere]) rmSync(folder, { recursive: true, force: true });
  });

  const help = () =>
    execFileSync(process.execPath, [join(copy, 'server/bin/atelier.mjs'), '--help'], {
      encoding: 'utf8',
      cwd: elsewhere,
    });
  const change = (path: string, from: string, to: string) => {
    const file = join(copy, 'server/src', path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  };
  const edit = (from: string, to: string) => change('cli/index.ts', from, to);
  const bundles = () => readdirSync(join(copy, 'server/.cache/code'));

  test('is bundled once', () => {
    expect(help()).toContain('Atelier: projects');
    const made = bundles();
    expect(made).toHaveLength(1);
    help();
    expect(bundles()).toEqual(made);
  });

  const madeParts = () => {
    const folder = join(copy, 'server/.cache/code', bundles()[0] ?? '');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return { folder, parts: names.filter((name) => name.endsWith('.js')) };
  };

  test('finds its packages whatever folder it was first started in', () => {
    const { folder, parts } = madeParts();
    const tied = parts.filter((name) =>
      readFileSync(join(folder, name), 'utf8').includes(basename(elsewhere)),
    );
    expect([parts.length > 0, tied]).toEqual([true, []]);
  });

  test('begins no thread by loading something else', () => {
    const { folder, parts } = madeParts();
    const loading = parts.filter((name) =>
      /\$(load|import)\("[./]*\/threads\//.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect([parts.length > 0, loading]).toEqual([true, []]);
  });

  test('has in it what is loaded with the first text, which takes long from the sources', () => {
    const { folder, parts } = madeParts();
    const named = parts.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/\blazily\("(.+)"\)/g)].map(([, path = '']) =>
        resolve(folder, dirname(name), path),
      ),
    );
    expect(named.map((path) => basename(path)).sort()).toEqual([
      'markdown.js',
      'plain-text.js',
      'sanitise.js',
    ]);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  /** All that is loaded with a part, as names of sources. */
  const sourcesLoadedBy = (part: string) => {
    const { folder } = madeParts();
    const seen = new Set<string>();
    const load = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const code = readFileSync(file, 'utf8');
      for (const [, name = ''] of code.matchAll(/\$load\("(\.[^"]+)"\)/g)) load(resolve(dirname(file), name));
    };
    load(join(folder, part));
    const mapOf = (file: string): { sources: string[] } => JSON.parse(readFileSync(`${file}.map`, 'utf8'));
    return [...seen].flatMap((file) => mapOf(file).sources.map((name) => resolve(dirname(file), name)));
  };

  test('describes its routes only in threads that answer requests', () => {
    const isOfRoutes = (name: string) => name.endsWith('/contract/src/route.ts');
    const kinds = ['http', 'writer', 'searcher', 'long-searcher', 'background'];
    const describing = kinds.filter((kind) => sourcesLoadedBy(`threads/${kind}.js`).some(isOfRoutes));
    expect(describing).toEqual(['http']);
  });

  test('is compiled once: what a start has called is kept for the next', () => {
    const { folder } = madeParts();
    const kept = () =>
      globSync('compiled/command/*/*', { cwd: folder }).map((name) => {
        const { ino, size } = statSync(join(folder, name));
        return { name: basename(name), ino, size };
      });
    help();
    const before = kept();
    expect(before).toContainEqual(expect.objectContaining({ name: 'main' }));
    help();
    expect(kept()).toEqual(before);
    for (const { name } of before)
      writeFileSync(
        join(folder, globSync(`compiled/command/*/${name}`, { cwd: folder })[0] ?? ''),
        'of another V8',
      );
    expect(help()).toContain('Atelier: projects');
    expect(kept().map(({ size }) => size)).toEqual(before.map(({ size }) => size));
  });

  test('has every library imported by the loader, since Node warns of scripts that do it by themselves', () => {
    const { folder, parts } = madeParts();
    const imports = parts.flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/(?<![\w.*])(\$?import)\(["'](?!\.)(.+?)["']\)/g),
    ]);
    const names = imports.map(([, how, library]) => `${how} ${library}`);
    expect(names.sort()).toEqual(['$import aws4fetch', '$import nodemailer', '$import tar']);

    const tar = join(elsewhere, 'empty.tar');
    writeFileSync(tar, Buffer.alloc(1024));
    const { stderr } = spawnSync(
      process.execPath,
      [join(copy, 'server/bin/atelier.mjs'), 'backup', '--verify', tar],
      { encoding: 'utf8' },
    );
    expect(stderr).toMatch(/^atelier: .+\n$/);
  });

  test('names its sources wherever a fault is told: in a command, at the end of a thread, at the end of the process', () => {
    const faultOf = (args: readonly string[], settings: NodeJS.ProcessEnv = {}) =>
      spawnSync(process.execPath, [join(copy, 'server/bin/atelier.mjs'), ...args], {
        encoding: 'utf8',
        env: { ...process.env, ATELIER_DATA: join(elsewhere, 'data'), ATELIER_PORT: '0', ...settings },
      }).stderr;
    /** The line of a source with these words, as stacks name it. */
    const placeOf = (path: string, words: string) => {
      const file = join(copy, 'server/src', path);
      const lines = readFileSync(file, 'utf8').split('\n');
      return `${file}:${lines.findIndex((line) => line.includes(words)) + 1}:`;
    };
    const usage = 'Name a folder, or a file that ends with .tar.';
    expect(faultOf(['backup'], { ATELIER_DEBUG: '1' })).toContain(placeOf('cli/backup.ts', usage));
    expect(faultOf(['serve'], { FAILS: '1' })).toContain(placeOf('threads/writer.ts', 'on purpose'));
    expect(faultOf(['fail'])).toContain(placeOf('main.ts', 'on purpose'));
  });

  test('is not bundled again where the same code was written anew, as in an image of a container', () => {
    const made = bundles();
    const sources = join(copy, 'server/src');
    const moved = `${sources}.moved`;
    renameSync(sources, moved);
    cpSync(moved, sources, { recursive: true });
    rmSync(moved, { recursive: true });
    expect(help()).toContain('Atelier: projects');
    expect(bundles()).toEqual(made);
  });

  test('is the changed code after a change', () => {
    edit('Atelier: projects', 'Atelier: products');
    expect(help()).toContain('Atelier: products');
    expect(bundles()).toHaveLength(2);
  });

  test('is the sources where no bundle can be kept', () => {
    rmSync(join(copy, 'server/.cache'), { recursive: true });
    writeFileSync(join(copy, 'server/.cache'), 'in the way');
    edit('Atelier: products', 'Atelier: problems');
    expect(help()).toContain('Atelier: problems');
  });
});

/** Until it can be served. To make it as small as can be takes twice as long, and is left to whoever serves it. */
async function buildWeb(digest: string): Promise<void> {
  const args = [buildScript, digest];
  const build = endsWithTests(
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  const ended = once(build, 'exit');
  await Promise.race([once(build, 'message'), ended]);
  // It ends with whoever started it.
  if (build.connected) build.disconnect();
  await ended;
}

test('the web application is built for every account to read, and found again in a copy by what it is made of', async () => {
  const digest = digestOfSources();
  if (!isBuilt(digest)) await buildWeb(digest);
  const folder = folderOf(digest);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const closed = files.filter((name) => (statSync(join(folder, name)).mode & 0o044) !== 0o044);
  expect([files.length > 0, closed]).toEqual([true, []]);
});
