import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipWriter } from '../../src/archive/index.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { importInProcess } from '../../src/threads/import-process.ts';
import {
  ArchiveBench,
  ArchiveShelf,
  groupXml,
  projectXml,
  trackersXml,
  trackerXml,
  uploadArchive,
  usersXml,
} from '../fixtures/project-archive.ts';
import {
  type Atelier,
  createInstance,
  type Instance,
  oneEngine,
  type Person,
  startAtelier,
} from '../harness/atelier.ts';
import { childrenOf } from '../harness/programs.ts';

/** What an entry of an archive has: a text, or the same text many times. */
type Content = string | readonly [part: string, times: number];

async function* bytesOf(content: Content) {
  const [part, times] = typeof content === 'string' ? [content, 1] : content;
  const some = Math.min(times, 10_000);
  for (let done = 0; done < times; done += some) yield Buffer.from(part.repeat(some));
}

const shelf = new ArchiveShelf();
afterAll(() => shelf.remove());

async function zipped(files: Readonly<Record<string, Content>>): Promise<Buffer> {
  const path = shelf.free('archive.zip');
  const zip = await ZipWriter.create(path);
  for (const [name, content] of Object.entries(files)) await zip.add(name, bytesOf(content));
  await zip.finish();
  return readFileSync(path);
}

/** Trackers of which each has one element many times, as text between which the rest goes. */
const bloatedXml = (trackers: number, elements: number) =>
  projectXml(
    'bloated',
    trackersXml(
      ...Array.from({ length: trackers }, (_, index) =>
        trackerXml(`T${index}`, `t${index}`).replace(
          '<formElements>',
          `<formElements>${'<a/>'.repeat(elements)}`,
        ),
      ),
    ),
  );

const engines = oneEngine(
  'SQLite',
  'archives are refused while they are read, before anything of them is stored',
);

describe.each(engines)('archives from anybody on %s', (engine) => {
  let atelier: Atelier;
  let mallory: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { isAlone: true });
    mallory = await atelier.createUser('mallory');
  });
  afterAll(() => atelier.stop());

  const upload = (person: Person, href: string, bytes: Uint8Array) =>
    uploadArchive(atelier, person, href, bytes);

  // Nothing is imported here without an upload, so that both have the same numbers.
  const importOf = (href: string) => href.replace('/uploads/project/file/', '/project_imports/');

  const ended = async (person: Person, path: string) => {
    for (;;) {
      const { body } = await person.get(path);
      if (body.state === 'done' || body.state === 'failed') return body;
      await pause(50);
    }
  };

  let last = 0;
  const reserve = (person: Person, size: number) =>
    person.post('/projects', {
      shortname: `from-archive-${++last}`,
      label: `From archive ${last}`,
      is_public: true,
      from_archive: { file_name: 'archive.zip', file_size: size },
    });

  /** What comes of a project that somebody makes from an archive. */
  const made = async (person: Person, archive: Buffer) => {
    const { body } = await reserve(person, archive.length);
    expect((await upload(person, body.upload_href, archive)).status).toBe(204);
    return { ...(await ended(person, importOf(body.upload_href))), uri: `/${body.uri}` };
  };

  /** What comes of an archive that a site administrator imports. */
  const imported = async (archive: Buffer, begun: () => Promise<void> = async () => {}) => {
    const wish = { file_name: 'archive.zip', file_size: archive.length, automap: 'no-email,create:A' };
    const { body } = await atelier.admin.post('/project_imports', wish);
    expect((await upload(atelier.admin, body.upload_href, archive)).status).toBe(204);
    await begun();
    return ended(atelier.admin, `/${body.uri}`);
  };

  /** Nothing is left of what was sent, and the service is the one that it was. */
  const expectUnharmed = async () => {
    expect(atelier.server.child.exitCode).toBeNull();
    expect((await atelier.admin.get('/projects?limit=1')).status).toBe(200);
    const folder = join(atelier.instance.folder, 'imports');
    for (;;) {
      const left = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.zip')) : [];
      const bytes = readdirSync(join(atelier.instance.folder, 'blobs'), {
        recursive: true,
        withFileTypes: true,
      });
      if (left.length === 0 && !bytes.some((entry) => entry.isFile())) break;
      await pause(50);
    }
  };

  test('one with very many elements fails, in words, and leaves the service as it was', async () => {
    const archive = await zipped({ 'project.xml': bloatedXml(6, 900_000), 'users.xml': usersXml([]) });
    expect(archive.length).toBeLessThan(200_000);
    const { state, fault, uri } = await made(mallory, archive);
    expect([state, fault]).toEqual(['failed', 'project.xml, line 7: There are more than 20000 elements.']);
    expect((await mallory.get(uri)).status).toBe(404);
    await expectUnharmed();
  });

  test('one that is enormous unpacked fails, in words, and leaves the service as it was', async () => {
    const archive = await zipped({
      'project.xml': projectXml('huge'),
      'users.xml': usersXml([]),
      'user_map.csv': ['a'.repeat(10_000), 10_000],
    });
    const { state, fault } = await made(mallory, archive);
    expect([state, fault]).toEqual(['failed', 'archive.zip: Unpacked it has more than 67108864 bytes.']);
    await expectUnharmed();
  });

  test('one creates no accounts and no types of links, and finds the people who are there', async () => {
    const tracker = trackerXml('T1', 'chore').replace(
      '</formElements>',
      `<formElement type="msb" ID="F9" rank="9"><name>who</name><label>Who</label><bind type="users">
        <items><item label="group_members"/></items>
        <default_values><value format="username">mallory</value><value format="username">nobody-here</value></default_values>
      </bind></formElement></formElements>`,
    );
    const archive = await zipped({
      'project.xml': projectXml(
        'accounts',
        `<natures><nature>evil</nature><nature is_used="0">worse</nature></natures>${trackersXml(tracker)}`,
      ),
      'users.xml': usersXml([{ username: 'root' }, { username: 'accomplice' }, { username: 'mallory' }]),
      'user_map.csv': 'name,action\nroot,create:A\naccomplice,create:A\nmallory,map:admin\n',
    });
    const { state, report, uri } = await made(mallory, archive);
    expect([state, report.counts.users_created]).toEqual(['done', 0]);
    expect(report.users).toEqual([
      { username: 'mallory', account: 'mallory', id: mallory.id, is_created: false },
    ]);
    expect(report.warnings.map(({ text }: { text: string }) => text)).toEqual(
      expect.arrayContaining([
        '1 person (nobody-here) cannot be chosen, for want of an account here.',
        'The type of links evil is not known here, and only a site administrator can create it.',
      ]),
    );
    for (const username of ['root', 'accomplice']) {
      const query = encodeURIComponent(JSON.stringify({ username }));
      expect((await atelier.admin.get(`/users?query=${query}`)).body).toEqual([]);
    }
    const { body: types } = await atelier.admin.get('/link_types');
    const names = types.map(({ shortname }: { shortname: string }) => shortname);
    expect(names).not.toContain('evil');
    expect(names).not.toContain('worse');
    expect((await mallory.get(uri)).status).toBe(200);
  });

  test('nobody has more than one import that is not over, or a larger archive than they may', async () => {
    const tooLarge = await reserve(mallory, 16 * 1024 * 1024 + 1);
    expect([tooLarge.status, tooLarge.text]).toEqual([400, expect.stringContaining('file_size')]);
    const [first, second] = await Promise.all([reserve(mallory, 1000), reserve(mallory, 1000)]);
    expect([first.status, second.status].sort()).toEqual([201, 409]);
    const { upload_href: href } = (first.status === 201 ? first : second).body;
    const third = await reserve(mallory, 1000);
    expect([third.status, third.text]).toEqual([409, expect.stringContaining(importOf(href).slice(1))]);
    expect((await reserve(atelier.admin, 1000)).status).toBe(201);
    const wish = { file_name: 'archive.zip', file_size: 1000 };
    expect((await atelier.admin.post('/project_imports', wish)).status).toBe(409);
    for (const person of [mallory, atelier.admin]) {
      const own = person === mallory ? href : href.replace(/\d+$/, (id: string) => String(Number(id) + 1));
      const headers = { 'X-Auth-AccessKey': person.key, 'Tus-Resumable': '1.0.0' };
      expect((await fetch(`${atelier.url}${own}`, { method: 'DELETE', headers })).status).toBe(204);
      expect(await ended(person, importOf(own))).toMatchObject({ fault: 'Its upload was given up.' });
    }
    const again = await reserve(mallory, 1000);
    expect(again.status).toBe(201);
    await fetch(`${atelier.url}${again.body.upload_href}`, {
      method: 'DELETE',
      headers: { 'X-Auth-AccessKey': mallory.key, 'Tus-Resumable': '1.0.0' },
    });
    await ended(mallory, importOf(again.body.upload_href));
  });

  const importers = () =>
    childrenOf(atelier.server.child.pid ?? 0).filter(({ line }) => line.includes('process.mjs importer'));

  test('one whose process is killed is a failed import, of which nothing stays', async () => {
    const titles = Array.from({ length: 2000 }, (_, index) => `Artifact ${index}`);
    const archive = await zipped({
      'project.xml': projectXml('killed-inside', trackersXml(trackerXml('T1', 'chore', titles, 'kim'))),
      'users.xml': usersXml([{ username: 'kim' }]),
    });
    const bench = await ArchiveBench.open(atelier.instance);
    const isFilled = async () => {
      const query = bench.database.sql.selectFrom('artifact').select('id').limit(1);
      return (await bench.database.first(query)) !== undefined;
    };
    const outcome = await imported(archive, async () => {
      while (!(await isFilled())) await pause(5);
      for (const { pid } of importers()) process.kill(pid, 'SIGKILL');
    });
    expect(outcome).toMatchObject({
      state: 'failed',
      fault: 'The process that imported it was ended by SIGKILL, perhaps for want of memory.',
    });
    expect(await isFilled()).toBe(false);
    await bench.close();
    expect(readdirSync(join(atelier.instance.folder, 'imports'))).toEqual([]);
    await expectUnharmed();
    expect(await imported(archive)).toMatchObject({ state: 'done', fault: null });
  });
});

describe('limits of archives', () => {
  let instance: Instance;
  let bench: ArchiveBench;
  beforeAll(async () => {
    instance = await createInstance('SQLite');
    const limits = 'bytes=100000,files=5,elements=500,trackers=2,groups=3,users=4,text=1000';
    bench = await ArchiveBench.open({
      ...instance,
      environment: { ...instance.environment, ATELIER_ARCHIVE_LIMITS: limits },
    });
  });
  afterAll(async () => {
    await bench.close();
    await instance.remove();
  });

  const refusal = async (content: string, users: string[] = [], more = {}) => {
    const path = shelf.add({
      'project.xml': projectXml('limited', content),
      'users.xml': usersXml(users.map((username) => ({ username }))),
      ...more,
    });
    return bench.import(path, { automap: 'no-email,create:A', isDryRun: true }).then(
      () => '',
      (error: unknown) => (error instanceof Refusal ? error.detail : String(error)),
    );
  };
  const names = (count: number) => Array.from({ length: count }, (_, index) => `user${index}`);
  const authored = (by: string) =>
    trackersXml(
      trackerXml('T1', 'one', by.split(' '), 'X').replaceAll(
        /<submitted_by format="username">X/g,
        () => `<submitted_by format="email">${Math.random()}@example.com`,
      ),
    );

  test.each([
    ['bytes', () => refusal('', [], { 'data/large': 'x'.repeat(100_000) }), 'It has more than 100000 bytes.'],
    [
      'files',
      () => refusal('', [], Object.fromEntries(names(6).map((name) => [name, '']))),
      'more than 5 files',
    ],
    ['elements', () => refusal('<dashboards/>'.repeat(500)), 'There are more than 500 elements.'],
    [
      'trackers',
      () => refusal(trackersXml(...['a', 'b', 'c'].map((name, index) => trackerXml(`T${index}`, name)))),
      'There are more than 2 trackers.',
    ],
    [
      'user groups',
      () =>
        refusal(
          `<ugroups>${names(4)
            .map((name) => groupXml(name))
            .join('')}</ugroups>`,
        ),
      'There are more than 3 user groups.',
    ],
    ['people', () => refusal('', names(5)), 'users.xml, line 7: It tells of more than 4 people.'],
    ['people who are named', () => refusal(authored('a b c d e')), 'It names more than 4 people.'],
    [
      'characters of a text',
      () => refusal(`<banner>${'x'.repeat(1001)}</banner>`),
      'A text has more than 1000 characters.',
    ],
    [
      'characters of a text in parts',
      () => refusal(`<banner>${'<![CDATA[xxxxxxxxxx]]>'.repeat(101)}</banner>`),
      'A text has more than 1000 characters.',
    ],
    [
      'characters of an attribute',
      () => refusal(`<ugroups><ugroup name="a" description="${'x'.repeat(1001)}"/></ugroups>`),
      'A text has more than 1000 characters.',
    ],
  ])('there is one of %s', async (_, refused, words) => {
    expect(await refused()).toContain(words);
  });

  test('within them everything is well', async () => {
    expect(await refusal(`<banner>${'x'.repeat(1000)}</banner>`, names(4))).toBe('');
  });

  test('a very long comment is no text, and many of them are none either', async () => {
    expect(await refusal('<!-- a comment -->'.repeat(3000))).toBe('');
  });

  /** Of a service that does not stop. */
  const never = new AbortController().signal;

  test('an import takes no more memory than it may', async () => {
    // Less than the code itself needs.
    const config = { ...readConfig(instance.environment), importMemory: 10 };
    const running = importInProcess(config, { id: 1, path: undefined, seconds: 600 }, never);
    await expect(running).rejects.toThrow(
      'It needs more memory than the 10 MiB that an import may take (ATELIER_IMPORT_MEMORY).',
    );
  });

  test('an import takes no longer than it may', async () => {
    const config = readConfig(instance.environment);
    const running = importInProcess(config, { id: 1, path: undefined, seconds: 0.01 }, never);
    await expect(running).rejects.toThrow('It took longer than the 0.01 seconds that an import may take.');
  });

  test('an import ends with the service', async () => {
    const stop = new AbortController();
    const config = readConfig(instance.environment);
    const running = importInProcess(config, { id: 1, path: undefined, seconds: 600 }, stop.signal);
    stop.abort();
    await expect(running).rejects.toThrow('The process that imported it was ended by SIGKILL');
  });
});
