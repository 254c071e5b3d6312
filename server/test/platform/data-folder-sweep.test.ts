import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipWriter } from '../../src/archive/index.ts';
import { workFileName } from '../../src/kernel/work-files.ts';
import {
  ArchiveBench,
  ArchiveShelf,
  projectXml,
  trackersXml,
  trackerXml,
  usersXml,
} from '../fixtures/project-archive.ts';
import { createRepository, lacksSubversion } from '../fixtures/svn.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';

const day = 24 * 60 * 60 * 1000;
const code = fileURLToPath(new URL('../../src/kernel/work-files.ts', import.meta.url));

/** A name as a process gives it that is gone by now. */
const abandonedName = (suffix: string) =>
  execFileSync(process.execPath, [
    ...['--input-type=module', '--eval'],
    `import { workFileName } from ${JSON.stringify(code)}; process.stdout.write(workFileName('${suffix}'));`,
  ]).toString();

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const engines = oneEngine(
  'PostgreSQL',
  'leftovers are files; killed imports are also in project-archives.test.ts, on SQLite',
);

describe.each(engines)('what nothing points to in the data folder on %s', (engine) => {
  let atelier: Atelier;
  const shelf = new ArchiveShelf();
  beforeAll(async () => {
    atelier = await startAtelier(engine);
  });
  afterAll(async () => {
    shelf.remove();
    await atelier.stop();
  });

  const pathOf = (...names: string[]) => join(atelier.instance.folder, ...names);
  const leave = (path: string, { age = 0, content = 'bytes' } = {}) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const then = new Date(Date.now() - age);
    utimesSync(path, then, then);
    return path;
  };
  const unclaimed = () =>
    existsSync(pathOf('unclaimed.json'))
      ? Object.keys(JSON.parse(readFileSync(pathOf('unclaimed.json'), 'utf8')))
      : [];
  const goneOf = (paths: readonly string[]) => paths.filter((path) => !existsSync(path));

  // First, since Subversion wants the folders that it makes to be its own.
  test.skipIf(lacksSubversion)(
    'is no repository that there is, and no dump of one that was deleted',
    async () => {
      const ines = await atelier.createUser('ines');
      const wish = { shortname: 'with-svn', label: 'With svn', is_public: true, xml_template_name: 'empty' };
      const { body: project } = await ines.post('/projects', wish);
      const made = async (name: string) => {
        const { id } = await createRepository(ines, project.id, name);
        return { id, path: pathOf('svn_plugin', String(project.id), name) };
      };
      const [stays, goes] = [await made('stays'), await made('goes')];
      await atelier.configure({ svn_deletion_delay: 0 });
      await ines.delete(`/svn/${goes.id}`);
      await expect.poll(() => existsSync(goes.path), { timeout: 60_000 }).toBe(false);
      const marker = leave(pathOf('backup', 'svn', 'lost1700000001.svn'));
      await atelier.restart();
      // The sweep of the first start may have seen the deleted one on its way out; that of the second does not.
      await expect.poll(unclaimed, { timeout: 60_000 }).toEqual(['backup/svn/lost1700000001.svn']);
      expect([existsSync(stays.path), existsSync(marker)]).toEqual([true, true]);
      rmSync(marker);
      rmSync(pathOf('unclaimed.json'));
    },
  );

  test('is removed at the start: at once what a process worked with that is gone, a week later what is whole', async () => {
    const name = abandonedName('.zip');
    const folders = [
      'exports',
      'imports',
      'deleted',
      'svn_plugin/.server',
      'svn_plugin/4711',
      'backup/svn',
      'blobs/incoming',
    ];
    const removed = [
      ...folders.map((folder) => leave(pathOf(folder, name))),
      leave(pathOf('imports', '4711-ids.csv')),
      leave(pathOf('imports', '20240501T100000000Z-ids.csv')),
      leave(pathOf('imports', 'upload-7.zip'), { age: 2 * day }),
      leave(pathOf('exports', '01890a5d-ac96-774b-bcce-b302099a8057.zip'), { age: 2 * day }),
      leave(pathOf('imported-repositories', '4711', 'half.svn')),
      leave(pathOf('deleted', 'deleted_artifact_4711_1700000000.zip'), { age: 2 * day, content: '' }),
    ];
    const kept = [
      ...folders.map((folder) => leave(pathOf(folder, workFileName('.zip')))),
      leave(pathOf('exports', '01890a5d-ac96-774b-bcce-b302099a8058.zip')),
      leave(pathOf('deleted', 'deleted_artifact_4711_1700000001.zip'), { age: 2 * day }),
      leave(pathOf('deleted', 'notes.txt'), { age: 2 * day }),
    ];
    const unclaimed = [
      leave(pathOf('backup', 'svn', 'lost1700000000.svn')),
      leave(pathOf('svn_plugin', '4711', 'lost', 'format')),
    ];
    await atelier.restart();
    await expect.poll(() => removed.filter((path) => existsSync(path)), { timeout: 60_000 }).toEqual([]);
    await expect.poll(() => existsSync(pathOf('unclaimed.json')), { timeout: 60_000 }).toBe(true);
    expect(goneOf([...kept, ...unclaimed])).toEqual([]);
    const noted: Record<string, number> = JSON.parse(readFileSync(pathOf('unclaimed.json'), 'utf8'));
    expect(Object.keys(noted).sort()).toEqual(
      expect.arrayContaining(['backup/svn/lost1700000000.svn', 'svn_plugin/4711/lost']),
    );
    const earlier = Object.fromEntries(Object.entries(noted).map(([path, seen]) => [path, seen - 8 * day]));
    writeFileSync(pathOf('unclaimed.json'), JSON.stringify(earlier));
    await atelier.restart();
    await expect.poll(() => goneOf(unclaimed), { timeout: 60_000 }).toEqual(unclaimed);
    await expect.poll(() => existsSync(pathOf('unclaimed.json')), { timeout: 60_000 }).toBe(false);
    expect(goneOf(kept)).toEqual([]);
  });

  test.each([
    ['a kill', 'SIGKILL'],
    ['a stop', 'SIGTERM'],
  ] as const)('is nothing after %s in the middle of an import that somebody uploaded', async (_, signal) => {
    if (signal === 'SIGTERM') {
      // Whether somebody still works on it is told by their process, which must be gone.
      await atelier.stop();
      atelier = await startAtelier(engine, { isAlone: true });
    }
    const path = shelf.free(`${signal}.zip`);
    const zip = await ZipWriter.create(path);
    const titles = Array.from({ length: 2000 }, (_, index) => `Artifact ${index}`);
    const xml = projectXml('cut-off', trackersXml(trackerXml('T1', 'chore', titles)));
    await zip.add('project.xml', bytesOf(xml));
    await zip.add('users.xml', bytesOf(usersXml([])));
    await zip.finish();
    const bytes = readFileSync(path);
    // A slow disk: whatever this machine does meanwhile, it is not over before it is cut off.
    await atelier.sql(`create or replace function slow() returns trigger language plpgsql
      as 'begin perform pg_sleep(0.02); return new; end'`);
    await atelier.sql('create trigger slow before insert on artifact for each row execute function slow()');
    const { body } = await atelier.admin.post('/project_imports', {
      file_name: 'a.zip',
      file_size: bytes.length,
    });
    await fetch(`${atelier.url}${body.upload_href}`, {
      method: 'PATCH',
      headers: {
        'X-Auth-AccessKey': atelier.admin.key,
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      },
      body: bytes,
    });
    const bench = await ArchiveBench.open(atelier.instance);
    const countOf = async (table: 'artifact' | 'attachment') =>
      (await bench.database.all(bench.database.sql.selectFrom(table).select('id').limit(1))).length;
    while ((await countOf('artifact')) === 0) await pause(5);
    await atelier.server.end(signal);
    await atelier.sql('drop trigger slow on artifact');
    if (signal === 'SIGKILL') expect(readdirSync(pathOf('imports')).length).toBeGreaterThan(0);
    await atelier.restart();
    const outcome = async () => (await atelier.admin.get(`/${body.uri}`)).body;
    await expect.poll(async () => (await outcome()).state, { timeout: 60_000 }).toBe('failed');
    expect((await outcome()).fault).toContain('ended before it was done');
    expect(await countOf('artifact')).toBe(0);
    await expect.poll(() => countOf('attachment'), { timeout: 60_000 }).toBe(0);
    await expect
      .poll(() => readdirSync(pathOf('imports')).filter((name) => !name.includes(`.${process.pid}.`)), {
        timeout: 60_000,
      })
      .toEqual([]);
    await bench.close();
  });
});
