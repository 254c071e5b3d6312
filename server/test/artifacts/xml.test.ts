import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  change,
  entryOf,
  messageOf,
  readArtifact,
  Store,
  submit,
  type Value,
  versionIn,
} from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setSemantics, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

const engines = oneEngine('PostgreSQL', 'XML is read and written in code');

describe.each(engines)('artifacts in XML on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  describe.each([
    ['', 'demo'],
    ['/v1', 'demo-v1'],
  ])('under /api%s', (base, shortname) => {
    let project: number;
    let tracker: number;
    let ids: Record<string, number>;
    let values: Record<string, number>;
    const both = { 'Content-Type': 'application/xml', Accept: 'application/xml' };
    const send = (method: string, path: string, rawBody: string, headers: Record<string, string> = both) =>
      alice.request(method, `${base}${path}`, { rawBody, headers });
    const post = (content: string, headers = both) =>
      send(
        'POST',
        '/artifacts',
        `<request><tracker><id>${tracker}</id></tracker>${content}</request>`,
        headers,
      );
    const item = (name: string, content: string) =>
      `<item><field_id>${ids[name]}</field_id>${content}</item>`;
    const idIn = (text: string) => Number(/<response><id>(\d+)<\/id>/.exec(text)?.[1]);
    const create = async (...items: string[]) => {
      const reply = await post(`<values>${items.join('')}</values>`);
      expect(reply.status, reply.text).toBe(201);
      return idIn(reply.text);
    };
    const put = (id: number, ...items: string[]) =>
      send('PUT', `/artifacts/${id}`, `<request><values>${items.join('')}</values></request>`);
    const reference = (member: string) =>
      `<tracker><id>${tracker}</id><uri>trackers/${tracker}</uri><label>Bugs</label><${member}>inca-silver</${member}>` +
      `<project><id>${project}</id><uri>projects/${project}</uri><label>Demo project</label><icon></icon></project>`;
    beforeAll(async () => {
      project = (await createProject(alice, shortname, { label: 'Demo project' })).id;
      await setMembers(alice, `${project}_3`, [alice, bob]);
      tracker = (await createTracker(alice, project, { item_name: 'bug', label: 'Bugs' })).id;
      ids = { bob: bob.id };
      const field = async (type: string, name: string, more = {}) => {
        const made = await addField(alice, tracker, { type, name, label: name, ...more });
        ids[name] = made.field_id;
        return made;
      };
      await field('string', 'summary');
      await field('text', 'details');
      await field('int', 'effort');
      await field('date', 'due');
      const listed = [{ label: 'New', color: 'acid-green' }, { label: 'Closed' }];
      values = valueIds(await field('sb', 'status', { bind: { type: 'static', values: listed } }));
      await field('msb', 'people', { bind: { type: 'users' } });
      await field('tbl', 'tags', { bind: { type: 'static' } });
      await field('art_link', 'links');
      await field('perm', 'perm');
      await field('computed', 'cost');
      await field('file', 'files');
      await setSemantics(alice, tracker, {
        title: { field_id: ids['summary'] },
        status: { field_id: ids['status'], value_ids: [values['New']] },
      });
    });
    test('POST as the specification writes it', async () => {
      const other = await submit(alice, tracker, [{ field_id: ids['summary'], value: 'other' }]);
      const reply = await send(
        'POST',
        '/artifacts',
        `<request>
  <tracker><id>${tracker}</id></tracker>
  <values>
    <item><field_id>${ids['summary']}</field_id><value>It breaks</value></item>
    <item><field_id>${ids['details']}</field_id><value><content>&lt;p&gt;Why&lt;/p&gt;</content><format>html</format></value></item>
    <item><field_id>${ids['status']}</field_id><bind_value_ids><item>${values['New']}</item></bind_value_ids></item>
    <item><field_id>${ids['links']}</field_id><links><item><id>${other}</id><type>_is_child</type></item></links></item>
  </values>
</request>`,
      );
      expect(reply.status, reply.text).toBe(201);
      const id = idIn(reply.text);
      expect(reply.text).toBe(
        `${declaration}<response><id>${id}</id><uri>artifacts/${id}</uri>${reference('color')}</tracker></response>`,
      );
      expect(reply.headers.get('content-type')).toBe('application/xml; charset=utf-8');
      expect(reply.headers.get('etag')).toMatch(/^"/);
      const body = await readArtifact(alice, id);
      expect(body).toMatchObject({ title: 'It breaks', status: 'New' });
      expect(entryOf(body, ids['details'])).toMatchObject({ value: '<p>Why</p>', format: 'html' });
      expect(entryOf(body, ids['links']).links).toMatchObject([{ id: other, type: '_is_child' }]);
    });

    test('POST by field, as the specification writes it', async () => {
      const reply = await send(
        'POST',
        '/artifacts',
        `<request><tracker><id>${tracker}</id></tracker><values_by_field><summary><value>It breaks</value></summary></values_by_field></request>`,
      );
      expect(reply.status, reply.text).toBe(201);
      const id = idIn(reply.text);
      expect(reply.text).toContain(`<uri>artifacts/${id}?values_format=by_field</uri>`);
      const read = await alice.get(`${base}/artifacts/${id}?values_format=by_field`, { headers: both });
      expect(read.text).toContain(
        `<values></values><values_by_field><summary><field_id>${ids['summary']}</field_id><type>string</type><label>summary</label><value>It breaks</value></summary>`,
      );
      expect(read.text).toContain('<effort></effort>');
    });

    test('PUT as the specification writes it, a tracker element is tolerated', async () => {
      const id = await create(item('summary', '<value>It breaks</value>'));
      const reply = await send(
        'PUT',
        `/artifacts/${id}`,
        `<request>
  <tracker><id>99999</id></tracker>
  <values><item><field_id>${ids['summary']}</field_id><value>It still breaks</value></item></values>
  <comment><body>seen again</body><format>text</format></comment>
</request>`,
      );
      expect(reply.status, reply.text).toBe(200);
      expect(reply.text).toContain('<value>It still breaks</value>');
      expect(await store.changesetsOf(id)).toBe(2);
      const changesets = await alice.get(`/artifacts/${id}/changesets?fields=comments`);
      expect(changesets.body[0].last_comment.body).toBe('seen again');
      const only = `<request><values></values><comment><body>again</body><format>text</format></comment></request>`;
      expect((await send('PUT', `/artifacts/${id}`, only)).status).toBe(200);
      expect(await store.changesetsOf(id)).toBe(3);
    });

    test('GET as the specification writes it: item around every array element, empty elements for nothing', async () => {
      const id = await create(
        item('summary', '<value>It breaks</value>'),
        item('status', `<bind_value_ids><item>${values['New']}</item></bind_value_ids>`),
        item('people', `<bind_value_ids><item>${alice.id}</item><item>${ids['bob']}</item></bind_value_ids>`),
      );
      const { status, text, headers } = await alice.get(`${base}/artifacts/${id}`, { headers: both });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
      const start = `${declaration}<response><id>${id}</id><uri>artifacts/${id}</uri><xref>bug #${id}</xref>${reference('color_name')}<cannot_create_reasons></cannot_create_reasons></tracker><project><id>${project}</id>`;
      expect(text.slice(0, start.length)).toBe(start);
      expect(text).toContain(
        `<values><item><field_id>${ids['summary']}</field_id><type>string</type><label>summary</label><value>It breaks</value></item>`,
      );
      expect(text).toContain(
        `<item><field_id>${ids['status']}</field_id><type>sb</type><label>status</label><values><item><id>${values['New']}</id><label>New</label><color></color><tlp_color>acid-green</tlp_color><is_hidden>false</is_hidden></item></values><bind_value_ids><item>${values['New']}</item></bind_value_ids></item>`,
      );
      expect(text).toContain(
        `<bind_value_ids><item>${alice.id}</item><item>${ids['bob']}</item></bind_value_ids>`,
      );
      expect(text).toContain('<links></links><reverse_links></reverse_links>');
      expect(text).toContain('<values_by_field></values_by_field>');
      expect(text).toContain(
        '<status>New</status><full_status><value>New</value><color>acid-green</color></full_status><is_open>true</is_open><title>It breaks</title><assignees></assignees>',
      );
      expect(text.endsWith('</response>')).toBe(true);
      expect((await alice.get(`${base}/artifacts/${id}.xml`)).text).toBe(text);
    });

    test('what is sent and what is answered have a format each', async () => {
      const body = { tracker: { id: tracker }, values: [{ field_id: ids['summary'], value: 'x' }] };
      const json = await alice.request('POST', `${base}/artifacts`, {
        body,
        headers: { Accept: 'application/xml' },
      });
      expect(json.text).toContain('<response><id>');
      const content = `<values>${item('summary', '<value>x</value>')}</values>`;
      const xml = await post(content, { 'Content-Type': 'application/xml; charset=UTF-8', Accept: '*/*' });
      expect([xml.status, xml.body.uri]).toEqual([201, `artifacts/${xml.body.id}`]);
    });

    test('a document is read in the encoding that it names', async () => {
      const summary = 'Zürich, 5 €, Œuvre';
      const document = (start: string) =>
        `${start}<request><tracker><id>${tracker}</id></tracker><values>${item('summary', `<value>${summary}</value>`)}</values></request>`;
      const said = (encoding: string) => document(`<?xml version='1.0' encoding='${encoding}'?>`);
      // Of these characters, the ones that are not in ISO-8859-1 are where it has none.
      const western = (text: string) => Buffer.from(text.replace('€', '\x80').replace('Œ', '\x8c'), 'latin1');
      const sixteen = (text: string) => Buffer.from(text, 'utf16le');
      const sent = (rawBody: Buffer, type = 'application/xml') =>
        alice.request('POST', `${base}/artifacts`, { rawBody, headers: { 'Content-Type': type } });
      const labelled = (charset: string) => `application/xml; charset=${charset}`;
      const replies = [
        await sent(western(said('ISO-8859-1'))),
        await sent(western(said('windows-1252')), labelled('UTF-8')),
        await sent(western(document('')), labelled('"iso-8859-1"')),
        await sent(sixteen(`\uFEFF${said('UTF-16')}`)),
        await sent(sixteen(document('')).swap16()),
        await sent(Buffer.from(said('utf-16'))),
        await sent(Buffer.from(`\uFEFF${said('us-ascii')}`), labelled('us-ascii')),
        await sent(Buffer.from(said('UTF-8')), labelled('ISO-8859-1')),
      ];
      for (const { status, text, body } of replies) {
        expect(status, text).toBe(201);
        const shown = entryOf(await readArtifact(alice, body.id), ids['summary']);
        expect(shown.value).toBe(summary);
      }
      const refusals: [Buffer, string][] = [
        [western(document('')), 'Bad Request: The body is not valid UTF-8.'],
        [western(said('UTF-8')), 'Bad Request: The body is not valid UTF-8.'],
        [western(said('martian')), 'Bad Request: Malformed XML. The encoding `martian` is not known.'],
        [western(said('utf-7')), 'Bad Request: Malformed XML. The encoding `utf-7` is not known.'],
      ];
      for (const [body, words] of refusals) {
        const refusal = await sent(body);
        expect([refusal.status, messageOf(refusal)]).toEqual([400, words]);
      }
    });

    test('leaves are converted by what the field takes', async () => {
      const id = await create(
        item('summary', '<value> 007 <![CDATA[<&>]]></value>'),
        item('details', '<value>true</value>'),
        item('effort', '<value>5</value>'),
        item('due', '<value>2024-03-01</value>'),
        item(
          'tags',
          '<value><bind_value_objects><item><label>one</label></item></bind_value_objects></value>',
        ),
        item('perm', `<value><granted_groups><item>${project}_3</item></granted_groups></value>`),
        item('cost', '<manual_value>1.5</manual_value><is_autocomputed>false</is_autocomputed>'),
      );
      const body = await readArtifact(alice, id);
      const shown = (name: string) => entryOf(body, ids[name]);
      expect(shown('summary').value).toBe(' 007 <&>');
      expect(shown('details').commonmark).toBe('true');
      expect([shown('effort').value, shown('due').value.slice(0, 10)]).toEqual([5, '2024-03-01']);
      expect(shown('tags').bind_value_ids).toEqual(['one']);
      expect(shown('perm').granted_groups_ids).toEqual([`${project}_3`]);
      expect([shown('cost').manual_value, shown('cost').is_autocomputed]).toEqual([1.5, false]);
    });

    test('lists are emptied by 100, links, files and groups by an empty element beside', async () => {
      const other = await submit(alice, tracker, [{ field_id: ids['summary'], value: 'other' }]);
      const file = await store.addFile(alice.id);
      const id = await create(
        item('status', `<bind_value_ids><item>${values['New']}</item></bind_value_ids>`),
        item('files', `<value><item>${file}</item></value>`),
        item('links', `<links><item><id>${other}</id><type></type></item></links>`),
        item('perm', `<value><granted_groups><item>${project}_3</item></granted_groups></value>`),
        item('due', '<value>2024-03-01</value>'),
      );
      const none = await put(
        id,
        item('status', '<bind_value_ids><item>100</item></bind_value_ids>'),
        item('due', '<value/>'),
      );
      expect(none.status, none.text).toBe(200);
      const body = await readArtifact(alice, id);
      expect([entryOf(body, ids['status']).values, entryOf(body, ids['due']).value]).toEqual([[], null]);
      const groups = await put(id, item('perm', '<value><granted_groups></granted_groups></value>'));
      expect(groups.status, groups.text).toBe(200);
      const links = await put(id, item('links', '<all_links>\n</all_links>'));
      expect([links.status, messageOf(links)]).toEqual([200, '']);
      const undone = await put(id, item('files', '<file_descriptions></file_descriptions>'));
      expect([undone.status, undone.text]).toEqual([400, expect.stringContaining('`value`')]);
      const files = await put(id, item('files', '<value></value>'));
      expect(files.status, files.text).toBe(200);
      const after = await readArtifact(alice, id);
      expect(entryOf(after, ids['files']).file_descriptions).toEqual([]);
      expect(entryOf(after, ids['perm']).granted_groups_ids).toEqual([]);
      expect(entryOf(after, ids['links']).links).toEqual([]);
    });

    test('an artifact is sent back as it was read, with nothing in it and with everything', async () => {
      const file = await store.addFile(alice.id);
      const other = await submit(alice, tracker, [{ field_id: ids['summary'], value: 'other' }]);
      const empty = await create(
        ...['summary', 'effort'].map((name) => item(name, `<value>${name === 'effort' ? 1 : 'x'}</value>`)),
      );
      const emptied = ['effort', 'due'].map((name) => ({ field_id: ids[name], value: '' }));
      const nothing = [
        ...emptied,
        { field_id: ids['files'], value: [] },
        { field_id: ids['perm'], value: { granted_groups: [] } },
        { field_id: ids['summary'], value: '' },
        { field_id: ids['details'], value: { content: '', format: 'text' } },
      ];
      expect((await alice.put(`/artifacts/${empty}`, { values: nothing })).status).toBe(200);
      const full = await submit(alice, tracker, [
        { field_id: ids['summary'], value: ' é <&> "quoted" ' },
        {
          field_id: ids['details'],
          value: { content: '# Title\r\n\r\n* see bug #1 & <b>', format: 'commonmark' },
        },
        { field_id: ids['effort'], value: 0 },
        { field_id: ids['due'], value: '2024-03-01' },
        { field_id: ids['status'], bind_value_ids: [values['Closed']] },
        { field_id: ids['people'], bind_value_ids: [ids['bob']] },
        { field_id: ids['tags'], bind_value_ids: ['a, b', 'c'] },
        { field_id: ids['links'], links: [{ id: other }, { id: empty, type: '_is_child' }] },
        { field_id: ids['perm'], value: { granted_groups: ['1'] } },
        { field_id: ids['cost'], manual_value: 0 },
        { field_id: ids['files'], value: [file] },
      ]);
      for (const id of [empty, full]) {
        const before = await store.traces();
        const read = await alice.get(`${base}/artifacts/${id}`, { headers: both });
        const request = read.text.replace('<response>', '<request>').replace('</response>', '</request>');
        const echoed = await send('PUT', `/artifacts/${id}`, request);
        expect(echoed.status, echoed.text).toBe(200);
        expect(echoed.text).toBe(read.text);
        // The rest of the tag may change meanwhile: sums of a new tracker are kept from some moment on.
        expect(versionIn(echoed)).toBe(versionIn(read));
        expect(await store.traces()).toEqual(before);
      }
    });

    test('characters that XML cannot carry stay when what was read is sent back, and go when it is changed', async () => {
      const html = { content: '\u0001', format: 'html' };
      for (const text of [{ content: 'x\u0007y **z**', format: 'commonmark' }, html]) {
        const id = await submit(alice, tracker, [
          { field_id: ids['summary'], value: 'a\u0001b\ufffe' },
          { field_id: ids['details'], value: text },
        ]);
        const before = await store.traces();
        const read = await alice.get(`${base}/artifacts/${id}`, { headers: both });
        const echoed = await send('PUT', `/artifacts/${id}`, read.text.replaceAll('response>', 'request>'));
        expect([echoed.status, echoed.text]).toEqual([200, read.text]);
        expect(await store.traces()).toEqual(before);
        const { body } = await alice.put(`/artifacts/${id}`, {
          values: [{ field_id: ids['summary'], value: 'ab' }],
        });
        expect(entryOf(body, ids['summary']).value).toBe('ab');
      }
    });

    test('an empty element empties a line, a text and a number; one that is not there is refused', async () => {
      const names = ['summary', 'details', 'effort'];
      const id = await create(
        item('summary', '<value>words</value>'),
        item('details', '<value>words</value>'),
        item('effort', '<value>3</value>'),
      );
      for (const name of names) expect((await put(id, item(name, ''))).status, name).toBe(400);
      const emptied = await put(id, ...names.map((name) => item(name, '<value></value>')));
      expect(emptied.status, emptied.text).toBe(200);
      const read = await readArtifact(alice, id);
      expect(names.map((name) => entryOf(read, ids[name]).value)).toEqual(['', '', null]);
      const nothing = { values: [{ field_id: ids['summary'], value: null }] };
      await change(alice, id, [{ field_id: ids['summary'], value: 'again' }]);
      expect((await alice.put(`/artifacts/${id}`, nothing)).status).toBe(400);
    });

    test('an empty element is an empty list, and a link without type', async () => {
      const [other, third] = [
        await create(item('summary', '<value>1</value>')),
        await create(item('summary', '<value>2</value>')),
      ];
      const id = await create(
        item('status', `<bind_value_ids><item>${values['New']}</item></bind_value_ids>`),
        item('tags', '<bind_value_ids><item>one</item></bind_value_ids>'),
        item('links', `<links><item><id>${other}</id></item></links>`),
      );
      const linked = async () => {
        const { links, reverse_links: reverse } = entryOf(await readArtifact(alice, id), ids['links']);
        return [links, reverse].map((list) => list.map((link: Value) => [link.id, link.type]));
      };
      const link = (target: number, direction: string) =>
        `<item><id>${target}</id><direction>${direction}</direction><type></type></item>`;
      const directed = `<all_links>${link(other, 'reverse')}${link(third, 'forward')}</all_links>`;
      for (const [name, content, expected] of [
        ['links', '<links></links>', [[], []]],
        ['links', directed, [[[third, null]], [[other, null]]]],
        ['links', `<parent><id>${other}</id></parent><links/>`, [[[third, null]], [[other, '_is_child']]]],
        ['links', '<all_links/>', [[], []]],
      ] as const) {
        const reply = await put(id, item(name, content));
        expect(reply.status, `${content} ${reply.text}`).toBe(200);
        expect(await linked(), content).toEqual(expected);
      }
      const white = await put(
        id,
        item('status', '<bind_value_ids>\n</bind_value_ids>'),
        item('tags', '<bind_value_ids/>'),
      );
      expect(white.status, white.text).toBe(200);
      await change(alice, id, [{ field_id: ids['tags'], bind_value_ids: ['two'] }]);
      const objects = await put(id, item('tags', '<value><bind_value_objects></bind_value_objects></value>'));
      expect(objects.status, objects.text).toBe(200);
      const read = await readArtifact(alice, id);
      expect(['status', 'tags'].map((name) => entryOf(read, ids[name]).bind_value_ids)).toEqual([[], []]);
    });

    test('an artifact without values is copied by what was read of it', async () => {
      const id = await create(item('summary', '<value>empty</value>'));
      const { text } = await alice.get(`${base}/artifacts/${id}`, { headers: both });
      const copied = await send('POST', '/artifacts', text);
      expect(copied.status, copied.text).toBe(201);
      const [read, copy] = [await readArtifact(alice, id), await readArtifact(alice, idIn(copied.text))];
      for (const name of ['summary', 'details', 'status', 'tags', 'links'])
        expect(entryOf(copy, ids[name]), name).toEqual(entryOf(read, ids[name]));
    });

    test('an empty content empties a text, one that is not there does not', async () => {
      const id = await create(item('details', '<value>words</value>'));
      const none = await put(id, item('details', '<value><format>html</format></value>'));
      expect([none.status, none.text]).toEqual([400, expect.stringContaining('`content`')]);
      const emptied = await put(
        id,
        item('details', '<value><content></content><format>text</format></value>'),
      );
      expect(emptied.status, emptied.text).toBe(200);
      expect(entryOf(await readArtifact(alice, id), ids['details']).value).toBe('');
    });

    test('fields of any name are written by it, as answers spell it', async () => {
      const { id: other } = await createTracker(alice, project);
      for (const name of ['item', '1st', '-x']) await addField(alice, other, { type: 'string', name });
      const fields = (names: readonly string[]) =>
        names.map((name) => `<${name}><value>${name}</value></${name}>`).join('');
      for (const names of [['item'], ['item', '_1st', '_-x'], ['_1st']]) {
        const body = `<request><tracker><id>${other}</id></tracker><values_by_field>${fields(names)}</values_by_field></request>`;
        const reply = await send('POST', '/artifacts', body);
        expect(reply.status, reply.text).toBe(201);
        const path = `/artifacts/${idIn(reply.text)}?values_format=by_field`;
        const read = await alice.get(`${base}${path}`, { headers: both });
        for (const name of names) expect(read.text).toMatch(new RegExp(`<${name}>.*<value>${name}</value>`));
      }
      for (const content of [
        fields(['item', 'item']),
        fields(['_2nd']),
        '<__proto__><value>x</value></__proto__>',
      ]) {
        const body = `<request><tracker><id>${other}</id></tracker><values_by_field>${content}</values_by_field></request>`;
        expect((await send('POST', '/artifacts', body)).status).toBe(400);
      }
    });

    test('what serializers say about the XML itself is passed over', async () => {
      const spaces = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:ours"';
      const entry = `<r:item xmlns:r="urn:ours"><r:field_id>${ids['summary']}</r:field_id><r:value>Prefixed</r:value></r:item>`;
      const values =
        `<values ${spaces}>${entry}` +
        item('details', '<value xsi:type="xs:string" xml:space="preserve"> Typed </value>') +
        item('effort', '<value xsi:type="xs:int">7</value><links xsi:nil="true"/>') +
        '</values>';
      const { text, status } = await post(values);
      expect(status, text).toBe(201);
      const { body } = await alice.get(`/artifacts/${idIn(text)}?values_format=by_field`);
      const { summary, details, effort } = body.values_by_field;
      expect([summary.value, details.commonmark, effort.value]).toEqual(['Prefixed', ' Typed ', 7]);
      // A body that is a list stays one.
      const people = `<ArrayOfUser ${spaces}><item><id>${alice.id}</id></item><item><id>${bob.id}</id></item></ArrayOfUser>`;
      const set = await send('PUT', `/user_groups/${project}_3/users`, people);
      expect(set.status, set.text).toBe(200);
    });

    test('errors are in XML too', async () => {
      const missing = await alice.get(`${base}/artifacts/99999`, { headers: both });
      expect([
        missing.status,
        missing.text.startsWith(`${declaration}<response><error><code>404</code><message>Not Found`),
      ]).toEqual([404, true]);
      const wrong = await post(`<values>${item('effort', '<value>abc</value>')}</values>`);
      expect([wrong.status, wrong.text.includes('(effort)')]).toEqual([400, true]);
      const id = await create(item('summary', '<value>x</value>'));
      const stale = { ...both, 'If-Match': '"stale"' };
      const refused = await send('PUT', `/artifacts/${id}`, '<request><values></values></request>', stale);
      expect([refused.status, refused.text.includes('<code>412</code>')]).toEqual([412, true]);
      for (const body of ['<request>', '<!DOCTYPE x><request/>', '<request>&nbsp;</request>', 'nonsense'])
        expect((await send('POST', '/artifacts', body)).status).toBe(400);
      for (const body of ['<request/>', '<request></request>', ''])
        expect((await send('PUT', `/artifacts/${id}`, body)).status).toBe(400);
    });
  });
});
