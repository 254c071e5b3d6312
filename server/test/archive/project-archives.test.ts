import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportProject, openArchive, XmlReader, ZipWriter } from '../../src/archive/index.ts';
import { expectRefusal } from '../cli/replies.ts';
import { change, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, idsOf } from '../fixtures/project.ts';
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
import { addField, createTracker, fieldNamed, valueIds } from '../fixtures/tracker.ts';
import { addTransition, changeWorkflow, setConditions, setRules } from '../fixtures/workflow.ts';
import { type Atelier, oneEngine, type Person, spawnCommand, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

const command = fileURLToPath(new URL('../../bin/atelier.mjs', import.meta.url));
const automap = 'no-email,create:A';

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** Everything in the project of an archive, with every number but dates made the same. */
async function contentOf(path: string): Promise<string> {
  const archive = await openArchive(path);
  const reader = new XmlReader('project.xml', await archive.open('project.xml'));
  await reader.root();
  const { children } = await reader.whole();
  await archive.close();
  return JSON.stringify(children, (key, value) => (key === 'line' ? undefined : value)).replaceAll(
    /"(T|F|V|R|REPORT_|fileinfo_|CHANGESET_|data\/Artifact|b)?\d+"/g,
    '"$1#"',
  );
}

async function fileIn(path: string, name: string): Promise<string> {
  const archive = await openArchive(path);
  const parts = await Array.fromAsync(await archive.open(name));
  await archive.close();
  return Buffer.concat(parts).toString();
}

/** Whoever reads a file of the folder waits for ever, until all is given back. */
function makeEndless(folder: string): () => void {
  const kept = `${folder}-kept`;
  renameSync(folder, kept);
  for (const entry of readdirSync(kept, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const place = join(folder, relative(kept, entry.parentPath));
    mkdirSync(place, { recursive: true });
    execFileSync('mkfifo', [join(place, entry.name)]);
  }
  return () => {
    rmSync(folder, { recursive: true });
    renameSync(kept, folder);
  };
}

const engines = oneEngine(
  'SQLite',
  'what is in an archive is read on both by archive-round-trip.test.ts; killed imports are also in data-folder-sweep.test.ts, on PostgreSQL',
);

describe.each(engines)('archives of projects on %s', (engine) => {
  let atelier: Atelier;
  let bench: ArchiveBench;
  let ines: Person;
  const shelf = new ArchiveShelf();
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    bench = await ArchiveBench.open(atelier.instance);
    ines = await atelier.createUser('ines');
  });
  afterAll(async () => {
    shelf.remove();
    await bench.close();
    await atelier.stop();
  });

  const zipped = async (files: Readonly<Record<string, string>>) => {
    const path = shelf.free('archive.zip');
    const zip = await ZipWriter.create(path);
    for (const [name, text] of Object.entries(files)) await zip.add(name, bytesOf(text));
    await zip.finish();
    return readFileSync(path);
  };

  const upload = (person: Person, href: string, bytes: Uint8Array) =>
    uploadArchive(atelier, person, href, bytes);

  const ended = async (uri: string, person: Person = atelier.admin) => {
    for (;;) {
      const { body } = await person.get(`/${uri}`);
      if (body.state === 'done' || body.state === 'failed') return body;
      await pause(100);
    }
  };

  /** People are shown their own. */
  const lastImportOf = async (person: Person): Promise<string> =>
    (await person.get('/project_imports?limit=1')).body[0].uri;

  describe('templates', () => {
    test.each([
      ['empty', []],
      ['issues', ['bug', 'request']],
      ['agile', ['epic', 'release', 'story', 'task']],
      ['service_desk', ['article', 'ticket']],
    ])('%s gives the trackers %j', async (name, itemNames) => {
      const shortname = `from-${name.replace('_', '-')}`;
      const body = { shortname, label: `From ${name}`, is_public: true, xml_template_name: name };
      const { status, body: project } = await ines.post('/projects', body);
      expect(status).toBe(201);
      const { body: trackers } = await ines.get(`/projects/${project.id}/trackers?limit=50`);
      expect(trackers.map(({ item_name }: { item_name: string }) => item_name).sort()).toEqual(itemNames);
      const bare = trackers.filter(({ semantics }: { semantics: { title?: object } }) => !semantics.title);
      expect(bare).toEqual([]);
    });

    test('each tracker has reports, and each of them finds what it says', async () => {
      const query = encodeURIComponent(JSON.stringify({ shortname: 'from-issues' }));
      const [project] = (await ines.get(`/projects?query=${query}`)).body;
      const [bug] = (await ines.get(`/projects/${project.id}/trackers?limit=50`)).body;
      const values = [{ field_id: fieldNamed(bug, 'summary').field_id, value: 'Creaks' }];
      const status = fieldNamed(bug, 'status');
      const assigned = { field_id: fieldNamed(bug, 'assigned_to').field_id, bind_value_ids: [ines.id] };
      const own = await submit(ines, bug.id, [...values, assigned]);
      const closed = await submit(ines, bug.id, values);
      const rejected = { field_id: status.field_id, bind_value_ids: [valueIds(status)['Rejected']] };
      await change(ines, closed, [rejected], { comment: { body: 'No.', format: 'text' } });
      const reports = (await ines.get(`/trackers/${bug.id}/tracker_reports`)).body;
      const found: Record<string, number[]> = {};
      for (const { id, label } of reports)
        found[label] = idsOf(await ines.get(`/tracker_reports/${id}/artifacts?values=from_table_renderer`));
      expect(found).toEqual({ 'All bugs': [own, closed], 'My open bugs': [own], 'Open bugs': [own] });
    });

    test('stories lie between epics and tasks, and follow a workflow', async () => {
      const query = encodeURIComponent(JSON.stringify({ shortname: 'from-agile' }));
      const [project] = (await ines.get(`/projects?query=${query}`)).body;
      const { body: trackers } = await ines.get(`/projects/${project.id}/trackers?limit=50`);
      const named = (name: string) =>
        trackers.find(({ item_name }: { item_name: string }) => item_name === name);
      expect(named('story').parent.id).toBe(named('epic').id);
      expect(named('task').parent.id).toBe(named('story').id);
      expect(named('story').workflow).toMatchObject({ is_used: '1' });
      expect(named('story').workflow.rules).toBeDefined();
    });

    test('any project can become one and fill another', async () => {
      const { stdout } = await atelier.cli(
        'project',
        'create',
        'of-a-template',
        '--from',
        'from-agile',
        '--json',
      );
      const { body: trackers } = await atelier.admin.get(`/projects/${JSON.parse(stdout).id}/trackers`);
      expect(trackers).toHaveLength(4);
    });

    test('there is no other', async () => {
      const body = { shortname: 'nope', label: 'None', is_public: true, xml_template_name: 'waterfall' };
      expect((await ines.post('/projects', body)).status).toBe(400);
    });
  });

  test('the demo project, exported, imported and exported again, is the same but for ids', async () => {
    const demo = fileURLToPath(new URL('../../demo', import.meta.url));
    const { counts, project, warnings } = await bench.import(demo, { automap });
    expect(counts).toMatchObject({ trackers: 5, artifacts: 200, changesets: 843, files: 21 });
    expect(warnings).toEqual([]);
    const [first, second] = [shelf.free('first.zip'), shelf.free('second.zip')];
    const { archiveDeps, viewer } = bench;
    await exportProject(archiveDeps, viewer, { projectId: project.id, mode: 'all', path: first });
    const again = await bench.import(first, { automap, name: 'once-more' });
    await exportProject(archiveDeps, viewer, { projectId: again.project.id, mode: 'all', path: second });
    expect(await contentOf(second)).toBe(await contentOf(first));
    const { body: trackers } = await atelier.admin.get(`/projects/${project.id}/trackers?limit=50`);
    for (const { id } of trackers)
      for (const report of (await atelier.admin.get(`/trackers/${id}/tracker_reports`)).body) {
        const path = `/tracker_reports/${report.id}/settings`;
        const { expert_query } = (await atelier.admin.get(path)).body;
        expect((await atelier.admin.patch(path, { expert_query })).status, report.label).toBe(200);
      }
  });

  test('an export that is ended leaves nothing, and one that is killed is in the way of no other', async () => {
    const demo = fileURLToPath(new URL('../../demo', import.meta.url));
    await bench.import(demo, { automap, name: 'ended' });
    const out = shelf.free('ended.zip');
    const made = () => readdirSync(dirname(out)).filter((name) => /ended|^\.work/.test(name));
    const end = async (signal: NodeJS.Signals) => {
      const child = spawnCommand(atelier.instance.environment, ['export', 'ended', '--out', out]);
      const ended = once(child, 'exit');
      await eventually(() => expect(made()).toHaveLength(1));
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
    };
    const giveBack = makeEndless(join(atelier.instance.folder, 'blobs'));
    try {
      await end('SIGTERM');
      expect(made()).toEqual([]);
      await end('SIGINT');
      expect(made()).toEqual([]);
      await end('SIGKILL');
      expect(made()).toEqual([expect.stringMatching(/^\.work/)]);
    } finally {
      giveBack();
    }
    const exported = await atelier.cli('export', 'ended', '--out', out);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    expect(made()).toEqual([basename(out)]);
    await (await openArchive(out)).close();
    const again = await atelier.cli('export', 'ended', '--out', out);
    expectRefusal(again, 'there is a file of that name already');
  });

  test('one tracker is exported with what is in it, and without what ties it to others', async () => {
    const demo = fileURLToPath(new URL('../../demo', import.meta.url));
    await bench.import(demo, { automap, name: 'whole' });
    const out = shelf.free('stories.zip');
    const exported = await atelier.cli('export', 'whole', '--tracker', 'story', '--out', out);
    expect(exported.code, exported.stderr).toBe(0);
    const { counts, project, warnings } = await bench.import(out, { automap, name: 'stories' });
    expect(counts).toMatchObject({ trackers: 1, artifacts: 45, files: 11 });
    expect(counts).not.toHaveProperty('repositories');
    expect(warnings).toEqual([]);
    const [story] = (await atelier.admin.get(`/projects/${project.id}/trackers`)).body;
    expect(story).toMatchObject({ item_name: 'story', parent: null });
    const body = { shortname: 'host', label: 'Host', is_public: false, xml_template_name: 'empty' };
    const host = (await ines.post('/projects', body)).body.id;
    const services = async () => (await ines.get(`/projects/${host}/project_services?limit=50`)).body;
    const svn = (await services()).find(({ name }: { name: string }) => name === 'plugin_svn');
    await ines.put(`/${svn.uri}`, { is_enabled: false });
    const before = await services();
    const imported = await atelier.cli('import', out, '--project', 'host', '--automap', automap);
    expect(imported.code, imported.stderr).toBe(0);
    expect(await services()).toEqual(before);
    const nowhere = await atelier.cli('import', out, '--project', 'hosts', '--automap', automap);
    expectRefusal(nowhere, 'There is no project hosts.');
    for (const option of [['--name', 'other'], ['--template']]) {
      const both = await atelier.cli('import', out, '--project', 'host', '--automap', automap, ...option);
      expectRefusal(both, 'for a new project', 2);
    }
    const refused = await atelier.cli('export', 'whole', '--tracker', 'saga', '--out', `${out}2`);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('There is no tracker whole/saga.'),
    ]);
  });

  test('a tracker that nobody may see stays so, and one whose groups are unknown is told to be open', async () => {
    const { id: projectId } = await createProject(ines, 'shut');
    const { id } = await createTracker(ines, projectId, { label: 'Safe', item_name: 'safe' });
    expect((await ines.put(`/trackers/${id}/permissions`, {})).status).toBe(200);
    const path = shelf.free('shut.zip');
    const { archiveDeps, viewer } = bench;
    await exportProject(archiveDeps, viewer, { projectId, mode: 'all', path });
    const { project } = await bench.import(path, { automap, name: 'shut-again' });
    const permissionsIn = async (place: number) => {
      const [tracker] = (await atelier.admin.get(`/projects/${place}/trackers`)).body;
      return (await atelier.admin.get(`/trackers/${tracker.id}/permissions`)).body;
    };
    expect(await permissionsIn(project.id)).toEqual(await permissionsIn(projectId));
    expect(await permissionsIn(project.id)).toMatchObject({ can_access: [], can_admin: [] });
    const line = '<permission scope="tracker" ugroup="gone" type="PLUGIN_TRACKER_ACCESS_FULL"/>';
    const tracker = trackerXml('T1', 'gone', []).replace(/<permissions.*<\/permissions>/s, '');
    const xml = tracker.replace('</tracker>', `<permissions>${line}</permissions></tracker>`);
    const archive = { 'project.xml': projectXml('ungrouped', trackersXml(xml)), 'users.xml': usersXml([]) };
    const { warnings } = await bench.import(shelf.add(archive), { automap });
    expect(warnings.map(({ text }) => text)).toContain(
      'No permission of the tracker "Tracker gone" means anything here, so that everybody may see it.',
    );
  });

  test('a transition for a group that is gone is for administrators', async () => {
    const { id: projectId } = await createProject(ines, 'movers');
    const { id } = await createTracker(ines, projectId, { label: 'Flow', item_name: 'flow' });
    const bind = { type: 'static', values: [{ label: 'A' }, { label: 'B' }] };
    const state = await addField(ines, id, { type: 'sb', label: 'State', bind });
    const { A: from = 0, B: to = 0 } = valueIds(state);
    await changeWorkflow(ines, id, { set_transitions_rules: { field_id: state.field_id } });
    const transition = await addTransition(ines, id, from, to);
    const group = await createGroup(ines, projectId, 'movers');
    await setConditions(ines, transition, { authorized_user_group_ids: [group] });
    expect((await ines.delete(`/user_groups/${group}`)).status).toBe(200);
    const path = shelf.free('movers.zip');
    const { archiveDeps, viewer } = bench;
    await exportProject(archiveDeps, viewer, { projectId, mode: 'all', path });
    const { project } = await bench.import(path, { automap, name: 'movers-again' });
    const [flow] = (await atelier.admin.get(`/projects/${project.id}/trackers`)).body;
    const [{ id: moved }] = flow.workflow.transitions;
    const { body } = await atelier.admin.get(`/tracker_workflow_transitions/${moved}`);
    expect(body.authorized_user_group_ids).toEqual([`${project.id}_4`]);
  });

  test('lists of people that depend on others, and webhooks, are named by the export and left out, others stay', async () => {
    const { id: projectId } = await createProject(ines, 'dependent');
    const { id } = await createTracker(ines, projectId, { label: 'Duties', item_name: 'duty' });
    const bind = { type: 'static', values: [{ label: 'One' }, { label: 'Two' }] };
    const area = await addField(ines, id, { type: 'sb', label: 'Area', bind });
    const part = await addField(ines, id, { type: 'sb', label: 'Part', bind });
    const people = { type: 'users', user_groups: ['group_members'] };
    const who = await addField(ines, id, { type: 'sb', label: 'Who', bind: people });
    const one = valueIds(area)['One'];
    const from = { source_field_id: area.field_id, source_value_id: one };
    await setRules(ines, id, {
      lists: [
        { ...from, target_field_id: who.field_id, target_value_id: ines.id },
        { ...from, target_field_id: who.field_id, target_value_id: 100 },
        { ...from, target_field_id: part.field_id, target_value_id: valueIds(part)['Two'] },
      ],
    });
    const hook = { url: 'https://ci.example.com/' };
    for (const place of [`/projects/${projectId}`, `/trackers/${id}`])
      expect((await ines.post(`${place}/webhooks`, hook)).status).toBe(201);
    const mine = await ines.post(`/trackers/${id}/tracker_reports`, { label: 'Mine', is_public: false });
    expect(mine.status, mine.text).toBe(201);
    const path = shelf.free('dependent.zip');
    const { archiveDeps, viewer } = bench;
    expect((await exportProject(archiveDeps, viewer, { projectId, mode: 'all', path })).warnings).toEqual([
      'Archives have no form for 2 webhooks and one personal report of the project dependent: left out.',
      'In the tracker Duties, Who depends on Area: lists of people cannot, so that is left out.',
    ]);
    expect(await fileIn(path, 'left-out.txt')).toMatch(
      /^Archives .* 2 webhooks .*\nIn the tracker Duties, .*\n$/,
    );
    const { project, warnings } = await bench.import(path, { automap, name: 'dependent-again' });
    expect(warnings.filter(({ place }) => place === 'left-out.txt')).toEqual([]);
    const [duty] = (await atelier.admin.get(`/projects/${project.id}/trackers`)).body;
    const { lists } = (await atelier.admin.get(`/trackers/${duty.id}/rules`)).body;
    expect(lists).toMatchObject([{ target_field_id: fieldNamed(duty, 'part').field_id }]);
  });

  test('site administrators import what they upload, and are told what came of it', async () => {
    const archive = await zipped({
      'project.xml': projectXml('uploaded', trackersXml(trackerXml('T1', 'chore', ['Water', 'Weed']))),
      'users.xml': usersXml([]),
    });
    const wish = { file_name: 'uploaded.zip', file_size: archive.length };
    expect((await ines.post('/project_imports', wish)).status).toBe(403);
    const { status, body } = await atelier.admin.post('/project_imports', wish);
    expect([status, body.state]).toEqual([201, 'uploading']);
    expect((await upload(ines, body.upload_href, archive)).status).toBe(404);
    expect((await upload(atelier.admin, body.upload_href, archive)).status).toBe(204);
    const { state, project, report } = await ended(body.uri);
    expect([state, report.counts.artifacts]).toEqual(['done', 2]);
    expect((await atelier.admin.get(`/${project.uri}`)).body.shortname).toBe('uploaded');
    expect((await ines.get(`/${body.uri}`)).status).toBe(404);
    expect((await atelier.admin.get('/project_imports')).body[0].id).toBe(body.id);
  });

  test('an upload that is no archive fails, and says why', async () => {
    const junk = Buffer.from('this is no zip file');
    const { body } = await atelier.admin.post('/project_imports', {
      file_name: 'a.zip',
      file_size: junk.length,
    });
    await upload(atelier.admin, body.upload_href, junk);
    expect(await ended(body.uri)).toMatchObject({
      state: 'failed',
      project: null,
      fault: expect.any(String),
    });
  });

  test('a project is made from an archive that its maker uploads, and is hidden until then', async () => {
    const archive = await zipped({
      'project.xml': projectXml(
        'other-name',
        `<ugroups>${groupXml('growers')}</ugroups>${trackersXml(trackerXml('T1', 'chore'))}`,
        'access="public"',
      ),
      'users.xml': usersXml([]),
    });
    const from_archive = { file_name: 'a.zip', file_size: archive.length };
    const body = { shortname: 'from-upload', label: 'From upload', is_public: false, from_archive };
    expect((await ines.post('/projects?dry_run=1', body)).status).toBe(400);
    const made = await ines.post('/projects', body);
    expect([made.status, Object.keys(made.body)]).toEqual([201, ['id', 'uri', 'upload_href']]);
    for (const person of [ines, atelier.admin])
      expect((await person.get(`/${made.body.uri}`)).status).toBe(404);
    expect((await upload(ines, made.body.upload_href, archive)).status).toBe(204);
    await ended(await lastImportOf(ines));
    expect((await ines.get(`/${made.body.uri}`)).body).toMatchObject({
      ...{ shortname: 'from-upload', label: 'From upload', access: 'private', status: 'active' },
      is_member_of: true,
    });
    expect((await ines.get(`/projects/${made.body.id}/trackers`)).body).toHaveLength(1);
  });

  test('whoever gives an upload up begins anew at once, under the same name', async () => {
    const from_archive = { file_name: 'a.zip', file_size: 5000 };
    const body = { shortname: 'given-up', label: 'Given up', is_public: false, from_archive };
    const headers = { 'X-Auth-AccessKey': ines.key, 'Tus-Resumable': '1.0.0' };
    for (const _ of ['first', 'second']) {
      const made = await ines.post('/projects', body);
      expect(made.status, made.text).toBe(201);
      const href = `${atelier.url}${made.body.upload_href}`;
      expect((await fetch(href, { method: 'DELETE', headers })).status).toBe(204);
      const told = (await ines.get(`/${await lastImportOf(ines)}`)).body;
      expect(told).toMatchObject({ state: 'failed', fault: 'Its upload was given up.', upload_href: null });
      expect((await fetch(href, { method: 'DELETE', headers })).status).toBe(404);
    }
  });

  test('an archive with data makes no project', async () => {
    const archive = await zipped({
      'project.xml': projectXml('x', `<ugroups>${groupXml('project_members', 'ines')}</ugroups>`),
      'users.xml': usersXml([{ username: 'ines' }]),
    });
    const from_archive = { file_name: 'a.zip', file_size: archive.length };
    const made = await ines.post('/projects', {
      shortname: 'with-data',
      label: 'With data',
      is_public: true,
      from_archive,
    });
    await upload(ines, made.body.upload_href, archive);
    expect(await ended(await lastImportOf(ines), ines)).toMatchObject({
      state: 'failed',
      fault: expect.stringContaining('members of user groups'),
    });
    expect((await atelier.admin.get(`/${made.body.uri}`)).status).toBe(404);
    expect(
      (
        await ines.post('/projects', {
          shortname: 'with-data',
          label: 'Again',
          is_public: true,
          xml_template_name: 'empty',
        })
      ).status,
    ).toBe(201);
  });

  test('administrators download a project: its structure, or all of it', async () => {
    const [project] = (await ines.get(`/projects?query=${encodeURIComponent('{"shortname":"from-upload"}')}`))
      .body;
    const modesFor = async (person: Person) =>
      (await person.get(`/projects/${project.id}/archive`)).body.map(({ mode }: { mode: string }) => mode);
    expect([await modesFor(ines), await modesFor(atelier.admin)]).toEqual([
      ['structure'],
      ['structure', 'all'],
    ]);
    const download = (person: Person, mode: string) =>
      fetch(`${atelier.url}/exports/project/${project.id}.zip?mode=${mode}`, {
        headers: { 'X-Auth-AccessKey': person.key },
      });
    const structure = await download(ines, 'structure');
    expect([structure.status, structure.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="from-upload.zip"',
    ]);
    expect(
      Buffer.from(await structure.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    expect([(await download(ines, 'all')).status, (await download(atelier.admin, 'all')).status]).toEqual([
      403, 200,
    ]);
  });

  test('a link to a download works in a browser', async () => {
    const { name: username, password } = ines;
    const login = await atelier.anonymous.post('/sessions', { username, password });
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
    const [project] = (await ines.get(`/projects?query=${encodeURIComponent('{"shortname":"from-upload"}')}`))
      .body;
    const page = new URL(`${atelier.url}/exports/project/${project.id}.zip`);
    for (const site of ['same-origin', 'none', 'cross-site']) {
      const headers = { cookie, 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' };
      const answer = request(page, { headers }).end();
      const [incoming] = (await once(answer, 'response')) as [IncomingMessage];
      expect([incoming.statusCode, incoming.headers['content-type']]).toEqual([200, 'application/zip']);
      await incoming.toArray();
    }
  });

  test('an import that is cancelled comes to nothing, while its archive arrives and while it runs', async () => {
    const titles = Array.from({ length: 3000 }, (_, index) => `Artifact ${index}`);
    const archive = await zipped({
      'project.xml': projectXml('unwanted', trackersXml(trackerXml('T1', 'chore', titles, 'kit'))),
      'users.xml': usersXml([{ username: 'kit' }]),
    });
    const wish = { file_name: 'unwanted.zip', file_size: archive.length, automap };
    const uploading = (await atelier.admin.post('/project_imports', wish)).body;
    expect((await ines.post(`/${uploading.uri}/cancellation`)).status).toBe(404);
    const asked = await atelier.admin.post(`/${uploading.uri}/cancellation`);
    expect([asked.status, asked.body.is_cancelled], asked.text).toEqual([200, true]);
    const over = await ended(uploading.uri);
    expect([over.state, over.fault]).toEqual(['failed', expect.stringMatching(/ cancelled it\.$/)]);
    expect((await upload(atelier.admin, uploading.upload_href, archive)).status).toBe(404);

    const running = (await atelier.admin.post('/project_imports', wish)).body;
    await upload(atelier.admin, running.upload_href, archive);
    await eventually(async () =>
      expect((await atelier.admin.get(`/${running.uri}`)).body.state).toBe('running'),
    );
    expect((await atelier.admin.post(`/${running.uri}/cancellation`)).status).toBe(200);
    expect(await ended(running.uri)).toMatchObject({
      ...{ state: 'failed', project: null, report: null, fault: over.fault },
    });
    const query = encodeURIComponent('{"shortname":"unwanted"}');
    expect((await atelier.admin.get(`/projects?query=${query}`)).body).toEqual([]);
    const users = encodeURIComponent('{"username":"kit"}');
    expect((await atelier.admin.get(`/users?query=${users}`)).body).toEqual([]);
    const late = await atelier.admin.post(`/${running.uri}/cancellation`);
    expect([late.status, late.body.error.message]).toEqual([409, expect.stringContaining('is over')]);
    // Its name is free again, and so is whoever asked for it.
    const other = await zipped({ 'project.xml': projectXml('unwanted'), 'users.xml': usersXml([]) });
    const again = (await atelier.admin.post('/project_imports', { ...wish, file_size: other.length })).body;
    await upload(atelier.admin, again.upload_href, other);
    expect((await ended(again.uri)).state).toBe('done');
  });

  test('an import comes to nothing once whoever asked for it may not import any more', async () => {
    const rhea = await atelier.createUser('rhea', { real_name: 'Rhea' });
    const administrators = (...people: readonly Person[]) =>
      atelier.admin.put(
        '/user_groups/1_4/users',
        people.map(({ id }) => ({ id })),
      );
    const titles = Array.from({ length: 3000 }, (_, index) => `Artifact ${index}`);
    const archive = await zipped({
      'project.xml': projectXml('stranded', trackersXml(trackerXml('T1', 'chore', titles, 'kay'))),
      'users.xml': usersXml([{ username: 'kay' }]),
    });
    const wish = { file_name: 'stranded.zip', file_size: archive.length, automap };
    const refused = {
      ...{ state: 'failed', project: null, report: null },
      fault: 'Rhea may not import archives any more.',
    };
    const expectNothing = async () => {
      expect((await atelier.admin.get('/project_names/stranded')).status).toBe(404);
      const users = encodeURIComponent('{"username":"kay"}');
      expect((await atelier.admin.get(`/users?query=${users}`)).body).toEqual([]);
    };

    await administrators(atelier.admin, rhea);
    const uploading = (await rhea.post('/project_imports', wish)).body;
    await administrators(atelier.admin);
    await upload(rhea, uploading.upload_href, archive);
    expect(await ended(uploading.uri)).toMatchObject(refused);
    await expectNothing();

    await administrators(atelier.admin, rhea);
    const running = (await rhea.post('/project_imports', wish)).body;
    await upload(rhea, running.upload_href, archive);
    await eventually(async () =>
      expect((await atelier.admin.get(`/${running.uri}`)).body.state).toBe('running'),
    );
    await administrators(atelier.admin);
    expect(await ended(running.uri)).toMatchObject(refused);
    await expectNothing();

    const own = await rhea.post('/projects', {
      ...{ shortname: 'stranded', label: 'Stranded', is_public: false },
      from_archive: { file_name: 'stranded.zip', file_size: archive.length },
    });
    expect(own.status, own.text).toBe(201);
    const uri = await lastImportOf(rhea);
    await atelier.admin.patch(`/users/${rhea.id}`, { values: { status: 'S' } });
    expect(await ended(uri)).toMatchObject(refused);
    await expectNothing();
  });

  /** An archive of many artifacts and one account, called like its project. */
  const largeArchive = (name: string) => {
    const titles = Array.from({ length: 1500 }, (_, index) => `Artifact ${index}`);
    return shelf.add({
      'project.xml': projectXml(name, trackersXml(trackerXml('T1', 'chore', titles, `${name}-user`))),
      'users.xml': usersXml([{ username: `${name}-user` }]),
    });
  };

  /** How many artifacts a project has that may be hidden. */
  const artifactsIn = async (shortname: string) => {
    const query = bench.database.sql
      .selectFrom('project')
      .innerJoin('tracker', 'tracker.project_id', 'project.id')
      .innerJoin('artifact', 'artifact.tracker_id', 'tracker.id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('shortname', '=', shortname);
    return (await bench.database.first<{ count: number }>(query))?.count ?? 0;
  };

  /** An import by the command line that has stored something, and is not over. */
  const importUnderWay = async (name: string, path: string): Promise<ChildProcess> => {
    const environment = { ...process.env, ...atelier.instance.environment };
    const child = spawn(process.execPath, [command, 'import', path, '--automap', automap], {
      env: environment,
    });
    while ((await artifactsIn(name)) === 0) await pause(5);
    return child;
  };

  test('an import by the command line is cancelled as well', async () => {
    const child = await importUnderWay('called-off', largeArchive('called-off'));
    let words = '';
    child.stderr?.on('data', (bytes) => {
      words += bytes;
    });
    const { uri } = (await atelier.admin.get('/project_imports')).body[0];
    expect((await atelier.admin.post(`/${uri}/cancellation`)).status).toBe(200);
    const [code] = await once(child, 'exit');
    expect([code, words]).toEqual([1, expect.stringMatching(/ cancelled it\./)]);
    expect(await ended(uri)).toMatchObject({ state: 'failed', project: null, report: null });
    expect(await artifactsIn('called-off')).toBe(0);
    const users = encodeURIComponent('{"username":"called-off-user"}');
    expect((await atelier.admin.get(`/users?query=${users}`)).body).toEqual([]);
  });

  test('an import that is killed leaves nothing once the service starts again', async () => {
    const path = largeArchive('killed');
    const child = await importUnderWay('killed', path);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const query = encodeURIComponent('{"shortname":"killed"}');
    expect((await atelier.admin.get(`/projects?query=${query}`)).body).toEqual([]);
    await atelier.restart();
    for (;;) {
      const { body } = await atelier.admin.get('/project_imports');
      if (body[0].state === 'failed') break;
      await pause(50);
    }
    expect(await artifactsIn('killed')).toBe(0);
    const users = encodeURIComponent('{"username":"killed-user"}');
    expect((await atelier.admin.get(`/users?query=${users}`)).body).toEqual([]);
    expect((await bench.import(path, { automap })).counts['artifacts']).toBe(1500);
  });
});
