import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExportMode, exportProject, openArchive } from '../../src/archive/index.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { createPlatform } from '../../src/operations.ts';
import { readArtifact, type Value } from '../fixtures/artifact.ts';
import { setMembers } from '../fixtures/project.ts';
import {
  ArchiveBench,
  ArchiveShelf,
  groupXml,
  projectXml,
  trackersXml,
  trackerXml,
  usersXml,
} from '../fixtures/project-archive.ts';
import { lacksSubversion } from '../fixtures/svn.ts';
import { fieldNamed, readTracker, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

const automap = { automap: 'no-email,create:A' };

const engines = oneEngine('PostgreSQL', 'what is imported, and what of it is warned of, is decided in code');

describe.each(engines)('importing a project on %s', (engine) => {
  let atelier: Atelier;
  let bench: ArchiveBench;
  let otto: Person;
  const shelf = new ArchiveShelf();
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    bench = await ArchiveBench.open(atelier.instance);
    otto = await atelier.createUser('otto');
  });
  afterAll(async () => {
    shelf.remove();
    await bench.close();
    await atelier.stop();
  });

  const archive = (
    shortname: string,
    content: string,
    users: Parameters<typeof usersXml>[0] = [],
    more = {},
  ) => shelf.add({ 'project.xml': projectXml(shortname, content), 'users.xml': usersXml(users), ...more });

  /** The words of the refusal, empty when there is none. */
  const refusalOf = async (path: string, options = {}) => {
    try {
      await bench.import(path, options);
      return '';
    } catch (error) {
      return error instanceof Refusal ? error.detail : String(error);
    }
  };

  const projectNamed = async (shortname: string) => {
    const query = encodeURIComponent(JSON.stringify({ shortname }));
    return (await atelier.admin.get(`/projects?query=${query}`)).body[0];
  };

  const membersOf = async (group: string) => {
    const { body } = await atelier.admin.get(`/user_groups/${group}/users?limit=50`);
    return body.map(({ username }: { username: string }) => username);
  };

  const accountNamed = async (username: string) => {
    const query = encodeURIComponent(JSON.stringify({ username }));
    return (await atelier.admin.get(`/users?query=${query}`)).body[0];
  };

  /** The `project.xml` of an export. */
  const exportedXml = async (projectId: number, mode: ExportMode = 'structure') => {
    const path = shelf.free('out.zip');
    await exportProject(bench.archiveDeps, bench.viewer, { projectId, mode, path });
    const zip = await openArchive(path);
    const xml = Buffer.concat(await Array.fromAsync(await zip.open('project.xml'))).toString();
    await zip.close();
    return xml;
  };

  test('gives the project with its groups, members, tools and links', async () => {
    const path = archive(
      'Garden_Club',
      `<services>
        <service shortname="plugin_tracker" enabled="1"/><service shortname="plugin_svn" enabled="false"/>
        <service shortname="docman" enabled="1"/><service shortname="forum" enabled="0"/>
        <project-defined-service shortname="" enabled="1" label="Wiki" description="Ours" link="https://wiki.example.com/" is_in_new_tab="1"/>
      </services>
      <ugroups>${groupXml('project_admins', 'ines')}${groupXml('project_members', 'ines', 'otto')}${groupXml('growers', 'otto', 'guest')}${groupXml('svn_admins', 'otto')}</ugroups>
      <banner>Come and see</banner>
      <dashboards><dashboard name="one"/><dashboard name="two"/></dashboards><spaceship/>`,
      [{ username: 'ines' }, { username: 'otto' }, { username: 'guest' }],
      {
        'user_map.csv':
          'name,action,comments\nines,create:A,\nguest,"create:S","who, exactly?"\nsomebody,noop\n',
      },
    );
    const report = await bench.import(path);
    const project = await projectNamed('garden_club');
    expect(project).toMatchObject({ label: 'Project Garden_Club', access: 'private', status: 'active' });
    expect(report.project).toEqual({ id: project.id, shortname: 'Garden_Club' });
    expect(report.counts).toMatchObject({ users_created: 2, users_mapped: 1, groups: 2 });
    expect(report.warnings.map(({ text }: { text: string }) => text)).toEqual([
      'There is no service docman here: it is kept, and does nothing.',
      'dashboards (dashboards, 2 items) was left out: there is nothing of the kind here.',
      'The element spaceship is not known here.',
    ]);
    expect(await membersOf(`${project.id}_4`)).toEqual(['ines']);
    // Whoever is in a group of a private project is a member of it.
    expect(await membersOf(`${project.id}_3`)).toEqual(['guest', 'ines', 'otto']);
    const growers = report.ids['groups']?.['growers'];
    expect(await membersOf(String(growers))).toEqual(['otto']);
    // Here that is a group like any other.
    expect(await membersOf(String(report.ids['groups']?.['svn_admins']))).toEqual(['otto']);
    expect((await accountNamed('guest')).status).toBe('S');
    const { body: services } = await atelier.admin.get(`/projects/${project.id}/project_services`);
    expect(
      services.map((service: { name: string; is_enabled: boolean }) => [service.name, service.is_enabled]),
    ).toEqual([
      ['plugin_tracker', true],
      ['plugin_svn', false],
      ['docman', true],
      ['forum', false],
      ['', true],
      ['summary', true],
      ['admin', true],
    ]);
    expect((await atelier.admin.get(`/projects/${project.id}/banner`)).body).toEqual({
      message: 'Come and see',
    });
    expect(readFileSync(report.ids_file ?? '', 'utf8')).toContain(`group,growers,${growers}\n`);
  });

  test('18.9 stands in the history of the project and in the log of the platform', async () => {
    await bench.import(archive('almanac', '', []));
    const project = await projectNamed('almanac');
    const { body: history } = await atelier.admin.get(`/projects/${project.id}/history`);
    const line = history.find(({ event }: { event: string }) => event === 'project_imported');
    // What the archive was called.
    expect(line.subject).not.toBe('');
    const { body: events } = await atelier.admin.get('/platform/events?kind=project_import');
    expect(events[0].subject).toBe('almanac');
  });

  test('accounts and repositories that it makes are in the logs, as those that are made one by one', async () => {
    const { headers } = await atelier.admin.get('/system_event?limit=1');
    const before = Number(headers.get('x-pagination-size'));
    const svn = lacksSubversion ? '' : '<svn><repository name="plots"/></svn>';
    const users = [{ username: 'awake' }, { username: 'asleep' }];
    const map = 'name,action,comments\nawake,create:A,\nasleep,create:S,\n';
    const { project } = await bench.import(archive('logged', svn, users, { 'user_map.csv': map }));
    const tasks = (await atelier.admin.get(`/system_event?limit=100&offset=${before}`)).body;
    expect(tasks.map(({ type, status, log }: Value) => [type.split('\\').at(-1), status, log])).toEqual([
      ['SystemEventUserActiveStatusChange', 'DONE', 'awake is active'],
      ...(lacksSubversion
        ? []
        : [['SystemEvent_SVN_CREATE_REPOSITORY', 'DONE', `plots of project ${project.id} is there`]]),
    ]);
    const { body: events } = await atelier.admin.get('/platform/events?kind=account_create');
    expect(events.map(({ subject }: Value) => subject)).toEqual(expect.arrayContaining(['awake', 'asleep']));
  });

  test('leaves whoever imports as administrator where the archive names none', async () => {
    const report = await bench.import(
      archive('no-admins', `<ugroups>${groupXml('project_members', 'otto')}</ugroups>`, [
        { username: 'otto' },
      ]),
      automap,
    );
    expect(await membersOf(`${report.project.id}_4`)).toEqual(['admin']);
    expect(await membersOf(`${report.project.id}_3`)).toEqual(['admin', 'otto']);
  });

  test('people in a group of a public project need not be its members', async () => {
    const ugroups = `<ugroups>${groupXml('helpers', 'otto')}</ugroups>`;
    const report = await bench.import(
      shelf.add({
        'project.xml': projectXml('open-house', ugroups, 'access="public"'),
        'users.xml': usersXml([{ username: 'otto' }]),
      }),
      automap,
    );
    expect(await membersOf(`${report.project.id}_3`)).toEqual(['admin']);
    expect(await membersOf(String(report.ids['groups']?.['helpers']))).toEqual(['otto']);
  });

  test('services of other platforms stay in order, are switched off and on, and are exported again', async () => {
    const path = archive(
      'foreign-services',
      `<services>
        <service shortname="forum" enabled="0"/><service shortname="plugin_tracker" enabled="1"/>
        <service shortname="plugin_git" enabled="1"/><service shortname="" enabled="1"/>
        <project-defined-service shortname="" enabled="1" label="Trap" description="" link="javascript:alert(1)" is_in_new_tab="0"/>
      </services>`,
    );
    const { project, warnings } = await bench.import(path);
    expect(warnings.map(({ code, place, text }) => [code, place, text])).toEqual([
      [
        'skipped_element',
        'project/services/service[plugin_git]',
        'There is no service plugin_git here: it is kept, and does nothing.',
      ],
      ['skipped_element', 'project/services/service', 'A service has no short name.'],
      [
        'invalid_value',
        'project/services/project-defined-service[Trap]',
        'The link Trap was left out: it must have a label, and lead to a path or to an http or https address.',
      ],
    ]);
    const { body: services } = await atelier.admin.get(`/projects/${project.id}/project_services`);
    const told = services.map((service: { name: string; is_enabled: boolean; label: string }) => [
      ...[service.name, service.is_enabled, service.label],
    ]);
    expect(told).toEqual([
      ['forum', false, 'forum'],
      ['plugin_tracker', true, 'Trackers'],
      ['plugin_git', true, 'plugin_git'],
      ['summary', true, 'Home'],
      ['admin', true, 'Administration'],
      ['plugin_svn', false, 'Subversion'],
    ]);
    const switched = (index: number, is_enabled: boolean) =>
      atelier.admin.put(`/project_services/${services[index].id}`, { is_enabled });
    const isOn = async (index: number) =>
      (await atelier.admin.get(`/project_services/${services[index].id}`)).body.is_enabled;
    expect([(await switched(0, true)).status, await isOn(0)]).toEqual([200, true]);
    expect([(await switched(2, false)).status, await isOn(2)]).toEqual([200, false]);
    await atelier.configure({ disabled_services: 'plugin_git' });
    expect((await switched(2, true)).status).toBe(400);
    await atelier.configure({ disabled_services: '' });
    expect(await isOn(2)).toBe(false);
    const xml = await exportedXml(project.id);
    expect(
      [...xml.matchAll(/<service shortname="(\w+)" enabled="(\w+)"/g)].map(([, ...found]) => found),
    ).toEqual([
      ['forum', '1'],
      ['plugin_tracker', '1'],
      ['plugin_git', '0'],
      ['summary', '1'],
      ['admin', '1'],
      ['plugin_svn', '0'],
    ]);
  });

  test('warnings of one kind are told together, each with its line and without a blank', async () => {
    const fields = ['one', 'two', 'three'].map(
      (name) =>
        `<formElement type="int" ID="${name}" rank="5"><name>${name}</name><label>${name}</label></formElement>`,
    );
    const tracker = trackerXml('T1', 'chore', ['Weed', 'Water'])
      .replace('</formElements>', `${fields.join('')}<externalField/></formElements>`)
      .replaceAll(
        '<comments/>',
        '<comments/><field_change field_name="one" type="int"><value>many</value></field_change>',
      );
    const { warnings, warning_count } = await bench.import(
      archive('many-warnings', `<dashboards/>${trackersXml(tracker)}`),
    );
    expect(warning_count).toBe(7);
    expect(warnings.map(({ code, count, text }) => [code, count, text])).toEqual([
      [
        'skipped_element',
        1,
        'dashboards (dashboards, 0 items) was left out: there is nothing of the kind here.',
      ],
      ['unknown_field_type', 1, 'externalField without a type is no field of this platform.'],
      [
        'no_field_permission',
        3,
        '3 fields have no permissions, so nobody can read or change them: chore.one, chore.two, chore.three.',
      ],
      [
        'invalid_value',
        2,
        '2 values of chore.one could not be taken over as they are; they are values of: artifact 1000000, artifact 1000001.',
      ],
    ]);
    for (const { place, line, text } of warnings) {
      expect(line, text).toBeGreaterThan(0);
      expect(place + text).not.toMatch(/\[\]|\?|undefined|""/);
    }
  });

  /** Imports one tracker, and gives it with all that was warned of. */
  const importTracker = async (shortname: string, xml: string) => {
    const { project, ids, warnings } = await bench.import(archive(shortname, trackersXml(xml)));
    const [id = 0] = Object.values(ids['trackers'] ?? {});
    return { projectId: project.id, tracker: await readTracker(atelier.admin, Number(id)), warnings, ids };
  };

  test('done are closed values alone that can still be chosen', async () => {
    const semantics = `<semantic type="status"><field REF="T1F2"/><open_values><open_value REF="T1open"/></open_values></semantic>
      <semantic type="done"><closed_values>${['open', 'done', 'gone', 'done', 'never']
        .map((value) => `<closed_value REF="T1${value}"/>`)
        .join('')}</closed_values></semantic></semantics>`;
    const xml = trackerXml('T1', 'chore')
      .replace('</items>', '<item ID="T1gone" label="Gone" is_hidden="1"/></items>')
      .replace('</semantics>', semantics);
    const { tracker, warnings } = await importTracker('what-is-done', xml);
    const { Open, Done } = valueIds(fieldNamed(tracker, 'state'));
    const { body } = await atelier.admin.get(`/trackers/${tracker.id}/semantics`);
    expect(body).toMatchObject({
      status: { value_ids: [Open] },
      done: { value_ids: [Done] },
    });
    expect(warnings.map(({ code, text }) => [code, text])).toEqual([
      ['invalid_value', expect.stringContaining('The value T1open is no closed value')],
      ['invalid_value', expect.stringContaining('The value T1gone is no closed value')],
    ]);
  });

  test('a short name that is made from a label has ASCII letters alone', async () => {
    const labels = ['Priorité', 'Straße', 'Größe / ½', '状態', '期限', 'Priorite'];
    const fields = labels.map(
      (label, index) =>
        `<formElement type="int" ID="N${index}" rank="5"><name> </name><label>${label}</label></formElement>`,
    );
    const xml = trackerXml('T1', 'chore').replace('</formElements>', `${fields.join('')}</formElements>`);
    const { tracker } = await importTracker('unnamed-fields', xml);
    expect(tracker.fields.map(({ name }) => name)).toEqual([
      ...['title', 'state', 'priorite', 'strasse', 'grosse___1_2', '__', '___1', 'priorite_1'],
    ]);
  });

  test('names are lines without blanks around them, as those that come by the API', async () => {
    const long = 'ü😀'.repeat(200);
    const report = `<reports><report><name>
      All </name><criterias/><renderers><renderer ID="R1" type="table" rank="0"><name> Rows </name><columns/></renderer></renderers></report></reports>`;
    const xml = trackerXml('T1', 'chore')
      .replace('<name>Tracker chore</name>', '<name>\n  Chores \n</name>')
      .replace('<label>Title</label>', '<label> Title of\n  it\n</label>')
      .replace('label="Open"', 'label="  Open "')
      .replace('<label>State</label>', `<label>${long}</label>`)
      .replace('<permissions>', `${report}<permissions>`);
    const { tracker, warnings } = await importTracker('blank-names', xml);
    expect(tracker.label).toBe('Chores');
    const [title, state] = tracker.fields;
    expect([title?.label, state?.label]).toEqual(['Title of it', `${'ü😀'.repeat(127)}ü`]);
    expect(Object.keys(valueIds(fieldNamed(tracker, 'state')))).toEqual(['Open', 'Done']);
    const [saved] = (await atelier.admin.get(`/trackers/${tracker.id}/tracker_reports`)).body;
    const { body } = await atelier.admin.get(`/tracker_reports/${saved.id}/settings`);
    expect([body.label, body.renderers[0].label]).toEqual(['All', 'Rows']);
    expect(warnings.map(({ text }) => text)).toEqual(['A name was cut to its first 255 characters.']);
  });

  test('words of a form are kept as they were written, and shown without what could harm', async () => {
    const written =
      '&lt;p class=&quot;note&quot; onclick=&quot;evil()&quot;&gt;Be &lt;b&gt;kind&lt;/b&gt;&lt;/p&gt;&lt;script&gt;evil()&lt;/script&gt;';
    const words = `<formElement type="staticrichtext" ID="W" rank="9"><name>words</name><label>Words</label><properties static_value="${written}"/></formElement>`;
    const xml = trackerXml('T1', 'chore').replace('</formElements>', `${words}</formElements>`);
    const { tracker, projectId } = await importTracker('kind-words', xml);
    const { field_id, specific_properties } = fieldNamed(tracker, 'words');
    const settings = await atelier.admin.get(`/tracker_fields/${field_id}/settings`);
    for (const { static_value: shown } of [specific_properties, settings.body.specific_properties]) {
      expect(shown).toContain('Be <b>kind</b>');
      expect(shown).not.toMatch(/script|evil|onclick/);
    }
    expect(await exportedXml(projectId)).toContain(`static_value="${written}"`);
  });

  test('people without an account keep the addresses that their comments name', async () => {
    const version = (author: string, words: string) =>
      `<comment>${author}<submitted_on format="ISO8601">2024-05-01T10:00:00+02:00</submitted_on><body format="text">${words}</body></comment>`;
    const guest = (name: string) =>
      `<submitted_by format="email" is_anonymous="1">${name}@elsewhere.example</submitted_by>`;
    const comments = [version(guest('gil'), 'Hello'), version(guest('gael'), 'Hallo'), version('', 'Hi')];
    const xml = trackerXml('T1', 'chore', ['Weed'])
      .replace('<submitted_by format="username">None</submitted_by>', guest('guido'))
      .replace('<comments/>', `<comments>${comments.join('')}</comments>`);
    const { projectId, ids } = await importTracker('guests', xml);
    const [artifact] = Object.values(ids['artifacts'] ?? {});
    const [changeset] = (await atelier.admin.get(`/artifacts/${artifact}/changesets`)).body;
    expect(changeset).toMatchObject({ email: 'guido@elsewhere.example', last_comment: { body: 'Hi' } });
    const path = `/artifacts/${artifact}/changesets/${changeset.id}/comment_versions`;
    const told = (await atelier.admin.get(path)).body.map(({ body, email }: Value) => [body, email]);
    expect(told).toEqual([
      ['Hello', 'gil@elsewhere.example'],
      ['Hallo', 'gael@elsewhere.example'],
      ['Hi', 'guido@elsewhere.example'],
    ]);
    const written = (await exportedXml(projectId, 'all')).match(/(?<=is_anonymous="1">)[^<]*/g);
    expect(written).toEqual(['guido', 'gil', 'gael', 'guido'].map((name) => `${name}@elsewhere.example`));
  });

  test('the colour of having no value stays for the next export, whatever is changed of the list', async () => {
    const decorators =
      '<decorators><decorator r="255" g="0" b="1"/><decorator REF="T1open" tlp_color_name="neon-green"/></decorators>';
    const xml = trackerXml('T1', 'chore').replace('</bind>', `${decorators}</bind>`);
    const { projectId, tracker } = await importTracker('colour-of-none', xml);
    const state = fieldNamed(tracker, 'state');
    const { Open } = valueIds(state);
    const changed = await atelier.admin.patch(`/tracker_fields/${state.field_id}/settings`, {
      default_values: [String(Open)],
    });
    expect(changed.status, changed.text).toBe(200);
    const written = (await exportedXml(projectId)).match(/<decorator .*?\/>/g);
    expect(written).toEqual([
      `<decorator REF="V${Open}" tlp_color_name="neon-green"/>`,
      '<decorator r="255" g="0" b="1"/>',
    ]);
  });

  test('what has the ID of something else is told, and neither is taken for the other', async () => {
    const second =
      '<formElement type="string" ID="T1F1" rank="7"><name>second</name><label>Second</label></formElement>';
    const files = ['one', 'two'].map(
      (name) =>
        `<file id="fileinfo_1"><filename>${name}</filename><path>data/${name}</path><filesize>3</filesize><filetype/><description/></file>`,
    );
    const attachments =
      '<formElement type="file" ID="F9" rank="8"><name>files</name><label>Files</label></formElement>';
    const twice = trackerXml('T1', 'chore', ['Weed'])
      .replace('</formElements>', `${second}${attachments}</formElements>`)
      .replace(
        '<permissions>',
        '<permissions><permission scope="field" REF="F9" ugroup="UGROUP_ANONYMOUS" type="PLUGIN_TRACKER_FIELD_READ"/>',
      )
      .replace(
        '</changeset>',
        `<field_change field_name="files" type="file"><value ref="fileinfo_1"/></field_change></changeset>${files.join('')}`,
      );
    // Its fields and values are called as those of the other tracker.
    const alike = trackerXml('T1', 'task', ['Dig'])
      .replace('<tracker id="T1"', '<tracker id="T2"')
      .replace('artifact id="1000000"', 'artifact id="2000000"');
    const end = '<field_id REF="T1F2"/><field_value_id REF="T1done"/>';
    const trigger = `<triggers><trigger_rule><triggers><trigger>${end}</trigger></triggers><condition>all_of</condition><target>${end}</target></trigger_rule></triggers>`;
    const { ids, warnings } = await bench.import(
      archive('called-alike', trackersXml(twice, alike).replace('<triggers/>', trigger), [], {
        'data/one': 'one',
        'data/two': 'two!',
      }),
    );
    const told = warnings.map(({ code, line, text }) => [code, line > 1, text]);
    expect(told).toEqual([
      ['invalid_value', true, 'The ID T1F1 is there twice; it means the first of them.'],
      ['no_field_permission', true, 'Nobody may do anything with the field second.'],
      ['missing_file', true, 'The id fileinfo_1 is there twice; it means the first of them.'],
      ['unknown_reference', true, expect.stringContaining('that several trackers have')],
    ]);
    const artifacts = Object.values(ids['artifacts'] ?? {}).map((id) =>
      readArtifact(atelier.admin, Number(id)),
    );
    const shown = (await Promise.all(artifacts)).map(({ values }) =>
      values?.map(({ label, value, values: chosen, file_descriptions: attached }: Value) => [
        label,
        value ?? (chosen ?? attached).map((entry: Value) => entry.label ?? entry.name),
      ]),
    );
    expect(shown).toEqual([
      [
        ['Title', 'Weed'],
        ['State', ['Open']],
        ['Files', ['one']],
      ],
      [
        ['Title', 'Dig'],
        ['State', ['Open']],
      ],
    ]);
  });

  test('an export names the types of its links, and no others that another platform may not know', async () => {
    const links =
      '<formElement type="art_link" ID="L" rank="3"><name>links</name><label>Links</label></formElement>';
    const link = (nature: string) =>
      `<field_change field_name="links" type="art_link"><value nature="${nature}">1000001</value></field_change>`;
    const tracker = trackerXml('T1', 'chore', ['Weed', 'Dig'])
      .replace('</formElements>', `${links}</formElements>`)
      .replace('</changeset>', `${link('tied_to')}</changeset>`)
      .replace(
        '</changeset>',
        `</changeset><changeset><submitted_by format="username">None</submitted_by><submitted_on format="ISO8601">2024-06-01T10:00:00+02:00</submitted_on><comments/>${link('loosely_tied_to')}</changeset>`,
      );
    const natures =
      '<natures><nature is_used="0">tied_to</nature><nature is_used="0">never_tied_to</nature><nature is_used="0">_covered_by</nature></natures>';
    const { project } = await bench.import(archive('tied', trackersXml(tracker) + natures));
    const naturesOf = async (mode: ExportMode) =>
      [...(await exportedXml(project.id, mode)).matchAll(/<nature( is_used="0")?>(\w+)</g)].map(
        ([, isOff, name]) => `${name}${isOff ? ' off' : ''}`,
      );
    expect(await naturesOf('all')).toEqual([
      '_is_child',
      '_covered_by off',
      'loosely_tied_to',
      'tied_to off',
    ]);
    expect(await naturesOf('structure')).toEqual(['_is_child', '_covered_by off']);
    const task = { projectId: project.id, mode: 'all', path: shelf.free('told.zip') } as const;
    const { warnings } = await exportProject(bench.archiveDeps, bench.viewer, task);
    expect(warnings).toEqual([expect.stringContaining('type never_tied_to are off in the project tied:')]);
  });

  test('tables keep all columns of their order, and whether there may be several', async () => {
    const table = (flag: string, ...fields: string[]) =>
      `<renderer ID="R${flag}${fields.length}" type="table" rank="0" multisort="${flag}"><name>Rows</name><columns/><sort>${fields
        .map((field) => `<field REF="T1${field}"/>`)
        .join('')}</sort></renderer>`;
    const tables = [table('1', 'F1'), table('1', 'F2', 'F1'), table('0', 'F2')];
    const report = `<reports><report><name>All</name><criterias/><renderers>${tables.join('')}</renderers></report></reports>`;
    const xml = trackerXml('T1', 'chore').replace('<permissions>', `${report}<permissions>`);
    const { projectId, tracker } = await importTracker('sorted-tables', xml);
    const [saved] = (await atelier.admin.get(`/trackers/${tracker.id}/tracker_reports`)).body;
    const { renderers } = (await atelier.admin.get(`/tracker_reports/${saved.id}/settings`)).body;
    expect(renderers.map(({ sort, settings }: Value) => [sort.length, settings])).toEqual([
      [1, {}],
      [2, {}],
      [1, {}],
    ]);
    const changed = await atelier.admin.patch(`/tracker_reports/${saved.id}/settings`, {
      renderers: renderers.map(({ id }: Value) => ({ id, settings: { wraps_text: true } })),
    });
    expect(changed.status, changed.text).toBe(200);
    const [title, state] = ['title', 'state'].map((name) => `F${fieldNamed(tracker, name).field_id}`);
    const written = [...(await exportedXml(projectId)).matchAll(/multisort="(.)".*?<sort>(.*?)<\/sort>/gs)];
    expect(written.map(([, flag, keys = '']) => [flag, ...keys.matchAll(/F\d+/g)].map(String))).toEqual([
      ['1', title],
      ['1', state, title],
      ['0', state],
    ]);
  });

  test('comments are trimmed as those that come by the API', async () => {
    const comment = `<comments><comment><submitted_by format="username">None</submitted_by>
      <submitted_on format="ISO8601">2024-05-01T10:00:00+02:00</submitted_on><body format="text">

  Done   </body></comment></comments>`;
    const tracker = trackerXml('T1', 'chore', ['Weed']).replace('<comments/>', comment);
    const { ids } = await bench.import(archive('trimmed', trackersXml(tracker)));
    const [artifact] = Object.values(ids['artifacts'] ?? {});
    const { body } = await atelier.admin.get(`/artifacts/${artifact}/changesets`);
    expect(body[0].last_comment.body).toBe('Done');
  });

  test('a list of imports tells of no ids; each import does, and one that runs again has no old fault', async () => {
    const [listed] = (await atelier.admin.get('/project_imports?limit=1')).body;
    expect(listed.report).toMatchObject({ counts: { artifacts: 1 }, warning_count: 0 });
    expect(Object.keys(listed.report)).not.toEqual(expect.arrayContaining(['ids']));
    const path = `/project_imports/${listed.id}`;
    expect(Object.keys((await atelier.admin.get(path)).body.report.ids)).toContain('artifacts');
    const id: number = listed.id;
    await bench.archiveDeps.operations.failImport(bench.viewer, { id, fault: 'It was cut off.' });
    expect((await atelier.admin.get(path)).body.fault).toBe('It was cut off.');
    const { operations } = createPlatform({ tellsPeople: false });
    const columns = await bench.database.transaction(async (tx) => {
      await operations.requeueImport(tx, bench.viewer, { id });
      const row = tx.sql.selectFrom('project_import').where('id', '=', id);
      const found = await tx.first(row.select(['state', 'fault']));
      // Before anybody runs it: its archive is gone.
      await operations.failImport(tx, bench.viewer, { id, fault: '' });
      return found;
    });
    expect(columns).toEqual({ state: 'waiting', fault: null });
  });

  test('archives that people upload are counted from 1, whatever was imported otherwise', async () => {
    for (const number of [1, 2]) {
      const { body } = await atelier.admin.post('/projects', {
        ...{ shortname: `uploaded-${number}`, label: 'Uploaded', is_public: false },
        from_archive: { file_name: 'a.zip', file_size: 100 },
      });
      expect(body.upload_href).toBe(`/uploads/project/file/${number}`);
      const [listed] = (await atelier.admin.get('/project_imports?limit=1')).body;
      expect(listed.id).toBeGreaterThan(number);
      expect(listed.upload_href).toBe(body.upload_href);
      const headers = { 'X-Auth-AccessKey': atelier.admin.key, 'Tus-Resumable': '1.0.0' };
      await fetch(`${atelier.url}${body.upload_href}`, { method: 'DELETE', headers });
      await eventually(async () =>
        expect((await atelier.admin.get(`/${listed.uri}`)).body.state).toBe('failed'),
      );
    }
  });

  test('synchronised membership makes members of groups members of the project', async () => {
    const report = await bench.import(
      archive('synchronised', `<ugroups mode="synchronized">${groupXml('helpers', 'otto')}</ugroups>`, [
        { username: 'otto' },
      ]),
      automap,
    );
    expect(await membersOf(`${report.project.id}_3`)).toContain('otto');
  });

  describe('people', () => {
    const members = (...names: string[]) => `<ugroups>${groupXml('project_members', ...names)}</ugroups>`;
    const refused = async (map: string, users: Parameters<typeof usersXml>[0]) => {
      const path = archive('people', members(...users.map(({ username }) => username)), users, {
        'user_map.csv': map,
      });
      const words = await refusalOf(path);
      expect(await projectNamed('people')).toBeUndefined();
      return words;
    };
    const head = 'name,action,comments\n';

    test.each([
      [
        'an unknown action',
        `${head}ada,invite,`,
        'There is no action "invite": line 2 of the mapping of users, about ada. Write map:NAME',
      ],
      ['a status that nobody has', `${head}ada,create:X,`, 'There is no action "create:X"'],
      [
        'nobody after map',
        `${head}ada,map:,`,
        'Nobody is named after "map:": line 2 of the mapping of users, about ada. Write map:NAME',
      ],
      ['a name twice', `${head}ada,create:A,\nada,create:S,`, 'ada is named twice'],
      [
        'somebody who is not named',
        head,
        'ada has no account here, and the mapping of users does not name them.',
      ],
      [
        'an account that is not there',
        `${head}ada,map:nemo,`,
        'ada is mapped to nemo, who has no account here.',
      ],
      ['keeping nobody', `${head}ada,noop,`, 'ada has no account here: the mapping must say create or map.'],
    ])('%s is refused', async (_, map, words) => {
      expect(await refused(map, [{ username: 'ada' }])).toContain(words);
      expect(await accountNamed('ada')).toBeUndefined();
    });

    test('another e-mail address, or another name with the same address, must be mapped', async () => {
      const users = [
        { username: 'otto', email: 'other@example.com' },
        { username: 'oskar', email: 'otto@example.com' },
      ];
      const words = await refused(`${head}oskar,create:A,`, users);
      expect(words).toContain('otto has the name of an account here with another e-mail address');
      expect(words).toContain(
        'oskar has the e-mail address of an account here with another name: the mapping must say map.',
      );
    });

    test('are suggested, mapped, and counted', async () => {
      const users = [
        { username: 'oskar', email: 'otto@example.com' },
        { username: 'otto' },
        { username: 'petra' },
      ];
      const path = archive('mapped-people', members('oskar', 'petra'), users);
      const suggestion = await atelier.cli('import', path, '--write-user-map');
      expect(suggestion.stdout.split('\n').slice(0, 3)).toEqual([
        'name,action,comments',
        'oskar,map:,oskar Roe has the e-mail address of an account here with another name',
        'petra,create:S,petra Roe has no account here',
      ]);
      const map = shelf.add({ 'map.csv': suggestion.stdout.replace('map:,', 'map:otto,') });
      const imported = await atelier.cli('import', path, '--json', '--user-map', join(map, 'map.csv'));
      const report = JSON.parse(imported.stdout);
      expect(report.users).toEqual([
        { username: 'oskar', account: 'otto', id: otto.id, is_created: false },
        { username: 'otto', account: 'otto', id: otto.id, is_created: false },
        { username: 'petra', account: 'petra', id: expect.any(Number), is_created: true },
      ]);
      expect(await membersOf(`${report.project.id}_3`)).toEqual(['admin', 'otto', 'petra']);
    });

    test.each(['anything,create:A', 'no-email', 'no-email,map:otto'])(
      'automap %s is refused',
      async (rule) => {
        const path = archive('people', '', [{ username: 'ada' }]);
        expect(await refusalOf(path, { automap: rule })).toContain('create:');
      },
    );

    test('without any mapping nobody is guessed', async () => {
      const path = archive('people', '', [{ username: 'ada' }]);
      expect(await refusalOf(path)).toContain('--automap no-email,create:A');
    });
  });

  test.each([
    ['no project', { 'users.xml': usersXml([]) }, 'project.xml: There is no content in the archive.'],
    [
      'a folder around it',
      {
        'garden/project.xml': projectXml('bad'),
        'garden/users.xml': usersXml([]),
        'users.xml': usersXml([]),
      },
      'project.xml: It is in the folder garden of the archive. Name that folder, or',
    ],
    ['no users', { 'project.xml': projectXml('bad') }, 'users.xml: It is missing.'],
    [
      'an access that is none',
      { 'project.xml': projectXml('bad', '', 'access="open"') },
      'project.xml, line 2: The access open',
    ],
    [
      'a document type',
      { 'project.xml': '<?xml version="1.0"?>\n<!DOCTYPE project [<!ENTITY a "b">]>\n<project/>' },
      'A document type is not allowed.',
    ],
    ['broken XML', { 'project.xml': projectXml('bad', '\n<ugroups>\n<ugroup') }, 'project.xml, line'],
    [
      'an unknown person',
      { 'project.xml': projectXml('bad', `\n<ugroups>${groupXml('project_members', 'nemo')}</ugroups>`) },
      'users.xml tells of nobody with the username "nemo"',
    ],
    [
      'a path out of it',
      {
        'project.xml': projectXml(
          'bad',
          '<svn><repository name="plots" dump-file="../../etc/passwd"/></svn>',
        ),
      },
      'leads out of the archive',
    ],
    [
      'a repository without its dump',
      { 'project.xml': projectXml('bad', '<svn><repository name="plots" dump-file="svn/plots.svn"/></svn>') },
      'The dump svn/plots.svn of the repository plots is missing.',
    ],
    [
      'a repository that is there twice but for its letters',
      { 'project.xml': projectXml('bad', '<svn><repository name="plots"/><repository name="Plots"/></svn>') },
      'line 5: The repository Plots is there twice.',
    ],
    ['a bad short name', { 'project.xml': projectXml('bad name') }, '"bad name" is not one to 255'],
  ])('an archive with %s says what is wrong and leaves nothing behind', async (_, files, words) => {
    const path = shelf.add(
      words === 'users.xml: It is missing.' || 'users.xml' in files
        ? files
        : { 'users.xml': usersXml([]), ...files },
    );
    expect(await refusalOf(path)).toContain(words);
    expect(await projectNamed('bad')).toBeUndefined();
  });

  test('a short name that a project or a user has is refused; another one can be given', async () => {
    const path = archive('taken', '');
    await bench.import(path);
    for (const options of [{}, { name: 'TAKEN' }, { name: 'otto' }])
      expect(await refusalOf(path, options)).toContain('There is');
    const report = await bench.import(path, { name: 'not-taken', isTemplate: true });
    expect(report.project.shortname).toBe('not-taken');
    expect(await projectNamed('not-taken')).toMatchObject({ is_template: true });
  });

  test('a dry run tells what would happen and writes nothing', async () => {
    const path = archive('only-looked-at', `<ugroups>${groupXml('project_admins', 'hugo')}</ugroups>`, [
      { username: 'hugo' },
    ]);
    const { users } = await bench.import(path, { ...automap, isDryRun: true });
    expect(users).toEqual([{ username: 'hugo', account: 'hugo', id: 0, is_created: true }]);
    expect([await projectNamed('only-looked-at'), await accountNamed('hugo')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  // With Subversion they are made at once: see svn-lifecycle.test.ts.
  test.runIf(lacksSubversion)(
    'repositories wait in the data folder with all that the archive tells of them',
    async () => {
      const svn = `<svn><repository name="plots" dump-file="svn/plots.svn"><access-file> [/]
* = rw</access-file><notification path="/trunk" emails="a@example.com, b@example.com"/></repository></svn>`;
      const report = await bench.import(
        archive('with-svn', svn, [], { 'svn/plots.svn': 'SVN-fs-dump-format-version: 2\n' }),
      );
      const folder = join(atelier.instance.folder, 'imported-repositories', String(report.project.id));
      expect(JSON.parse(readFileSync(join(folder, 'repositories.json'), 'utf8'))).toEqual({
        project: report.project.id,
        import: expect.any(Number),
        repositories: [
          {
            name: 'plots',
            dump: 'plots.svn',
            line: expect.any(Number),
            access_file: ' [/]\n* = rw',
            notifications: [{ path: '/trunk', emails: ['a@example.com', 'b@example.com'] }],
            references: [],
          },
        ],
      });
      expect(existsSync(join(folder, 'plots.svn'))).toBe(true);
    },
  );

  test('is in the name of somebody who could do it alone', async () => {
    const path = archive('in-the-name-of', '');
    const importAs = (name: string, ...more: string[]) =>
      atelier.cli('import', path, '--user', name, '--automap', 'no-email,create:A', ...more);
    const refused = await importAs('otto');
    expect([refused.code, refused.stderr]).toEqual([
      ...[1, expect.stringContaining('otto is no administrator of the platform')],
    ]);
    expect(await projectNamed('in-the-name-of')).toBeUndefined();
    const { code, stderr } = await importAs('admin');
    expect(code, stderr).toBe(0);
    const into = ['--project', 'in-the-name-of'];
    expect((await importAs('otto', ...into)).stderr).toContain(
      'otto administers neither the platform nor the project in-the-name-of.',
    );
    await setMembers(atelier.admin, `${(await projectNamed('in-the-name-of')).id}_4`, [otto]);
    expect((await importAs('otto', ...into)).code).toBe(0);
  });

  test('goes into a project that is there: its groups, trackers and people are added', async () => {
    const { project } = await bench.import(
      archive('standing', `<ugroups>${groupXml('growers', 'otto')}</ugroups>`, [{ username: 'otto' }]),
      automap,
    );
    const path = archive(
      'ignored',
      `<ugroups>${groupXml('growers', 'zoe')}${groupXml('pickers', 'zoe')}${groupXml('project_members', 'zoe')}</ugroups>
      ${trackersXml(trackerXml('T1', 'chore', ['Water'], 'zoe').replace('<permissions>', '<permissions><permission scope="tracker" ugroup="growers" type="PLUGIN_TRACKER_ACCESS_FULL"/>'))}`,
      [{ username: 'zoe' }],
    );
    const report = await bench.import(path, { ...automap, into: 'standing' });
    expect(report.project).toEqual({ id: project.id, shortname: 'standing' });
    const { body: groups } = await atelier.admin.get(`/projects/${project.id}/user_groups`);
    const own = groups.filter(({ id }: { id: string }) => !id.includes('_'));
    expect(own.map(({ label }: { label: string }) => label)).toEqual(['growers', 'pickers']);
    expect(await membersOf(own[0].id)).toEqual(['otto']);
    expect(await membersOf(own[1].id)).toEqual(['zoe']);
    expect(await membersOf(`${project.id}_3`)).toEqual(['admin', 'otto', 'zoe']);
    const { body: trackers } = await atelier.admin.get(`/projects/${project.id}/trackers`);
    expect(trackers.map(({ item_name }: { item_name: string }) => item_name)).toEqual(['chore']);
    const full = (await atelier.admin.get(`/trackers/${trackers[0].id}`)).body.permissions_for_groups;
    expect(full.can_access.map(({ id }: { id: string }) => id)).toEqual([own[0].id]);
    const { body: artifacts } = await atelier.admin.get(`/trackers/${trackers[0].id}/artifacts`);
    expect(artifacts).toHaveLength(1);
    expect(await refusalOf(path, { ...automap, into: 'standing' })).toContain('has a tracker with the name');
    const gone = await bench.database.all(
      bench.database.sql.selectFrom('project').select('id').where('status', '=', 'importing'),
    );
    expect(gone).toEqual([]);
  });
});
