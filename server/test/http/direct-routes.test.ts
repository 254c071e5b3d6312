import { type RouteContract, routes } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { saveReport } from '../fixtures/report.ts';
import { everyField } from '../fixtures/tracker.ts';
import { createFlow, startWorkflow } from '../fixtures/workflow.ts';
import {
  type Atelier,
  type Caller,
  type Person,
  type Reply,
  startAtelier,
  usuallyOn,
} from '../harness/atelier.ts';
import type { RequestOptions } from '../harness/caller.ts';

/** The resource of routes that read one thing by its number: such requests are answered directly. */
const directReads = routes.flatMap(({ method, path, params }: RouteContract) => {
  const [, name] = /^\/([a-z_]+)\/\{id\}$/.exec(path) ?? [];
  const id: { type?: unknown } | undefined = params?.properties['id'];
  return method === 'GET' && name !== undefined && id?.type === 'integer' ? [name] : [];
});

/** All that a client sees of an answer, but for its time and what it cost. */
function seen({ status, headers, text }: Reply) {
  const passing = ['date', 'x-request-id', 'connection', 'keep-alive'];
  const told = [...headers].filter(([name]) => !passing.includes(name)).sort();
  return { status, headers: told, text };
}

describe.each(usuallyOn('SQLite'))('a request that is answered directly on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let callers: Readonly<Record<string, Caller>>;
  let ids: Readonly<Record<string, number>>;
  let tracker: number;
  let title: number;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    const [member, stranger] = [await atelier.createUser('member'), await atelier.createUser('stranger')];
    callers = {
      alice,
      member,
      stranger,
      admin: atelier.admin,
      anonymous: atelier.anonymous,
      'alice by password': atelier.withPassword('alice', alice.password),
      'a wrong key': atelier.callerWith({ 'X-Auth-AccessKey': 'tlp-k1-1.wrong' }),
    };
    const project = (await createProject(alice, 'direct')).id;
    await setMembers(alice, `${project}_3`, [alice, member]);
    const flow = await createFlow(alice, project);
    [tracker, title] = [flow.id, flow.title];
    const transitions = await startWorkflow(alice, flow, ['new Todo', 'Todo Doing']);
    const every = await everyField(alice, project);
    const made = async (path: string, body: unknown): Promise<number> => {
      const { status, body: answer, text } = await alice.post(path, body);
      expect(status, text).toBeLessThan(300);
      return answer.id;
    };
    const file = await made('/artifact_temporary_files', {
      name: 'notes.txt',
      mimetype: 'text/plain',
      content: Buffer.from('notes').toString('base64'),
    });
    const attached = await made('/artifact_temporary_files', {
      name: 'plan.txt',
      mimetype: 'text/plain',
      content: Buffer.from('plan').toString('base64'),
    });
    const artifact = await submit(alice, every.tracker.id, [
      { field_id: every.ids['string'], value: 'one' },
      { field_id: every.ids['file'], value: [attached] },
    ]);
    const { body: services } = await alice.get(`/projects/${project}/project_services`);
    const gone = (await createProject(alice, 'gone')).id;
    await atelier.admin.delete(`/projects/${gone}`);
    ids = {
      projects: project,
      deleted_projects: gone,
      project_services: services[0].id,
      trackers: every.tracker.id,
      tracker_reports: (await saveReport(alice, every.tracker.id, { label: 'Mine' })).id,
      tracker_workflow_transitions: transitions['Todo Doing'] ?? 0,
      artifacts: artifact,
      artifact_files: attached,
      artifact_temporary_files: file,
      crosstracker_widget: await made('/crosstracker_widget', { project_id: project }),
      dashboards: await made('/dashboards', { title: 'At a glance', project_id: project }),
      webhooks: await made(`/trackers/${tracker}/webhooks`, { url: 'https://example.com/hook' }),
    };
  });
  afterAll(() => atelier.stop());

  const minuteNow = () => Math.floor(Date.now() / 60_000);

  /** The question mark is all that makes another spelling of it, which goes the usual way. */
  async function bothWays(caller: Caller, method: string, path: string, options: RequestOptions = {}) {
    for (;;) {
      const minute = minuteNow();
      const usual = seen(await caller.request(method, `${path}?`, options));
      // What was answered once may be answered from memory the second time.
      const first = seen(await caller.request(method, path, options));
      const second = seen(await caller.request(method, path, options));
      // Forms of trackers tell the minute that it is, as the default of some dates.
      if (minuteNow() !== minute) continue;
      expect(first).toEqual(usual);
      expect(second).toEqual(usual);
      return usual;
    }
  }

  test.each(directReads)(
    'GET /%s/{id} is what it is the usual way, whoever asks and however',
    async (name) => {
      const inXml = { headers: { Accept: 'application/xml' } };
      const otherwise: RequestOptions[] = [
        { headers: { Accept: 'image/png' } },
        { headers: { Origin: 'https://example.com' } },
      ];
      for (const [who, caller] of Object.entries(callers)) {
        const [there, missing] = [`/${name}/${ids[name] ?? 4711}`, `/${name}/99999999`];
        for (const path of [there, missing]) await bothWays(caller, 'GET', path);
        await bothWays(caller, 'GET', there, inXml);
        // Of these the words of an answer hang on no more than whether somebody is let in.
        if (who !== 'alice' && who !== 'anonymous') continue;
        await bothWays(caller, 'GET', missing, inXml);
        for (const options of otherwise)
          for (const path of [there, missing]) await bothWays(caller, 'GET', path, options);
      }
      // Imports and repositories need more than a request to be there.
      const path = `/${name}/${ids[name]}`;
      const read = await Promise.all([alice.get(path), atelier.admin.get(path)]);
      if (ids[name] !== undefined) expect(read.map(({ status }) => status)).toContain(200);
      else expect(['project_imports', 'svn']).toContain(name);
    },
  );

  test('GET of a version that the caller has is what it is the usual way', async () => {
    const path = `/artifacts/${ids['artifacts']}`;
    const etag = (await alice.get(path)).headers.get('etag') ?? '';
    for (const value of [etag, `W/${etag}`, '"other"', '*', `"other", ${etag}`]) {
      const { status } = await bothWays(alice, 'GET', path, { headers: { 'If-None-Match': value } });
      expect(status, value).toBe(value === '"other"' ? 200 : 304);
    }
  });

  test('a wrong password is refused in the same words', async () => {
    const { status } = await bothWays(
      atelier.withPassword('alice', 'wrong'),
      'GET',
      `/projects/${ids['projects']}`,
    );
    expect(status).toBe(401);
  });

  test('PUT and POST that change nothing are refused in the same words', async () => {
    const artifact = `/artifacts/${ids['artifacts']}`;
    const bodies: readonly RequestOptions[] = [
      { body: {} },
      { body: { values: 7 } },
      { body: { values: [{ field_id: 99_999_999, value: 'x' }] } },
      { rawBody: '{"values":', headers: { 'Content-Type': 'application/json' } },
      { rawBody: '<values/>', headers: { 'Content-Type': 'application/xml' } },
      { rawBody: 'values=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      { rawBody: 'x', headers: { 'Content-Type': 'image/png' } },
      { body: { values: [] }, headers: { 'If-Match': '"other"' } },
      { body: { values: [] }, headers: { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
    ];
    for (const options of bodies) {
      for (const [who, caller] of Object.entries(callers)) {
        if (who.includes('alice') && 'values' in Object(options.body) && options.headers === undefined)
          continue;
        expect((await bothWays(caller, 'PUT', artifact, options)).status).toBeGreaterThan(399);
        expect((await bothWays(caller, 'POST', '/artifacts', options)).status).toBeGreaterThan(399);
      }
    }
  });

  test('PUT and POST write the same', async () => {
    const values = [{ field_id: title, value: 'Two' }];
    const made = async (path: string) => {
      const { status, headers, body } = await alice.post(path, { tracker: { id: tracker }, values });
      const { id, uri, ...rest } = body;
      return { id, told: [status, headers.has('etag'), uri === `artifacts/${id}`, rest] };
    };
    const [usual, direct] = [await made('/artifacts?'), await made('/artifacts')];
    expect(direct.told).toEqual(usual.told);
    const changed = async (path: string) => {
      const { status, text } = await alice.put(path, { values: [{ field_id: title, value: 'Three' }] });
      return [status, text === ''];
    };
    expect(await changed(`/artifacts/${direct.id}`)).toEqual(await changed(`/artifacts/${usual.id}?`));
  });
});
