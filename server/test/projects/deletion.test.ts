import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../cli/replies.ts';
import { readArtifact, submit } from '../fixtures/artifact.ts';
import { isStored, someBytes, uploadInChunks } from '../fixtures/file.ts';
import { Receiver } from '../fixtures/notify.ts';
import { createProject, delegate, setMembers } from '../fixtures/project.ts';
import { createRepository, lacksSubversion, SvnClient } from '../fixtures/svn.ts';
import { addField, createTracker, setSemantics } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

const query = (criteria: object) => encodeURIComponent(JSON.stringify(criteria));

/** A project with a bit of everything, and an artifact of another one that is tied to it. */
interface Plot {
  readonly project: number;
  readonly shortname: string;
  readonly tracker: number;
  readonly title: number;
  readonly artifact: number;
  readonly file: number;
  readonly bytes: Buffer;
  /** An artifact of another project, which links to it and names it. */
  readonly neighbour: number;
  /** An artifact that was deleted before. */
  readonly lost: number;
}

describe.each(usuallyOn('SQLite'))('deleting projects on %s', (engine) => {
  let atelier: Atelier;
  let receiver: Receiver;
  let alice: Person;
  let bob: Person;
  /** A project that stays. */
  let home: { project: number; tracker: number; title: number; text: number; links: number };
  const client = new SvnClient();
  beforeAll(async () => {
    receiver = await Receiver.start();
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    await atelier.configure({ webhook_hosts: receiver.host, artifact_deletion_limit: 100 });
    const { id: project } = await createProject(alice, 'home');
    home = { project, ...(await formOf(project, 'home_task')) };
  });
  afterAll(async () => {
    await atelier?.stop();
    await receiver?.stop();
    client.remove();
  });

  async function formOf(project: number, item_name: string) {
    const { id: tracker } = await createTracker(alice, project, { item_name });
    const add = async (type: string, name: string) =>
      (await addField(alice, tracker, { type, name })).field_id;
    const title = await add('string', 'title');
    const [text, links, files] = [
      await add('text', 'text'),
      await add('art_link', 'links'),
      await add('file', 'files'),
    ];
    await setSemantics(alice, tracker, { title: { field_id: title } });
    return { tracker, title, text, links, files };
  }

  async function makePlot(shortname: string): Promise<Plot> {
    const { id: project } = await createProject(alice, shortname);
    await setMembers(alice, `${project}_3`, [alice, bob]);
    const { tracker, title, files } = await formOf(project, `${shortname}_task`);
    const bytes = someBytes(2000);
    const file = await uploadInChunks(alice, bytes);
    const artifact = await submit(alice, tracker, [
      { field_id: title, value: `pelican ${shortname}` },
      { field_id: files, value: [file] },
    ]);
    const lost = await submit(alice, tracker, [{ field_id: title, value: 'lost' }]);
    expect((await alice.delete(`/artifacts/${lost}`)).status).toBe(200);
    const neighbour = await submit(alice, home.tracker, [
      { field_id: home.title, value: `neighbour of ${shortname}` },
      { field_id: home.text, value: `see art #${artifact}` },
      { field_id: home.links, links: [{ id: artifact }] },
    ]);
    const dashboard = (await alice.post('/dashboards', { title: 'Plot', project_id: project })).body.uri;
    for (const uri of [`projects/${project}`, dashboard, `trackers/${tracker}`, `artifacts/${artifact}`]) {
      expect((await bob.post('/users/self/history', { uri })).status).toBe(204);
      expect((await bob.put('/users/self/favorites', { uris: [uri] })).status).toBe(200);
      if (/^(trackers|artifacts)/.test(uri)) await bob.put(`/${uri}/watching`, { is_watching: true });
    }
    if (!lacksSubversion) await createRepository(alice, project, 'code');
    return { project, shortname, tracker, title, artifact, file, bytes, neighbour, lost };
  }

  /** Where somebody meets the artifact of a plot. */
  async function meetings(caller: Caller, { artifact, neighbour, shortname }: Plot) {
    const idsOf = (list: readonly { id: number }[] = []) => list.map(({ id }) => id).includes(artifact);
    const links = (await caller.get(`/artifacts/${neighbour}/linked_artifacts?direction=forward`)).body;
    const search = (await caller.get('/search?words=pelican&limit=50')).body;
    const tql = `SELECT @id FROM @project.name = '${shortname}' WHERE @id = ${artifact}`;
    const across = await caller.get(`/crosstracker_query/content?query=${query({ tql_query: tql })}`);
    const text = (await caller.get(`/artifacts/${neighbour}`)).text;
    return {
      linked: idsOf(links.collection),
      found: JSON.stringify(search).includes(`pelican ${shortname}`),
      queried: across.text.includes(`"id":${artifact},`),
      named: text.includes(`"artifacts/${artifact}"`),
    };
  }
  const everywhere = { linked: true, found: true, queried: true, named: true };
  const nowhere = { linked: false, found: false, queried: false, named: false };

  /** What is answered where the plot itself is. */
  async function statuses(caller: Caller, { project, tracker, artifact, file }: Plot) {
    const paths = [
      `/projects/${project}`,
      `/trackers/${tracker}`,
      `/artifacts/${artifact}`,
      `/artifact_files/${file}`,
    ];
    const replies = await Promise.all(paths.map((path) => caller.get(path)));
    return replies.map(({ status }) => status);
  }

  const listedIn = async (caller: Caller, list: string) =>
    (await caller.get(list)).body.map(({ id }: { id: number }) => id);

  const foundSoon = (plot: Plot) =>
    eventually(async () => expect(await meetings(alice, plot)).toEqual(everywhere));

  /** Lets the service look for projects to purge at once. */
  const purgeNow = () => atelier.sql("delete from job where name in ('purge-projects', 'purge-files')");

  /** Every table that has something of a project in it, by the columns that name what is in it. */
  /** Where something of it is left; what was still to be told of it when it went is told a moment later. */
  async function rowsOf({ project, tracker, artifact, lost }: Plot): Promise<string[]> {
    const columns = await atelier.sql(
      engine === 'SQLite'
        ? "select m.name as name, c.name as column_name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'"
        : "select table_name as name, column_name from information_schema.columns where table_schema = 'public'",
    );
    const ids: Readonly<Record<string, readonly number[]>> = {
      project_id: [project],
      tracker_id: [tracker],
      artifact_id: [artifact, lost],
    };
    const left: string[] = [];
    for (const { name, column_name } of columns) {
      const wanted = ids[String(column_name)];
      // The index is folded a moment later.
      if (wanted === undefined || String(name) === 'search_pending') continue;
      const [row] = await atelier.sql(
        `select count(*) as n from "${name}" where "${column_name}" in (${wanted.join(', ')})`,
      );
      if (Number(row?.['n']) > 0) left.push(`${name}.${column_name}`);
    }
    const places = `kind = 'project' and item_id = ${project} or kind = 'tracker' and item_id = ${tracker} or kind = 'artifact' and item_id = ${artifact} or kind = 'dashboard' and item_id not in (select id from dashboard)`;
    for (const table of ['visit', 'favorite', 'watch'])
      if ((await atelier.sql(`select kind from ${table} where ${places}`)).length > 0) left.push(table);
    return left;
  }

  const repositoryUrl = ({ shortname }: Plot) => `${atelier.url}/svnplugin/${shortname}/code`;

  test('is for site administrators, and not for the projects of the platform', async () => {
    const { id } = await createProject(alice, 'guarded');
    const manager = await atelier.createUser('manager');
    await delegate(atelier, manager, [8]);
    for (const caller of [alice, bob, manager]) {
      expect((await caller.delete(`/projects/${id}`)).status).toBe(403);
      expect((await caller.get('/deleted_projects')).status).toBe(403);
    }
    expect((await atelier.anonymous.delete(`/projects/${id}`)).status).toBe(401);
    for (const builtIn of [1, 100])
      expect((await atelier.admin.delete(`/projects/${builtIn}`)).status).toBe(403);
    expect((await atelier.admin.delete('/projects/999999')).status).toBe(404);
    expect((await atelier.admin.post(`/deleted_projects/${id}/restore`)).status).toBe(404);
    expect((await atelier.admin.delete(`/deleted_projects/${id}`)).status).toBe(404);
    expect((await alice.get(`/projects/${id}`)).status).toBe(200);
  });

  test('hides everything everywhere, and undoing it brings everything back', async () => {
    const plot = await makePlot('orchard');
    const { project, shortname } = plot;
    await foundSoon(plot);
    const before = await readArtifact(alice, plot.artifact);
    const deleted = await atelier.admin.delete(`/projects/${project}`);
    expect([deleted.status, deleted.text]).toEqual([200, '']);
    for (const caller of [alice, bob]) {
      expect(await statuses(caller, plot)).toEqual([403, 403, 403, 404]);
      expect(await meetings(caller, plot)).toEqual(nowhere);
    }
    expect(await meetings(atelier.admin, plot)).toEqual(nowhere);
    expect((await atelier.admin.get(`/projects/${project}`)).body.status).toBe('deleted');
    expect(await statuses(atelier.admin, plot)).toEqual([200, 200, 200, 200]);
    const looked = await atelier.admin.get(`/trackers/${plot.tracker}/artifacts`);
    expect([
      looked.headers.get('x-pagination-size'),
      looked.body.map(({ id }: { id: number }) => id),
    ]).toEqual(['1', [plot.artifact]]);
    expect(await listedIn(atelier.admin, '/projects?limit=50')).not.toContain(project);
    const gone = query({ with_status: 'deleted' });
    expect(await listedIn(atelier.admin, `/projects?limit=50&query=${gone}`)).toContain(project);
    expect(
      (await alice.get(`/users/self/artifacts?query=${query({ submitted_by: true })}`)).text,
    ).not.toContain(`"artifacts/${plot.artifact}"`);
    expect((await alice.get(`/users/${alice.id}/membership`)).text).not.toContain(shortname);
    const again = { shortname, label: 'Once more', is_public: true, xml_template_name: 'empty' };
    expect((await alice.post('/projects', again)).status).toBe(400);
    const values = [{ field_id: plot.title, value: 'More' }];
    const body = { tracker: { id: plot.tracker }, values };
    for (const caller of [alice, atelier.admin])
      expect((await caller.post('/artifacts', body)).status).toBe(403);
    if (!lacksSubversion) expect((await client.svn(alice, ['ls', repositoryUrl(plot)])).code).not.toBe(0);
    expect((await atelier.admin.delete(`/projects/${project}`)).status).toBe(403);
    expect((await atelier.admin.patch(`/projects/${project}`, { status: 'active' })).status).toBe(403);
    const [entry] = (await atelier.admin.get('/deleted_projects')).body;
    expect(entry).toMatchObject({
      ...{ id: project, uri: `deleted_projects/${project}`, shortname, label: `Project ${shortname}` },
      ...{ deleted_by: { id: 101 }, deleted_on: expect.any(String), purge_due_on: expect.any(String) },
    });
    const days = (Date.parse(entry.purge_due_on) - Date.parse(entry.deleted_on)) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    expect((await atelier.admin.get(`/${entry.uri}`)).body).toEqual(entry);

    const restored = await atelier.admin.post(`/deleted_projects/${project}/restore`);
    expect([restored.status, restored.body]).toEqual([200, { id: project, uri: `projects/${project}` }]);
    expect(await statuses(bob, plot)).toEqual([200, 200, 200, 200]);
    expect(await meetings(alice, plot)).toEqual(everywhere);
    expect(await readArtifact(alice, plot.artifact)).toEqual(before);
    expect((await atelier.admin.get(`/deleted_projects/${project}`)).status).toBe(404);
    if (!lacksSubversion) await client.must(alice, ['ls', repositoryUrl(plot)]);
    const { text: history } = await alice.get(`/projects/${project}/history`);
    for (const event of ['project_deleted', 'project_restored']) expect(history).toContain(event);
  });

  test('brings a suspended project back suspended', async () => {
    const { id } = await createProject(alice, 'frozen');
    await atelier.admin.patch(`/projects/${id}`, { status: 'suspended' });
    await atelier.admin.delete(`/projects/${id}`);
    await atelier.admin.post(`/deleted_projects/${id}/restore`);
    expect((await atelier.admin.get(`/projects/${id}`)).body.status).toBe('suspended');
  });

  test('lets webhooks wait', async () => {
    const { id: early } = await createProject(alice, 'early');
    const { id: late } = await createProject(alice, 'late');
    const hooks: number[] = [];
    for (const project of [early, late]) {
      const url = `http://${receiver.host}/${project}`;
      hooks.push((await alice.post(`/projects/${project}/webhooks`, { url })).body.id);
      expect((await alice.post(`/webhooks/${hooks.at(-1)}/ping`)).status).toBeLessThan(300);
    }
    const callsOf = (project: number) => receiver.calls.filter(({ url }) => url === `/${project}`).length;
    await eventually(() => expect([callsOf(early), callsOf(late)]).toEqual([1, 1]));
    // A call is counted before its answer is written down.
    const open = `select id from webhook_delivery where due_at is not null and webhook_id in (${hooks.join(', ')})`;
    await eventually(async () => expect(await atelier.sql(open)).toEqual([]));
    expect((await atelier.admin.delete(`/projects/${early}`)).status).toBe(200);
    // As if both had something left to be told.
    await atelier.sql(
      `update webhook_delivery set state = 'waiting', due_at = 1 where webhook_id in (${hooks.join(', ')})`,
    );
    await atelier.sql(`update webhook set due_at = 1 where id in (${hooks.join(', ')})`);
    await eventually(() => expect(callsOf(late)).toBe(2));
    expect(callsOf(early)).toBe(1);
    await atelier.admin.post(`/deleted_projects/${early}/restore`);
    await eventually(() => expect(callsOf(early)).toBe(2));
  });

  test('ends with a purge that leaves nothing, and frees the short name', async () => {
    const [asked, due, cut] = [await makePlot('asked'), await makePlot('overdue'), await makePlot('cutoff')];
    const plots = [asked, due, cut];
    for (const plot of plots) await foundSoon(plot);
    for (const { project } of plots)
      expect((await atelier.admin.delete(`/projects/${project}`)).status).toBe(200);
    expect((await atelier.admin.delete(`/deleted_projects/${asked.project}`)).status).toBe(202);
    await atelier.sql(`update project set purge_due_at = 1 where id = ${due.project}`);
    // As a process leaves it that dies at the beginning of a purge.
    await atelier.sql(`update project set purge_due_at = 1, status = 'purging' where id = ${cut.project}`);
    await purgeNow();
    await eventually(async () => {
      for (const { project } of plots)
        expect((await atelier.admin.get(`/projects/${project}`)).status).toBe(404);
      for (const plot of plots) await expect.poll(() => rowsOf(plot)).toEqual([]);
    });
    await purgeNow();
    await eventually(() => {
      for (const { bytes } of plots) expect(isStored(atelier, bytes)).toBe(false);
    });
    const folder = (...path: string[]) => join(atelier.instance.folder, ...path);
    for (const { project, lost, neighbour } of plots) {
      expect(existsSync(folder('svn_plugin', String(project)))).toBe(false);
      expect(readdirSync(folder('deleted')).filter((name) => name.includes(`_${lost}_`))).toEqual([]);
      expect((await atelier.admin.post(`/deleted_projects/${project}/restore`)).status).toBe(404);
      const { body, status } = await alice.get(`/artifacts/${neighbour}/linked_artifacts?direction=forward`);
      expect([status, body.collection]).toEqual([200, []]);
    }
    expect(await meetings(atelier.admin, asked)).toEqual(nowhere);
    const events = (await atelier.admin.get('/system_event?limit=100')).text;
    expect(events).toContain('asked is purged');
    await createProject(alice, 'asked');
  });

  test('is done by commands, too', async () => {
    const plot = await makePlot('commanded');
    const { project } = plot;
    expectRefusal(await atelier.cli('project', 'purge', 'commanded', '--yes'), 'is not deleted');
    await atelier.configure({ project_purge_delay: 0 });
    const { stdout } = await atelier.cli('project', 'delete', 'commanded');
    expect(stdout).toBe(
      'The project commanded was deleted. `project restore commanded` brings it back, until somebody purges it.\n',
    );
    await atelier.configure({ project_purge_delay: 30 });
    expect(await statuses(alice, plot)).toEqual([403, 403, 403, 404]);
    expect((await atelier.admin.get(`/deleted_projects/${project}`)).body).toMatchObject({
      ...{ deleted_by: null, purge_due_on: null },
    });
    expect((await atelier.cli('project', 'restore', 'commanded')).stdout).toBe(
      'The project commanded is back.\n',
    );
    expect(await statuses(alice, plot)).toEqual([200, 200, 200, 200]);
    expectRefusal(await atelier.cli('project', 'restore', 'commanded'), 'no such deleted project');
    await atelier.cli('project', 'delete', 'commanded');
    expectRefusal(await atelier.cli('project', 'purge', 'commanded'), '--yes', 2);
    const { code, stderr } = await atelier.cli('project', 'purge', 'commanded', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect.poll(() => rowsOf(plot)).toEqual([]);
    expect((await atelier.admin.get(`/projects/${project}`)).status).toBe(404);
    const { stdout: said } = await atelier.cli('doctor');
    expect(said).not.toMatch(/^problem/m);
  });
});
