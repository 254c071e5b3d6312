import { type FormElement, MinimalTracker, Tracker } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createGroup,
  createProject,
  databaseOf,
  delegate,
  idsOf,
  query,
  setMembers,
  sizeOf,
} from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  fieldNamed,
  readTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const nothing = { type: null, list: [] };
const ofStatic = { type: 'static', list: [] };
const ofMembers = { type: 'users', list: [{ id: 3, label: 'project_members' }] };
const ofGroups = { type: 'ugroups', list: [] };
const all = ['read', 'update', 'create'];
const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const minute = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);

const staticValue = (label: string) => ({
  id: expect.any(Number),
  label,
  is_hidden: false,
  value_color: '',
});
const colours = ['red', 'green', 'blue'].map(staticValue);

/** What every element of `everyField` looks like beside its id, name and label; groups and people are looked at apart. */
const catalogue: Readonly<Record<string, object>> = {
  string: { default_value: '', specific_properties: { maxchars: 0, size: 30, default_value: '' } },
  text: {
    default_value: { format: 'commonmark', content: '' },
    specific_properties: { rows: 10, cols: 50, default_value: '' },
  },
  int: { specific_properties: { maxchars: 0, size: 5, default_value: null } },
  float: { specific_properties: { maxchars: 0, size: 5, default_value: null } },
  date: {
    default_value: '',
    is_time_displayed: false,
    specific_properties: {
      default_value_type: 1,
      default_value_today: 'today',
      default_value: null,
      display_time: 0,
    },
  },
  datetime: {
    type: 'date',
    default_value: '',
    is_time_displayed: true,
    specific_properties: expect.objectContaining({ display_time: 1 }),
  },
  sb: { values: colours, bindings: ofStatic, default_value: [] },
  rb: { values: colours, bindings: ofStatic, default_value: [] },
  msb: { values: colours, bindings: ofStatic, default_value: [], specific_properties: { size: 7 } },
  cb: { values: colours, bindings: ofStatic, default_value: [] },
  tbl: {
    values: colours,
    bindings: ofStatic,
    default_value: [],
    hint: 'Type in a search term',
    specific_properties: { hint: 'Type in a search term' },
  },
  tbl_users: {
    type: 'tbl',
    values: { resource: { type: 'users', uri: 'users/?query=' } },
    bindings: ofMembers,
    default_value: [],
    hint: 'Type in a search term',
    specific_properties: { hint: 'Type in a search term' },
  },
  file: {
    file_creation_uri: expect.stringMatching(/^tracker_fields\/\d+\/files$/),
    max_size_upload: 67108864,
  },
  art_link: {
    specific_properties: { can_edit_reverse_links: 1 },
    allowed_types: [
      { shortname: '_is_child', forward_label: 'Child', reverse_label: 'Parent' },
      { shortname: '_covered_by', forward_label: 'is Covered by', reverse_label: 'Covers' },
      { shortname: 'custom', forward_label: 'Custom', reverse_label: 'Custom' },
    ],
  },
  computed: { specific_properties: { target_field_name: null, default_value: null } },
  burndown: { permissions: ['read'] },
  aid: { permissions: ['read'] },
  atid: { permissions: ['read'] },
  priority: {
    permissions: ['read'],
    specific_properties: { maxchars: 0, size: 5, default_value: null },
  },
  subby: {
    permissions: ['read'],
    values: [],
    default_value: [],
    bindings: { type: 'users', list: [{ id: 0, label: 'artifact_submitters' }] },
  },
  luby: { permissions: ['read'], values: [], default_value: [], bindings: { type: 'users', list: [] } },
  subon: { permissions: ['read'], default_value: minute, is_time_displayed: true },
  lud: { permissions: ['read'], default_value: minute, is_time_displayed: true },
  cross: { permissions: ['read'] },
  fieldset: { permissions: ['read'], permissions_for_groups: null },
  column: { permissions: ['read'], permissions_for_groups: null },
  linebreak: { permissions: ['read'], permissions_for_groups: null },
  separator: { permissions: ['read'], permissions_for_groups: null },
  staticrichtext: {
    permissions: ['read'],
    permissions_for_groups: null,
    specific_properties: { static_value: 'Be kind.' },
  },
};

const usual = (name: string) => ({
  field_id: expect.any(Number),
  label: name,
  name,
  type: name,
  values: null,
  required: false,
  collapsed: false,
  bindings: nothing,
  permissions: all,
  permissions_for_groups: {
    can_submit: expect.any(Array),
    can_read: expect.any(Array),
    can_update: expect.any(Array),
  },
  default_value: null,
  has_notifications: false,
  is_used: true,
  description: '',
  specific_properties: [],
  label_decorators: [],
});

const names = (groups: readonly { short_name: string }[] | undefined) =>
  groups?.map(({ short_name }) => short_name);

const engines = oneEngine('SQLite', 'descriptions of trackers are shown in code');

describe.each(engines)('trackers on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let project: number;
  let secret: number;
  let testers: string;
  let every: EveryField;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob', { real_name: 'Zoe Bob' });
    carol = await atelier.createUser('carol');
    project = (await createProject(alice, 'tracked')).id;
    secret = (await createProject(alice, 'secret', { is_public: false })).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    testers = await createGroup(alice, project, 'testers');
    await setMembers(alice, testers, [carol]);
    every = await everyField(alice, project);
  });
  afterAll(() => atelier.stop());

  const readField = async (caller: Caller, trackerId: number, name: string): Promise<FormElement> =>
    fieldNamed(await readTracker(caller, trackerId), name);

  /** Changes rows that no route leads to, and tells every thread. */
  async function force(table: 'tracker' | 'tracker_field', id: number, column: object): Promise<void> {
    const database = await databaseOf(atelier);
    await database.transaction(async (tx) => {
      await tx.run(tx.sql.updateTable(table).set(column).where('id', '=', id));
      await tx.touch('structure');
    });
    await database.close();
  }

  describe('GET /trackers/{id}', () => {
    test('gives every member of the representation, also of a tracker without anything', async () => {
      const more = { description: 'Defects', color_name: 'fiesta-red', item_name: 'Bug', label: 'Bugs' };
      const { id } = await createTracker(alice, project, more);
      const everybody = { id: '1', short_name: 'all_users', key: 'ugroup_anonymous_users_name_key' };
      expect(await readTracker(alice, id)).toEqual({
        id,
        uri: `trackers/${id}`,
        html_url: `/plugins/tracker/?tracker=${id}`,
        project: { id: project, uri: `projects/${project}`, label: 'Project tracked', icon: '' },
        label: 'Bugs',
        description: 'Defects',
        item_name: 'Bug',
        fields: [],
        structure: [],
        semantics: {},
        workflow: {
          field_id: 0,
          is_used: '',
          is_legacy: false,
          is_advanced: true,
          rules: { dates: [], lists: [] },
          transitions: [],
        },
        permissions_for_groups: {
          can_access: [expect.objectContaining(everybody)],
          can_access_submitted_by_user: [],
          can_access_assigned_to_group: [],
          can_access_submitted_by_group: [],
          can_admin: [],
        },
        parent: null,
        resources: [
          { type: 'reports', uri: `trackers/${id}/tracker_reports` },
          { type: 'artifacts', uri: `trackers/${id}/artifacts` },
        ],
        color_name: 'fiesta-red',
        notifications: { enabled: true },
        may_submit: false,
        is_administrator: true,
        has_private_comments: false,
      });
    });

    test('says what the caller may do, and 304 to whoever has the same answer', async () => {
      const path = `/trackers/${every.tracker.id}`;
      const told = async (caller: Caller) => {
        const { may_submit, is_administrator } = await readTracker(caller, every.tracker.id);
        return [may_submit, is_administrator];
      };
      expect(await told(alice)).toEqual([true, true]);
      expect(await told(atelier.anonymous)).toEqual([false, false]);
      for (const where of [path, `/projects/${project}`]) {
        const etag = (await alice.get(where)).headers.get('etag') ?? '';
        expect(etag).not.toBe('');
        const same = await alice.request('GET', where, { headers: { 'If-None-Match': etag } });
        expect([same.status, same.text], where).toEqual([304, '']);
        const other = await bob.request('GET', where, { headers: { 'If-None-Match': '"something"' } });
        expect(other.status).toBe(200);
      }
      const { headers } = await alice.get(path);
      const etag = headers.get('etag') ?? '';
      const patch = { description: 'Changed' };
      expect((await alice.patch(`${path}/settings`, patch)).status).toBe(200);
      const changed = await alice.request('GET', path, { headers: { 'If-None-Match': etag } });
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).not.toBe(etag);
    });

    test('keeps to the contract with every type and bind, for everybody', async () => {
      for (const caller of [alice, bob, carol, atelier.admin, atelier.anonymous]) {
        const tracker = await readTracker(caller, every.tracker.id);
        expect(Check(Tracker, tracker)).toBe(true);
        expect(tracker.fields).toHaveLength(every.tracker.fields.length);
      }
    });

    test.each(Object.entries(catalogue))('describes the element %s', (name, own) => {
      expect(fieldNamed(every.tracker, name)).toEqual({ ...usual(name), ...own });
    });

    test.each(['sb', 'rb', 'msb', 'cb'])('describes %s with people and with groups', (type) => {
      const people = fieldNamed(every.tracker, `${type}_users`);
      expect(people).toMatchObject({ type, bindings: ofMembers, default_value: [] });
      expect(people.values).toEqual([
        {
          id: alice.id,
          label: 'alice',
          user_reference: {
            id: alice.id,
            uri: `users/${alice.id}`,
            real_name: 'alice Doe (alice)',
            username: 'alice',
            avatar_url: expect.stringMatching(/^http.*\/users\/alice\/avatar\.png$/),
          },
        },
        expect.objectContaining({ id: bob.id, label: 'bob' }),
      ]);
      const groups = fieldNamed(every.tracker, `${type}_ugroups`);
      expect(groups).toMatchObject({ type, bindings: ofGroups, default_value: [] });
      expect(groups.values).toEqual([
        {
          id: expect.any(Number),
          label: 'ugroup_project_members_name_key',
          ugroup_reference: {
            id: `${project}_3`,
            uri: `user_groups/${project}_3`,
            label: 'Project members',
            users_uri: `user_groups/${project}_3/users`,
            short_name: 'project_members',
            key: 'ugroup_project_members_name_key',
          },
        },
        expect.objectContaining({ label: 'ugroup_project_admins_name_key' }),
        expect.objectContaining({
          label: 'testers',
          ugroup_reference: expect.objectContaining({ id: testers, key: 'testers' }),
        }),
      ]);
    });

    test('lists groups plainly in an open list, and in the permissions of artifacts', () => {
      const idsIn = (groups: readonly { id: string }[]) => groups.map(({ id }) => id);
      const open = fieldNamed(every.tracker, 'tbl_ugroups');
      const builtIn = [3, 4, 11, 14].map((id) => `${project}_${id}`);
      expect(idsIn(Object(open.values))).toEqual([...builtIn, testers]);
      const { values } = fieldNamed(every.tracker, 'perm');
      const { is_used_by_default, ugroup_representations } = Object(values);
      expect(is_used_by_default).toBe(false);
      expect(idsIn(ugroup_representations)).toEqual(['1', '2', `${project}_3`, `${project}_4`, testers]);
    });

    test('shows the structure as a tree, and the fields by rank', async () => {
      const { id } = await createTracker(alice, project);
      const first = await addField(alice, id, { type: 'fieldset', name: 'first' });
      const second = await addField(alice, id, { type: 'fieldset', name: 'second' });
      const column = await addField(alice, id, {
        type: 'column',
        name: 'column',
        parent_id: second.field_id,
      });
      const inside = { parent_id: column.field_id };
      const late = await addField(alice, id, { type: 'string', name: 'late', rank: 5, ...inside });
      const early = await addField(alice, id, { type: 'string', name: 'early', rank: 4, ...inside });
      const before = { next_sibling_id: late.field_id, ...inside };
      const between = await addField(alice, id, { type: 'string', name: 'between', ...before });
      const { structure, fields } = await readTracker(alice, id);
      const leaf = ({ field_id }: FormElement) => ({ id: field_id, content: null });
      expect(structure).toEqual([
        { id: first.field_id, content: [] },
        {
          id: second.field_id,
          content: [{ id: column.field_id, content: [leaf(early), leaf(between), leaf(late)] }],
        },
      ]);
      expect(fields.map(({ name }) => name)).toEqual([
        'first',
        'column',
        'second',
        'early',
        'between',
        'late',
      ]);
    });

    test('leaves unused elements out everywhere, and unreadable fields out of the fields only', async () => {
      const { id } = await createTracker(alice, project);
      const hidden = await addField(alice, id, { type: 'string', name: 'hidden' });
      const unused = await addField(alice, id, { type: 'string', name: 'unused' });
      await setFieldPermissions(alice, hidden.field_id, {});
      await force('tracker_field', unused.field_id, { is_used: 0 });
      const { structure, fields } = await readTracker(alice, id);
      expect(structure).toEqual([{ id: hidden.field_id, content: null }]);
      expect(fields).toEqual([]);
    });

    test('knows which fieldsets the caller collapsed', async () => {
      const fieldset = every.ids['fieldset'];
      for (const [value, collapsed] of [
        ['1', true],
        ['0', false],
      ]) {
        await bob.patch('/users/self/preferences', { key: `fieldset_${fieldset}`, value });
        expect((await readField(bob, every.tracker.id, 'fieldset')).collapsed).toBe(collapsed);
        expect((await readField(alice, every.tracker.id, 'fieldset')).collapsed).toBe(false);
      }
    });

    test('gives the default of a text in the format that the caller likes to edit', async () => {
      const { id } = await createTracker(alice, project);
      const text = 'Steps <1>\nResult';
      await addField(alice, id, { type: 'text', name: 'text', specific_properties: { default_value: text } });
      const defaultOf = async () => (await readField(alice, id, 'text')).default_value;
      expect(await defaultOf()).toEqual({ format: 'commonmark', content: text });
      const html = { format: 'html', content: '<p>Steps &lt;1&gt;<br />\nResult</p>' };
      for (const expected of [html, { format: 'text', content: text }]) {
        const value = expected.format;
        await alice.patch('/users/self/preferences', { key: 'user_edition_default_format', value });
        expect(await defaultOf()).toEqual(expected);
      }
      await alice.delete('/users/self/preferences?key=user_edition_default_format');
    });

    test.each([
      ['string', { default_value: 'hello', maxchars: 20 }, 'hello'],
      ['int', { default_value: '7' }, 7],
      ['float', { default_value: 1.5 }, 1.5],
      ['computed', { default_value: 3 }, { type: 'manual_value', value: 3 }],
      ['date', { default_value_type: 0 }, day],
      ['date', { default_value_type: 0, display_time: 1 }, minute],
      ['date', { default_value: 1_709_251_200 }, '2024-03-01'],
      ['date', { default_value: 1_709_251_200, display_time: true }, '2024-03-01 01:00'],
    ])('%s with %j has its default', async (type, specific_properties, expected) => {
      const { id } = await createTracker(alice, project);
      const { default_value } = await addField(alice, id, { type, specific_properties });
      expect(default_value).toEqual(expected);
    });

    test('lists static values with colours, hidden ones too, by rank or by label', async () => {
      const values = [
        { label: 'open', color: 'fiesta-red', is_default: true },
        { label: 'closed', color: '#00FF7f', description: 'Nothing to do' },
        { label: 'ancient', is_hidden: true, is_default: true },
        { label: 'Été' },
        { label: 'Zone' },
      ];
      const { id } = await createTracker(alice, project);
      const labels = (field: FormElement) => Object.keys(valueIds(field));
      const ranked = await addField(alice, id, {
        type: 'msb',
        name: 'ranked',
        bind: { type: 'static', values },
      });
      expect(ranked.values).toEqual([
        { ...staticValue('open'), value_color: 'fiesta-red' },
        { ...staticValue('closed'), value_color: '#00FF7f' },
        { ...staticValue('ancient'), is_hidden: true },
        staticValue('Été'),
        staticValue('Zone'),
      ]);
      expect(ranked.default_value).toEqual([{ id: valueIds(ranked)['open'], label: 'open' }]);
      const bind = { type: 'static', values, is_alphabetic: true };
      const sorted = await addField(alice, id, { type: 'cb', name: 'sorted', bind });
      expect(labels(sorted)).toEqual(['ancient', 'closed', 'Été', 'open', 'Zone']);
    });

    test('lists the people of all source groups once, by the names that the caller sees', async () => {
      const { id } = await createTracker(alice, project);
      const groups = ['0', 3, `${project}_4`, testers];
      const field = await addField(alice, id, {
        type: 'sb',
        bind: { type: 'users', groups },
        default_values: [bob.id],
        has_notifications: true,
      });
      expect(field.has_notifications).toBe(true);
      expect(field.bindings.list).toEqual([
        { id: 0, label: 'artifact_submitters' },
        { id: 3, label: 'project_members' },
        { id: 4, label: 'project_admins' },
        { id: testers, label: 'testers' },
      ]);
      const labels = async (caller: Caller) => Object.keys(valueIds(await readField(caller, id, 'sb')));
      expect(await labels(alice)).toEqual(['alice', 'carol', 'bob']);
      await alice.patch('/users/self/preferences', { key: 'username_display', value: '2' });
      expect(await labels(alice)).toEqual(['alice', 'bob', 'carol']);
      const [first] = Object((await readField(alice, id, 'sb')).values);
      expect(first.user_reference.real_name).toBe('alice');
      await alice.delete('/users/self/preferences?key=username_display');
    });

    test('gives default users in full, without their addresses to anonymous callers', async () => {
      const { id } = await createTracker(alice, project);
      const bind = { type: 'users', groups: [`${project}_3`] };
      await addField(alice, id, { type: 'msb', bind, default_values: [bob.id, alice.id] });
      const full = { username: 'bob', email: 'bob@example.com', status: 'A' };
      expect((await readField(carol, id, 'msb')).default_value).toEqual([
        expect.objectContaining(full),
        expect.objectContaining({ username: 'alice' }),
      ]);
      const shown = (await readField(atelier.anonymous, id, 'msb')).default_value;
      expect(shown).toEqual([
        expect.not.objectContaining({ email: expect.anything() }),
        expect.objectContaining({ username: 'alice' }),
      ]);
    });

    test('does not list registered users, though any of them can be chosen', async () => {
      const { id } = await createTracker(alice, project);
      const bind = { type: 'users', groups: ['2'] };
      const field = await addField(alice, id, { type: 'sb', bind, default_values: [carol.id] });
      expect(field.values).toEqual([]);
      expect(field.bindings.list).toEqual([{ id: '2', label: 'registered_users' }]);
      expect(field.default_value).toEqual([expect.objectContaining({ username: 'carol' })]);
    });

    test('knows the administrators of the wiki and of files as groups whose people can be chosen', async () => {
      const { id } = await createTracker(alice, project);
      const bind = { type: 'users', groups: ['11', '14'] };
      const field = await addField(alice, id, { type: 'sb', bind });
      expect(field.bindings.list).toEqual([
        { id: '11', label: 'file_manager_admins' },
        { id: '14', label: 'wiki_admins' },
      ]);
      const choose = (person: Person) =>
        alice.post('/artifacts', {
          tracker: { id },
          values: [{ field_id: field.field_id, bind_value_ids: [person.id] }],
        });
      expect([(await choose(bob)).status, (await readField(alice, id, 'sb')).values]).toEqual([400, []]);
      const database = await databaseOf(atelier);
      await database.transaction(async (tx) => {
        const member = tx.sql.updateTable('project_member').where('project_id', '=', project);
        await tx.run(member.set({ is_wiki_admin: 1 }).where('account_id', '=', bob.id));
        await tx.touch('identity');
      });
      await database.close();
      expect(Object.keys(valueIds(await readField(alice, id, 'sb')))).toEqual(['bob']);
      expect([(await choose(bob)).status, (await choose(carol)).status]).toEqual([201, 400]);
    });

    test('lists user groups with their present names, and default groups', async () => {
      const { id } = await createTracker(alice, project);
      const group = await createGroup(alice, project, 'writers');
      const bind = { type: 'ugroups', groups: [group, '2'] };
      await addField(alice, id, { type: 'sb', bind, default_values: [group], has_notifications: true });
      await alice.patch(`/user_groups/${group}`, { short_name: 'authors' });
      const field = await readField(alice, id, 'sb');
      expect(Object.keys(valueIds(field))).toEqual(['authors', 'ugroup_registered_users_name_key']);
      expect(field.default_value).toEqual([expect.objectContaining({ id: group, short_name: 'authors' })]);
      expect((await alice.delete(`/user_groups/${group}`)).status).toBe(200);
      const after = await readField(alice, id, 'sb');
      expect(Object.keys(valueIds(after))).toEqual(['ugroup_registered_users_name_key']);
      expect(after.default_value).toEqual([]);
    });

    test('names the parent only to those who see it', async () => {
      const parent = await createTracker(alice, project, { color_name: 'deep-blue' });
      const { id } = await createTracker(alice, project, { parent_id: parent.id });
      expect((await readTracker(bob, id)).parent).toEqual({
        id: parent.id,
        uri: `trackers/${parent.id}`,
        label: parent.label,
        color: 'deep-blue',
        project: { id: project, uri: `projects/${project}`, label: 'Project tracked', icon: '' },
      });
      await setPermissions(alice, parent.id, {});
      expect((await readTracker(bob, id)).parent).toBeNull();
      expect((await readTracker(alice, id)).parent?.id).toBe(parent.id);
    });

    test('in XML puts an item around every element', async () => {
      const { text, headers } = await alice.get(`/trackers/${every.tracker.id}.xml`);
      expect(headers.get('content-type')).toContain('application/xml');
      expect(text).toContain(`<structure><item><id>${every.ids['fieldset']}</id><content><item>`);
      expect(text).toContain(
        '<permissions><item>read</item><item>update</item><item>create</item></permissions>',
      );
    });

    test('tells the methods that existing clients know', async () => {
      const { id } = every.tracker;
      const allow = async (method: string, path: string) =>
        (await atelier.anonymous.request(method, path)).headers.get('allow');
      for (const method of ['OPTIONS', 'GET']) {
        expect(await allow(method, `/trackers/${id}`)).toBe('OPTIONS, GET, PATCH');
        expect(await allow(method, `/projects/${project}/trackers`)).toBe('OPTIONS, GET');
      }
      expect(await allow('OPTIONS', '/trackers')).toBe('OPTIONS');
      expect((await alice.get('/trackers')).status).toBe(405);
    });
  });

  describe('who sees a tracker', () => {
    const statusFor = async (caller: Caller, id: number) => (await caller.get(`/trackers/${id}`)).status;

    test('unknown and deleted trackers are 404 for everybody', async () => {
      const { id } = await createTracker(alice, project);
      await force('tracker', id, { deleted_at: 1 });
      for (const caller of [alice, atelier.admin, atelier.anonymous]) {
        expect(await statusFor(caller, id)).toBe(404);
        expect(await statusFor(caller, 999_999)).toBe(404);
      }
      const listed = await alice.get(`/projects/${project}/trackers?limit=50&representation=minimal`);
      expect(idsOf(listed)).not.toContain(id);
    });

    test('the words for a tracker that is deleted, or that one may not see, are for people to read', async () => {
      const { id: deleted } = await createTracker(alice, project);
      await force('tracker', deleted, { deleted_at: 1 });
      const { id: closed } = await createTracker(alice, project);
      await setPermissions(alice, closed, {});
      for (const id of [deleted, closed, 999_999])
        for (const path of [
          '',
          '/artifacts',
          '/tracker_reports',
          '/parent_artifacts',
          '/used_artifact_links',
        ])
          for (const caller of [bob, atelier.anonymous]) {
            const { status, body } = await caller.get(`/trackers/${id}${path}`);
            expect([status, body.error], path).toEqual([
              404,
              { code: 404, message: 'Not Found', i18n_error_message: 'There is no such tracker.' },
            ]);
          }
    });

    test('trackers of a private project are 403 for outsiders', async () => {
      const { id } = await createTracker(alice, secret);
      for (const caller of [bob, atelier.anonymous]) {
        expect(await statusFor(caller, id)).toBe(403);
        expect((await caller.get(`/projects/${secret}/trackers`)).status).toBe(403);
      }
      for (const caller of [alice, atelier.admin]) expect(await statusFor(caller, id)).toBe(200);
    });

    test('trackers of a suspended project are for site administrators to read and for nobody to change', async () => {
      const { id: stopped } = await createProject(alice, 'stopped');
      const { id } = await createTracker(alice, stopped);
      const field = await addField(alice, id, { type: 'string' });
      await atelier.admin.patch(`/projects/${stopped}`, { status: 'suspended' });
      expect(await statusFor(alice, id)).toBe(403);
      expect(await statusFor(atelier.admin, id)).toBe(200);
      for (const caller of [alice, atelier.admin]) {
        const replies = [
          await caller.post(`/projects/${stopped}/trackers`, { label: 'x', item_name: 'x' }),
          await caller.patch(`/trackers/${id}/settings`, { label: 'x' }),
          await caller.post(`/trackers/${id}/fields`, { type: 'string', label: 'x' }),
          await caller.put(`/trackers/${id}/permissions`, {}),
          await caller.put(`/tracker_fields/${field.field_id}/permissions`, {}),
          await caller.put(`/trackers/${id}/semantics`, {}),
          await caller.put(`/projects/${stopped}/disabled_link_types`, { shortnames: [] }),
        ];
        expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 403));
      }
    });

    test('on a closed platform, anonymous callers are asked to log in', async () => {
      await atelier.configure({ access_mode: 'regular' });
      expect(await statusFor(atelier.anonymous, every.tracker.id)).toBe(401);
      expect((await atelier.anonymous.get(`/projects/${project}/trackers`)).status).toBe(401);
      await atelier.configure({ access_mode: 'anonymous' });
    });

    test('without any grant only administrators', async () => {
      const { id } = await createTracker(alice, project);
      await setPermissions(alice, id, {});
      for (const caller of [bob, carol, atelier.anonymous]) expect(await statusFor(caller, id)).toBe(404);
      for (const caller of [alice, atelier.admin]) expect(await statusFor(caller, id)).toBe(200);
    });

    test.each([
      'can_access',
      'can_access_submitted_by_user',
      'can_access_assigned_to_group',
      'can_access_submitted_by_group',
      'can_admin',
    ])('members of a group with %s', async (permission) => {
      const { id } = await createTracker(alice, project);
      await setPermissions(alice, id, { [permission]: [testers] });
      expect(await statusFor(carol, id)).toBe(200);
      for (const caller of [bob, atelier.anonymous]) expect(await statusFor(caller, id)).toBe(404);
      const { permissions_for_groups } = await readTracker(carol, id);
      expect(permissions_for_groups !== null).toBe(permission === 'can_admin');
      const listed = await carol.get(
        `/projects/${project}/trackers?query=${query({ is_tracker_admin: true })}`,
      );
      expect(idsOf(listed).includes(id)).toBe(permission === 'can_admin');
      const projects = await carol.get(`/projects?query=${query({ is_tracker_admin: true })}`);
      if (permission === 'can_admin') expect(idsOf(projects)).toEqual([project]);
    });

    test('holders of the delegation administer the trackers of all projects, private ones too', async () => {
      const dave = await atelier.createUser('dave');
      const { id } = await createTracker(alice, secret);
      expect(await statusFor(dave, id)).toBe(403);
      await delegate(atelier, dave, [2]);
      expect((await readTracker(dave, id)).permissions_for_groups).not.toBeNull();
      expect(idsOf(await dave.get(`/projects/${secret}/trackers?limit=50`))).toContain(id);
      expect(idsOf(await dave.get(`/projects?query=${query({ is_tracker_admin: true })}`))).toContain(secret);
      await createTracker(dave, secret);
      await addField(dave, id, { type: 'string' });
    });
  });

  describe('what is granted on fields', () => {
    test('at first, everybody reads, registered users submit and project members update', async () => {
      const { permissions_for_groups: granted } = fieldNamed(every.tracker, 'string');
      expect(names(granted?.can_read)).toEqual(['all_users']);
      expect(names(granted?.can_submit)).toEqual(['registered_users']);
      expect(names(granted?.can_update)).toEqual(['project_members']);
      const { permissions_for_groups: ofId } = fieldNamed(every.tracker, 'aid');
      expect([names(ofId?.can_read), ofId?.can_submit, ofId?.can_update]).toEqual([['all_users'], [], []]);
      const permissionsOf = async (caller: Caller) => {
        const { permissions, permissions_for_groups } = await readField(caller, every.tracker.id, 'string');
        expect(permissions_for_groups).toBeNull();
        return permissions;
      };
      expect(await permissionsOf(bob)).toEqual(all);
      expect(await permissionsOf(carol)).toEqual(['read', 'create']);
      expect(await permissionsOf(atelier.anonymous)).toEqual(['read']);
    });

    test('update gives read, submit alone does not; only site administrators need no grant', async () => {
      const { id } = await createTracker(alice, project);
      const { field_id } = await addField(alice, id, { type: 'string' });
      const permissionsOf = async (caller: Caller) =>
        (await readTracker(caller, id)).fields.map(({ permissions }) => permissions)[0];
      await setFieldPermissions(alice, field_id, { can_update: [testers] });
      expect(await permissionsOf(carol)).toEqual(['read', 'update']);
      const { permissions_for_groups } = await readField(atelier.admin, id, 'string');
      expect(permissions_for_groups).toEqual({
        can_read: [],
        can_submit: [],
        can_update: [expect.objectContaining({ id: testers })],
      });
      await setFieldPermissions(alice, field_id, { can_submit: [testers] });
      for (const caller of [carol, alice, bob]) expect(await permissionsOf(caller)).toBeUndefined();
      expect(await permissionsOf(atelier.admin)).toEqual(all);
    });
  });

  describe('semantics', () => {
    test('come in their order, without those that rest on what the caller cannot read', async () => {
      const { tracker, ids } = await everyField(alice, project);
      const { red = 0, blue = 0 } = valueIds(fieldNamed(tracker, 'sb'));
      await setSemantics(alice, tracker.id, {
        initial_effort: { field_id: ids['rb'] },
        progress: { total_effort_field_id: ids['int'], remaining_effort_field_id: ids['computed'] },
        timeframe: { start_date_field_id: ids['date'], duration_field_id: ids['float'] },
        contributor: { field_id: ids['cb_users'] },
        status: { field_id: ids['sb'], value_ids: [red, 100] },
        description: { field_id: ids['text'] },
        title: { field_id: ids['string'] },
        done: { value_ids: [blue] },
        tooltip: { field_ids: [ids['string'], ids['sb']] },
      });
      const { semantics } = await readTracker(bob, tracker.id);
      expect(Object.entries(semantics)).toEqual([
        ['title', { field_id: ids['string'] }],
        ['description', { field_id: ids['text'] }],
        ['status', { field_id: ids['sb'], value_ids: [red, 100] }],
        ['contributor', { field_id: ids['cb_users'] }],
        ['timeframe', { start_date_field_id: ids['date'], duration_field_id: ids['float'] }],
        ['progress', { total_effort_field_id: ids['int'], remaining_effort_field_id: ids['computed'] }],
        ['initial_effort', { field_id: ids['rb'] }],
      ]);
      for (const name of ['string', 'sb', 'float', 'computed'])
        await setFieldPermissions(alice, ids[name] ?? 0, {});
      const seen = await readTracker(bob, tracker.id);
      expect(Object.keys(seen.semantics)).toEqual(['description', 'contributor', 'initial_effort']);
    });

    test('a timeframe that comes from another tracker is told to those who see that one', async () => {
      const source = await createTracker(alice, project);
      const { id } = await createTracker(alice, project);
      await setSemantics(alice, id, { timeframe: { implied_from_tracker: { id: source.id } } });
      const implied = { implied_from_tracker: { id: source.id, uri: `trackers/${source.id}` } };
      expect((await readTracker(bob, id)).semantics).toEqual({ timeframe: implied });
      await setPermissions(alice, source.id, {});
      expect((await readTracker(bob, id)).semantics).toEqual({});
    });
  });

  describe('GET /projects/{id}/trackers', () => {
    let listed: number;
    const path = (more = '') => `/projects/${listed}/trackers${more}`;
    const labelsIn = (body: readonly { label: string }[]) => body.map(({ label }) => label);

    beforeAll(async () => {
      listed = (await createProject(alice, 'listed')).id;
      await setMembers(alice, `${listed}_3`, [alice, bob]);
      for (const label of ['zebra', 'Émile', 'apple', 'Banana'])
        await createTracker(alice, listed, { label });
      const [first] = (await alice.get(path())).body;
      await setPermissions(alice, first.id, { can_access: [`${listed}_4`] });
    });

    test('lists what the caller sees, by name, in full unless asked otherwise', async () => {
      const { body, headers } = await alice.get(path());
      expect(labelsIn(body)).toEqual(['apple', 'Banana', 'Émile', 'zebra']);
      expect(body.every((tracker: unknown) => Check(Tracker, tracker))).toBe(true);
      expect(body[0]).toEqual(await readTracker(alice, body[0].id));
      expect(headers.get('x-pagination-limit')).toBe('10');
      expect(headers.get('x-pagination-limit-max')).toBe('50');
      const forBob = await bob.get(path('?representation=minimal'));
      expect([labelsIn(forBob.body), sizeOf(forBob)]).toEqual([['Banana', 'Émile', 'zebra'], 3]);
      expect(forBob.body.every((tracker: unknown) => Check(MinimalTracker, tracker))).toBe(true);
      expect(forBob.body[0]).toEqual({
        id: expect.any(Number),
        uri: expect.stringMatching(/^trackers\/\d+$/),
        label: 'Banana',
        color_name: 'inca-silver',
        project: { id: listed, uri: `projects/${listed}`, label: 'Project listed', icon: '' },
        cannot_create_reasons: [],
      });
    });

    test('is paged, and every page tells the exact size', async () => {
      const page = await bob.get(path('?limit=2&offset=1'));
      expect([labelsIn(page.body), sizeOf(page)]).toEqual([['Émile', 'zebra'], 3]);
      const none = await bob.get(path('?limit=0'));
      expect([none.status, none.body, sizeOf(none)]).toEqual([200, [], 3]);
    });

    test('with is_tracker_admin lists what the caller administers', async () => {
      const administered = path(`?query=${query({ is_tracker_admin: true })}`);
      expect(sizeOf(await alice.get(administered))).toBe(4);
      const forBob = await bob.get(administered);
      expect([forBob.body, sizeOf(forBob)]).toEqual([[], 0]);
    });

    test.each([
      'limit=51',
      'limit=-1',
      'limit=x',
      'offset=-1',
      'representation=tiny',
      'query=x',
      'query=[]',
      `query=${query({})}`,
      `query=${query({ is_tracker_admin: false })}`,
      `query=${query({ with_time_tracking: true })}`,
      'with_creation_semantic_check=title',
      'representation=minimal&with_creation_semantic_check=status',
      'representation=minimal&with_creation_semantic_check[]=title&with_creation_semantic_check[]=status',
    ])('with %s is 400', async (parameters) => {
      expect((await alice.get(path(`?${parameters}`))).status).toBe(400);
    });

    test('of an unknown project is 404', async () => {
      expect((await alice.get('/projects/999999/trackers')).status).toBe(404);
    });

    test('is listed among the resources of a project', async () => {
      const { body } = await bob.get(`/projects/${listed}`);
      expect(body.resources[0]).toEqual({ type: 'trackers', uri: `projects/${listed}/trackers` });
    });

    test.each(['with_creation_semantic_check[]', 'with_creation_semantic_check'])(
      '%s tells why a title alone makes no artifact',
      async (parameter) => {
        const { id: own } = await createProject(alice, `checked${parameter.length}`);
        const { id } = await createTracker(alice, own);
        const check = `/projects/${own}/trackers?representation=minimal&${parameter}=title`;
        const reasons = async (caller: Caller) => (await caller.get(check)).body[0].cannot_create_reasons;
        expect(await reasons(alice)).toEqual([
          'You may not submit artifacts in this tracker.',
          'The tracker has no title field.',
        ]);
        const title = await addField(alice, id, { type: 'string', name: 'title', required: true });
        await setSemantics(alice, id, { title: { field_id: title.field_id } });
        expect(await reasons(bob)).toEqual([]);
        expect(await reasons(atelier.anonymous)).toEqual([
          'You may not submit artifacts in this tracker.',
          'You may not fill the title field.',
        ]);
        await addField(alice, id, { type: 'int', name: 'points', required: true });
        expect(await reasons(bob)).toEqual(['Another field than the title is required.']);
        await setFieldPermissions(alice, title.field_id, { can_submit: [`${own}_4`] });
        expect(await reasons(bob)).toContain('You may not fill the title field.');
      },
    );
  });

  test('the short name of a tracker makes references', async () => {
    const { id: own } = await createProject(alice, 'referring');
    await createTracker(alice, own, { item_name: 'Story' });
    const text = 'story #12, STORY #main/1, story #x, art #3';
    const { body } = await alice.post(`/projects/${own}/extract_references`, { text });
    expect(body.map((reference: { text: string }) => reference.text)).toEqual(['story #12', 'art #3']);
  });
});
