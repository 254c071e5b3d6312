import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ArchiveDesk, peopleNamed } from '../fixtures/archive-desk.ts';
import { readArtifact, type Value } from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { fieldNamed, readTracker, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

const field = (type: string, id: string, name: string, more = '') =>
  `<formElement type="${type}" ID="${id}" rank="1"><name>${name}</name><label>${name}</label>${more}</formElement>`;
const items = '<items><item ID="V700" label="Open"/><item ID="odd" label="Done" is_hidden="1"/></items>';

/** The default report says nothing of being one; the others say 0. */
const reports = `<reports>
    <report is_default="0" is_in_expert_mode="1" expert_query="title = 'x'&#10;" user_id="3"><name>Query</name><criterias/></report>
    <report tracker_id="9"><name>Open
      ones</name><description>Still to do</description>
      <criterias>
        <criteria rank="2"><field REF="F1"/><criteria_value type="text">rake</criteria_value></criteria>
        <criteria rank="1" is_advanced="1"><field REF="F5"/><criteria_value type="list"><none_value/><selected_value REF="V700"/><selected_value REF="V0"/></criteria_value></criteria>
        <criteria rank="3"><field REF="F12"/></criteria><criteria rank="4"><field REF="F3"/></criteria>
      </criterias>
      <renderers>
        <renderer ID="R1" type="plugin_graphontrackersv5" rank="0"><name>Pie &amp; co</name></renderer>
        <renderer ID="R2" type="plugin_cardwall" rank="1"><name>Wall</name></renderer>
        <renderer ID="R3" type="table" rank="3" chunksz="40"><name>Results</name><columns><field REF="F5"/><field REF="F12"/>
          <field REF="F8" artlink-nature="_is_child" artlink-nature-format="#%id"/></columns><sort><field REF="F1"/><field REF="F99"/></sort></renderer>
        <renderer ID="R4" type="table" rank="2"><name>Short</name><columns/></renderer>
      </renderers>
    </report>
  </reports>`;

/** A tracker as other platforms write them, with much that there is not here. */
const form = `
  <name>Chores</name><item_name>chore</item_name><description/><color>army_green</color><cannedResponses/>
  <formElements>
    ${field('string', 'F1', 'title')}${field('text', 'F2', 'details')}
    ${field('date', 'F3', 'due', '<properties display_time="0"/>')}
    ${field('date', 'F4', 'moment', '<properties default_value="today" display_time="1"/>')}
    ${field('sb', 'F5', 'state', `<bind type="static">${items}<decorators><decorator REF="odd" r="255" g="0" b="1"/></decorators></bind>`)}
    ${field('msb', 'F6', 'who', '<bind type="users"><items><item label="ugroup_2"/><item label="ugroup_999"/></items></bind>')}
    ${field('tbl', 'F7', 'tags', '<bind type="static"><items><item ID="V9" label="known"/></items></bind>')}
    ${field('art_link', 'F8', 'links')}${field('file', 'F9', 'files')}${field('computed', 'F10', 'sum')}
    ${field('string', 'F11', 'title')}${field('ttmstepdef', 'F12', 'steps')}${field('perm', 'F13', 'perm')}
    ${field('string', 'F14', 'old').replace('rank', 'use_it="0" rank')}
  </formElements>
  <semantics><semantic type="title"><field REF="F1"/></semantic><semantic type="velocity"><field REF="F10"/></semantic></semantics>
  ${reports}
  <workflow><field_id REF="F5"/><is_used>1</is_used><transitions>
    <transition><from_id REF="null"/><to_id REF="V700"/><permissions><permission ugroup="testers"/></permissions></transition>
    <transition><from_id REF="V0"/><to_id REF="odd"/></transition>
  </transitions></workflow>
  <permissions>
    <permission scope="tracker" ugroup="strangers" type="PLUGIN_TRACKER_ACCESS_FULL"/>
    ${Array.from({ length: 13 }, (_, index) => `<permission scope="field" REF="F${index + 1}" ugroup="UGROUP_ANONYMOUS" type="PLUGIN_TRACKER_FIELD_READ"/>`).join('')}
    <permission scope="field" REF="F1" ugroup="registered_users" type="PLUGIN_TRACKER_FIELD_READ"/>
    <permission scope="field" REF="F1" ugroup="ugroup_project_members_name_key" type="PLUGIN_TRACKER_FIELD_UPDATE"/>
  </permissions>`;

const by = (name: string, date: string) =>
  `<submitted_by format="username">${name}</submitted_by><submitted_on format="ISO8601">${date}</submitted_on>`;
const set = (name: string, type: string, values: string, more = '') =>
  `<field_change field_name="${name}" type="${type}" ${more}>${values}</field_change>`;

const changesets = {
  first: `<changeset id="C1">${by('ines', '2024-03-01T09:00:00+01:00')}<comments><comment>${by('ines', '2024-03-01T09:00:00+01:00')}<body format="text">At the start</body></comment></comments>
    ${set('title', 'string', '<value> blanks </value>')}
    ${set('details', 'text', '<value format="html"><![CDATA[<img src="/plugins/tracker/attachments/5-b%20d.png"> art #31]]></value>')}
    ${set('due', 'date', '<value format="ISO8601">2024-06-30T23:30:00-08:00</value>')}
    ${set('moment', 'date', '<value format="ISO8601">1970-01-01T01:00:00+01:00</value>')}
    ${set('state', 'list', '<value>open</value>', 'bind="static"')}
    ${set('who', 'list', '<value format="username">ines</value><value format="username">None</value>', 'bind="users"')}
    ${set('tags', 'open_list', '<value format="id">b9</value><value format="label">one, two</value>', 'bind="static"')}
    ${set('files', 'file', '<value ref="fileinfo_5"/><value ref="fileinfo_6"/>')}
    ${set('sum', 'computed', '<manual_value>2.5</manual_value><value>9</value>')}
    ${set('old', 'string', '<value>unused</value>')}${set('nothing', 'string', '<value>x</value>')}
  </changeset>`,
  second: `<changeset id="C2">${by('otto', '2024-03-02T09:00:00+01:00')}<comments/>
    ${set('state', 'list', '<value format="id">odd</value>', 'bind="static"')}
    ${set('who', 'list', '<value/>', 'bind="users"')}
    ${set('tags', 'open_list', '<value format="label"> KNOWN</value><value>one, two</value><value format="label">"Known"</value>', 'bind="static"')}
    ${set('links', 'art_link', '<value nature="_is_child">32</value><value>77</value>')}
    ${set('files', 'file', '<value/>')}${set('title', 'file', '<value/>')}
    ${set('perm', 'permissions_on_artifact', '<ugroup ugroup_name="strangers"/>', 'use_perm="1"')}
  </changeset>`,
  third: `<changeset id="C3">${by('otto', '2024-03-03T09:00:00+01:00')}<comments>
      <comment>${by('otto', '2024-03-03T09:00:00+01:00')}<body format="text">secret</body><private_ugroups><ugroup>strangers</ugroup></private_ugroups></comment>
      <comment>${by('ines', '2024-03-04T09:00:00+01:00')}<body format="markdown">**secret**</body><private_ugroups><ugroup>testers</ugroup></private_ugroups></comment>
    </comments>${set('state', 'list', '<value>no such state</value>', 'bind="static"')}</changeset>`,
  empty: `<changeset id="C4">${by('otto', '2024-03-05T09:00:00+01:00')}<comments><comment>${by('otto', '2024-03-05T09:00:00+01:00')}<body/></comment></comments></changeset>`,
};

const file = (id: number, name: string) =>
  `<file id="fileinfo_${id}"><filename>${name}</filename><path>data/Artifact${id}</path><filesize>1</filesize><filetype>image/png</filetype><description>Bed</description></file>`;

const trackers = (
  content: string,
) => `<trackers><tracker id="T7" parent_id="T99">${form}<artifacts>${content}</artifacts></tracker>
  <triggers><trigger_rule><triggers/><condition>all_of</condition><target/></trigger_rule></triggers></trackers>`;

/** The newest changeset stands first, as in some archives. */
const whole = trackers(`
  <artifact id="31">${changesets.empty}${changesets.third}${changesets.second}${changesets.first}${file(5, 'b d.png')}${file(6, 'lost.png')}</artifact>
  <artifact id="33"/>
  <artifact id="32"><changeset>${by('ines', '2024-03-01T10:00:00+01:00')}<comments/></changeset></artifact>`);

describe.each(engines)('an archive of another platform on %s', (engine) => {
  let atelier: Atelier;
  let desk: ArchiveDesk;
  let ines: Person;
  let otto: Person;
  let projectId: number;
  const folder = mkdtempSync(join(tmpdir(), 'atelier-foreign-'));

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    ines = await atelier.createUser('ines');
    otto = await atelier.createUser('otto');
    projectId = (await createProject(ines, 'garden')).id;
    await setMembers(ines, `${projectId}_3`, [ines, otto]);
    await createGroup(ines, projectId, 'testers');
    desk = await ArchiveDesk.of(atelier.instance);
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'Artifact5'), 'four');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await desk?.close();
    await atelier?.stop();
  });

  const read = (xml: string) => {
    writeFileSync(join(folder, 'project.xml'), xml);
    return desk.read(folder, projectId, peopleNamed({ ines: ines.id, otto: otto.id }));
  };

  const entryOf = ({ values }: Artifact, name: string): Value => values?.find(({ label }) => label === name);

  test('is read as far as there is something for it here, and tells what is not', async () => {
    const { ids, warnings } = await read(whole);
    const tracker = await readTracker(ines, ids[0] ?? 0);
    expect(tracker.color_name).toBe('army-green');
    const names = tracker.fields.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['title', 'title_1', 'due', 'tags']));
    expect(names).not.toContain('steps');
    expect(tracker.semantics).toEqual({
      title: { field_id: tracker.fields[names.indexOf('title')]?.field_id },
    });
    expect(tracker.workflow?.transitions).toHaveLength(1);
    const listed = await ines.get(`/trackers/${tracker.id}/artifacts?limit=10`);
    const [first, second] = listed.body.map(({ id }: Artifact) => id);
    expect(listed.body).toHaveLength(2);

    const artifact = await readArtifact(ines, first);
    expect(artifact).toMatchObject({
      submitted_by: ines.id,
      submitted_on: '2024-03-01T09:00:00+01:00',
      last_modified_date: '2024-03-03T09:00:00+01:00',
    });
    expect(entryOf(artifact, 'title').value).toBe(' blanks ');
    expect(entryOf(artifact, 'due').value).toBe('2024-06-30T00:00:00+02:00');
    expect(entryOf(artifact, 'moment').value).toBeNull();
    expect(entryOf(artifact, 'state').values).toMatchObject([
      { label: 'Done', color: { r: 255, g: 0, b: 1 }, is_hidden: true },
    ]);
    expect(entryOf(artifact, 'who').bind_value_ids).toEqual([100]);
    expect(entryOf(artifact, 'tags').bind_value_ids).toEqual(['known', 'one', 'two', 'Known']);
    expect(entryOf(artifact, 'tags').bind_value_objects[0]).toMatchObject({ id: expect.any(Number) });
    expect(entryOf(artifact, 'sum')).toMatchObject({ manual_value: 2.5, is_autocomputed: false });
    expect(entryOf(artifact, 'links').links).toMatchObject([{ id: second, type: '_is_child' }]);
    expect(entryOf(artifact, 'perm').granted_groups_ids).toEqual([`${projectId}_4`]);
    const [kept, ...others] = entryOf(artifact, 'files').file_descriptions;
    expect([kept, others]).toMatchObject([
      { name: 'b d.png', size: 4, submitted_by: ines.id, description: 'Bed' },
      [],
    ]);
    expect(entryOf(artifact, 'details').value).toContain(`/plugins/tracker/attachments/${kept.id}-b%20d.png`);
    const bytes = await ines.get(`/artifact_files/${kept.id}`);
    expect(Buffer.from(bytes.body.data, 'base64').toString()).toBe('four');

    const history = await ines.get(`/artifacts/${first}/changesets?limit=10`);
    expect(history.body.map(({ last_comment }: Value) => last_comment.body)).toEqual([
      'At the start',
      '',
      '<p><strong>secret</strong></p>\n',
    ]);
    expect(history.body[2]).toMatchObject({
      last_modified_by: { id: ines.id },
      last_comment: { ugroups: [{ label: 'testers' }] },
    });

    expect(warnings.map(({ code }) => code).sort()).toEqual([
      'empty_changeset',
      'invalid_value',
      'invalid_value',
      'invalid_value',
      'missing_file',
      'no_field_permission',
      'private_comment_restricted',
      'skipped_element',
      'skipped_element',
      'skipped_element',
      'unknown_field_type',
      'unknown_group',
      'unknown_group',
      'unknown_group',
      'unknown_group',
      'unknown_link_target',
      'unknown_reference',
      'unknown_reference',
      'unknown_reference',
    ]);
    const told = warnings.map(({ text }) => text).join();
    expect(told).toMatch(/Open ones .*Pie & co .*plugin_graphontrackersv5.*Wall .*plugin_cardwall/);
    for (const { place, text } of warnings) expect(place + text).toMatch(/tracker|file/);
  });

  test('has its reports, but for charts and card walls', async () => {
    const { ids } = await read(trackers('').replace('>chore<', '>chore2<').replace('>Chores<', '>Chores 2<'));
    const tracker = await readTracker(ines, ids[0] ?? 0);
    const [open, query] = (await ines.get(`/trackers/${tracker.id}/tracker_reports`)).body;
    expect([open.is_default, open.is_public, query.is_default]).toEqual([true, true, false]);
    const state = fieldNamed(tracker, 'state');
    const settings = await ines.get(`/tracker_reports/${open.id}/settings`);
    expect(settings.body).toMatchObject({
      label: 'Open ones',
      description: 'Still to do',
      criteria: {
        state: { operator: 'contains', value: [100, valueIds(state)['Open']] },
        title: { operator: 'contains', value: 'rake' },
        due: null,
      },
      renderers: [
        { label: 'Short', page_size: 15, columns: [] },
        {
          label: 'Results',
          page_size: 40,
          columns: [
            { field_id: state.field_id },
            {
              field_id: fieldNamed(tracker, 'links').field_id,
              artlink_nature: '_is_child',
              artlink_nature_format: '#%id',
            },
          ],
          sort: [{ field_id: fieldNamed(tracker, 'title').field_id }],
        },
      ],
    });
    expect(Object.keys(settings.body.criteria)).toEqual(['state', 'title', 'due']);
    const { body } = await ines.get(`/tracker_reports/${query.id}/settings`);
    expect([body.is_in_expert_mode, body.expert_query, body.renderers]).toEqual([true, "title = 'x'\n", []]);
  });

  test('may call two values alike, a parent by a name that every object has, and a far place', async () => {
    const xml = trackers('')
      .replace('>chore<', '>chore3<')
      .replace('>Chores<', '>Chores 3<')
      .replace('ID="V9" label="known"', 'ID="V700" label="known"')
      .replace('parent_id="T99"', 'parent_id="__proto__"')
      .replace(/(ID="F7" .*?)rank="\d+"/, '$1rank="99999999999999999999"');
    expect(xml).toContain('rank="99999999999999999999"');
    const { ids, warnings } = await read(xml);
    const tracker = await readTracker(ines, ids[0] ?? 0);
    expect(Object.keys(valueIds(fieldNamed(tracker, 'tags')))).toEqual(['known']);
    const texts = warnings.map(({ text }) => text);
    expect(texts).toContain('The ID V700 is there twice; it means the first of them.');
    expect(texts).toContain('Its parent __proto__ is not in the archive.');
  });

  test('is refused with the line at which it cannot be read', async () => {
    const artifact = (content: string, more = '') =>
      trackers(`\n<artifact id="1">\n${content}</artifact>${more}`);
    const changeset = `<changeset>${by('ines', '2024-03-01T10:00:00+01:00')}</changeset>`;
    const line = form.split('\n').length;
    await expect(read(artifact(changeset.replace('2024-03-01T', 'soon')))).rejects.toThrow(
      `project.xml, line ${line + 2}: "soon10:00:00+01:00" is no date.`,
    );
    await expect(
      read(artifact('<changeset><submitted_on>2024-01-01</submitted_on></changeset>')),
    ).rejects.toThrow(/does not say who made it/);
    const named = (itemName: string) => whole.replace('<item_name>chore', `<item_name>${itemName}`);
    await expect(read(named('two words'))).rejects.toThrow(
      /project.xml, line 1: .*cannot have the short name/,
    );
    await expect(read(whole)).rejects.toThrow(
      /project.xml, line 1: There is another tracker with the name Chores/,
    );
  });
});
