import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, Store, submit } from '../fixtures/artifact.ts';
import { createProject, idsOf, setMembers, sizeOf } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

interface Found {
  readonly id: number;
  readonly found_in: string;
  readonly snippets: readonly {
    readonly place: string;
    readonly field_id: number | null;
    readonly text: string;
    readonly html: string;
    readonly highlights: readonly { readonly start: number; readonly end: number }[];
  }[];
}

describe.each(usuallyOn('SQLite'))('looking for words on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let tracker: number;
  const fields = { title: 0, text: 0, secret: 0, file: 0, perm: 0 };
  const search = async (words: string, caller: Caller = alice, more = '') => {
    const reply = await caller.get(`/search?words=${encodeURIComponent(words)}${more}`);
    expect(reply.status, reply.text).toBe(200);
    return reply;
  };
  const found = async (words: string, caller: Caller = alice, more = '') => {
    const reply = await search(words, caller, more);
    expect(sizeOf(reply)).toBe(reply.body.length);
    return idsOf(reply);
  };
  const make = (title: string, ...more: object[]) =>
    submit(alice, tracker, [
      { field_id: fields.title, value: title },
      ...more.map((entry) => ({ ...entry })),
    ]);
  const text = (content: string) => ({ field_id: fields.text, value: { content, format: 'commonmark' } });
  const comment = (id: number, body: string, more: object = {}) =>
    alice.post(`/artifacts/${id}/comments`, { body, format: 'text', ...more });

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'words')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    ({ id: tracker } = await createTracker(alice, project, { has_private_comments: true }));
    for (const [name, type] of [
      ['title', 'string'],
      ['text', 'text'],
      ['secret', 'text'],
      ['file', 'file'],
      ['perm', 'perm'],
    ] as const)
      fields[name] = (await addField(alice, tracker, { type, name })).field_id;
    await setSemantics(alice, tracker, { title: { field_id: fields.title } });
    const admins = [`${project}_4`];
    await setFieldPermissions(alice, fields.secret, {
      can_read: admins,
      can_submit: admins,
      can_update: admins,
    });
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('titles come before texts, texts before comments, comments before files, and newer before older', async () => {
    const file = await store.addFile(alice.id, 'zebra-notes.txt');
    const inFile = await make('one', { field_id: fields.file, value: [file] });
    const inComment = await make('two');
    await change(alice, inComment, [], { comment: { body: 'I saw a **Zebra**', format: 'commonmark' } });
    const inText = await make('three', text('No *zebra* here'));
    const inTitle = await make('A ZÈBRA crosses');
    const newer = await make('Zebras');
    const reply = await search('zebra');
    expect(idsOf(reply)).toEqual([newer, inTitle, inText, inComment, inFile]);
    expect(reply.body.map(({ found_in }: Found) => found_in)).toEqual([
      'title',
      'title',
      'text',
      'comment',
      'file',
    ]);
    const marked = reply.body.map(({ snippets }: Found) => snippets[0]?.html);
    expect(marked).toEqual([
      '<mark>Zebra</mark>s',
      'A <mark>ZÈBRA</mark> crosses',
      'No <mark>zebra</mark> here',
      'I saw a <mark>Zebra</mark>',
      '<mark>zebra</mark>-notes.txt',
    ]);
    expect(reply.body[2]).toMatchObject({
      uri: `artifacts/${inText}`,
      title: 'three',
      tracker: { id: tracker, project: { id: project } },
    });
    const page = await search('zebra', alice, '&limit=2&offset=1');
    expect([idsOf(page), sizeOf(page)]).toEqual([[inTitle, inText], 5]);
    const behind = await search('zebra', alice, '&limit=50&offset=5');
    expect([idsOf(behind), sizeOf(behind)]).toEqual([[], 5]);
  });

  test('all words must be there, in any places, and those in quotes together', async () => {
    const both = await make('giraffe tall', text('eats leaves of a tree'));
    const one = await make('giraffe');
    expect(await found('leaves GIRAFFE')).toEqual([both]);
    expect((await search('giraffe leaves')).body[0].found_in).toBe('text');
    expect(await found('giraffe')).toEqual([one, both]);
    expect(await found('"leaves of"')).toEqual([both]);
    expect(await found('"of leaves"')).toEqual([]);
    expect(await found('giraffe "')).toEqual([one, both]);
  });

  test('short words, parts of words, wildcards and words without spaces are found', async () => {
    const id = await make('検索エンジン ok 100% a_b 5" "ß" Straße 🦒tail');
    for (const words of [
      '検索',
      '索',
      '検索エンジン',
      '100%',
      'a_b',
      'STRASSE',
      'rass',
      '🦒',
      'ntail'.slice(1),
    ])
      expect(await found(words), words).toContain(id);
    expect(await found('a%b')).toEqual([]);
    const [{ snippets }] = (await search('strass')).body;
    expect(snippets[0].html).toContain('<mark>Straß</mark>e');
    const [{ start, end }] = snippets[0].highlights;
    expect(snippets[0].text.slice(start, end)).toBe('Straß');
  });

  test('snippets are short, safe and around what was found', async () => {
    const id = await make(
      'long',
      text(`${'<script>x</script> & words '.repeat(200)} needle<b>work</b>\n\nend`),
    );
    const [{ snippets }] = (await search('needlework')).body;
    expect((await found('needlework'))[0]).toBe(id);
    expect(snippets[0].text.length).toBeLessThan(300);
    expect(snippets[0].text.startsWith('…')).toBe(true);
    expect(snippets[0].html).toMatch(/<mark>needlework<\/mark>/);
    expect(snippets[0].html.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/);
  });

  test('snippets of what is found thousands of times are as short', async () => {
    const id = await make('again', text('zyx'.repeat(20_000)));
    const [{ id: found, snippets }] = (await search('zyx')).body;
    expect(found).toBe(id);
    expect(snippets[0].text).toBe(`${'zyx'.repeat(80)}…`);
    expect(snippets[0].highlights).toEqual([{ start: 0, end: 240 }]);
  });

  test('nobody finds what they may not see', async () => {
    const secret = await make('quiet', { field_id: fields.secret, value: 'walrus' });
    const admins = [`${project}_4`];
    const closed = await make('walrus', { field_id: fields.perm, value: { granted_groups: admins } });
    const commented = await make('loud');
    const reply = await comment(commented, 'a walrus whispers', { ugroups: admins });
    expect(reply.status, reply.text).toBe(201);
    expect(await found('walrus')).toEqual([closed, secret, commented]);
    expect(await found('walrus', bob)).toEqual([]);
    const hidden = await createTracker(alice, project);
    const field = await addField(alice, hidden.id, { type: 'string', name: 'title' });
    await setPermissions(alice, hidden.id, { can_admin: admins });
    const inHidden = await submit(alice, hidden.id, [{ field_id: field.field_id, value: 'walrus' }]);
    expect(await found('walrus', bob)).toEqual([]);
    expect(await found('walrus')).toContain(inHidden);
    // Where somebody sees the artifact for another reason, what they may not read is in no snippet.
    await change(alice, secret, [{ field_id: fields.title, value: 'walrus, quiet' }]);
    await change(alice, secret, [], { comment: { body: 'walrus for all', format: 'text' } });
    const [seen] = (await search('walrus', bob)).body as Found[];
    expect(seen?.id).toBe(secret);
    expect(seen?.snippets.map(({ place }) => place)).toEqual(['title', 'comment']);
  });

  test('a project is searched alone, and one that is hidden not at all', async () => {
    const other = (await createProject(alice, 'elsewhere', { is_public: false })).id;
    const there = await createTracker(alice, other);
    const field = await addField(alice, there.id, { type: 'text', name: 'note' });
    const id = await submit(alice, there.id, [{ field_id: field.field_id, value: 'pelican' }]);
    const here = await make('pelican');
    expect(await found('pelican')).toEqual([here, id]);
    expect(await found('pelican', alice, `&project_id=${other}`)).toEqual([id]);
    expect(await found('pelican', bob)).toEqual([here]);
    expect((await bob.get(`/search?words=pelican&project_id=${other}`)).status).toBe(403);
    expect((await bob.get('/search?words=pelican&project_id=999999')).status).toBe(404);
  });

  test('GET /search/trackers tells how much of what is found each tracker has', async () => {
    const { id: other } = await createTracker(alice, project, { item_name: 'shelf', label: 'Shelves' });
    const { field_id: name } = await addField(alice, other, { type: 'string', name: 'title' });
    for (const title of ['quince jam', 'quince jelly'])
      await submit(alice, other, [{ field_id: name, value: title }]);
    await make('A quince', text('quince'));
    const counts = async (caller: Caller, words: string) => {
      const reply = await caller.get(`/search/trackers?words=${encodeURIComponent(words)}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.body.map(({ tracker: { id }, count }: { tracker: { id: number }; count: number }) => [
        id,
        count,
      ]);
    };
    expect(await counts(alice, 'quince')).toEqual([
      [tracker, 1],
      [other, 2],
    ]);
    expect(sizeOf(await search('quince'))).toBe(3);
    await setPermissions(alice, other, { can_access: ['4'] });
    expect(await counts(bob, 'quince')).toEqual([[tracker, 1]]);
    expect(await counts(alice, 'quinceless')).toEqual([]);
    expect((await alice.get('/search/trackers?words=')).status).toBe(400);
  });

  test('changes are found at once, and what is gone is not found any more', async () => {
    const id = await make('ocelot', text('margay'));
    expect(await found('ocelot margay')).toEqual([id]);
    await change(alice, id, [{ field_id: fields.title, value: 'puma' }]);
    expect(await found('ocelot')).toEqual([]);
    const { body: said } = await comment(id, 'the secret caracal');
    expect(await found('caracal')).toEqual([id]);
    const edit = { body: 'the serval', format: 'text' };
    expect((await alice.put(`/artifacts/${id}/changesets/${said.id}/comment`, edit)).status).toBe(200);
    expect([await found('caracal'), await found('serval')]).toEqual([[], [id]]);
    expect((await alice.delete(`/artifacts/${id}`)).status).toBe(200);
    expect(await found('puma')).toEqual([]);
  });

  test('many trackers are looked through by where the words are', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 12; count++) {
      const { id } = await createTracker(alice, project);
      const field = await addField(alice, id, { type: 'string', name: 'name' });
      const value = count % 4 === 0 ? 'a kingfisher' : 'b';
      ids.unshift(await submit(alice, id, [{ field_id: field.field_id, value }]));
    }
    const last = ids.at(-1) ?? 0;
    await change(alice, last, [], { comment: { body: 'two birds', format: 'text' } });
    const hits = ids.filter((_, at) => at % 4 === 3);
    expect(await found('kingfisher')).toEqual(hits);
    expect(await found('kingfisher birds')).toEqual([last]);
    expect(await found('kingfisher nothing-else')).toEqual([]);
  });

  test('narrows by tracker, by what is open and by when it was changed, and tells project and status', async () => {
    const { id: other } = await createTracker(alice, project);
    const title = await addField(alice, other, { type: 'string', name: 'title' });
    const status = await addField(alice, other, {
      type: 'sb',
      name: 'status',
      bind: { type: 'static', values: [{ label: 'New' }, { label: 'Done' }] },
    });
    const ids = valueIds(status);
    await setSemantics(alice, other, {
      title: { field_id: title.field_id },
      status: { field_id: status.field_id, value_ids: [ids['New']] },
    });
    const stored = (label: string) =>
      submit(alice, other, [
        { field_id: title.field_id, value: `pangolin ${label}` },
        { field_id: status.field_id, bind_value_ids: [ids[label]] },
      ]);
    const [open, closed] = [await stored('New'), await stored('Done')];
    const elsewhere = await make('pangolin without a status');
    expect(await found('pangolin')).toEqual([elsewhere, closed, open]);
    expect(await found('pangolin', alice, `&tracker_id=${other}`)).toEqual([closed, open]);
    // Tools made from older documents write lists with commas.
    expect(await found('pangolin', alice, `&tracker_id=${other},${tracker}`)).toHaveLength(
      (await found('pangolin', alice, `&tracker_id=${other}&tracker_id=${tracker}`)).length,
    );
    expect(await found('pangolin', alice, `&tracker_id=${other}&tracker_id=${tracker}`)).toEqual([
      elsewhere,
      closed,
      open,
    ]);
    expect(await found('pangolin', alice, '&is_open=true')).toEqual([elsewhere, open]);
    expect(await found('pangolin', alice, '&is_open=false')).toEqual([closed]);
    const { body } = await alice.get(`/artifacts/${closed}`);
    const date = encodeURIComponent(body.last_modified_date);
    await atelier.sql(`update artifact set modified_on = modified_on - 86400000 where id = ${open}`);
    expect(await found('pangolin', alice, `&tracker_id=${other}&updated_after=${date}`)).toEqual([]);
    const before = encodeURIComponent(
      new Date(Date.parse(body.last_modified_date) - 3_600_000).toISOString(),
    );
    expect(await found('pangolin', alice, `&tracker_id=${other}&updated_after=${before}`)).toEqual([closed]);
    const [first] = (await search('pangolin', alice, `&tracker_id=${other}&is_open=false`)).body;
    expect(first.project).toMatchObject({ id: project, uri: `projects/${project}` });
    expect(first.full_status).toEqual({ value: 'Done', color: null });
    for (const wrong of ['tracker_id=x', 'is_open=maybe', 'updated_after=yesterday'])
      expect((await alice.get(`/search?words=pangolin&${wrong}`)).status, wrong).toBe(400);
  });

  describe('GET /quick_search', () => {
    const look = async (words: string, caller: Caller = alice, more = '') => {
      const reply = await caller.get(`/quick_search?words=${encodeURIComponent(words)}${more}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    };
    const titles = async (words: string, caller: Caller = alice, more = '') =>
      (await look(words, caller, more)).artifacts.map(({ id }: { id: number }) => id);

    test('finds things of every kind by parts of their names', async () => {
      const other = await createProject(bob, 'quokka-land', { label: 'Qüokka Land' });
      const { id } = await createTracker(bob, other.id, { label: 'Quokkas', item_name: 'quokka' });
      const made = await bob.post(`/trackers/${id}/tracker_reports`, {
        label: 'All quokkas',
        is_public: true,
      });
      expect(made.status, made.text).toBe(201);
      await atelier.createUser('quokka-keeper', { real_name: 'Quinn Quokka' });
      const artifact = await make('A quokka in the title');
      expect(await look('QUOK')).toEqual({
        projects: [
          {
            ...{ id: other.id, uri: `projects/${other.id}`, html_url: '/projects/quokka-land' },
            ...{ label: 'Qüokka Land', detail: 'quokka-land', color: null, icon: null },
          },
        ],
        trackers: [
          {
            ...{ id, uri: `trackers/${id}`, html_url: `/trackers/${id}`, label: 'Quokkas' },
            ...{ detail: 'Qüokka Land', color: expect.any(String), icon: null },
          },
        ],
        reports: expect.arrayContaining([
          expect.objectContaining({
            id: made.body.id,
            label: 'All quokkas',
            html_url: `/trackers/${id}?report=${made.body.id}`,
          }),
        ]),
        dashboards: [],
        artifacts: [
          {
            ...{ id: artifact, uri: `artifacts/${artifact}`, html_url: `/artifacts/${artifact}` },
            ...{ label: 'A quokka in the title', detail: expect.stringMatching(/ #\d+ · /) },
            ...{ color: expect.any(String), icon: null },
          },
        ],
        people: [expect.objectContaining({ label: 'Quinn Quokka', detail: 'quokka-keeper', color: null })],
        repositories: [],
      });
      const kinds = Object.entries(await look('quok', alice, '&kinds=people,trackers&kinds=projects'));
      const filled = kinds
        .filter(([, found]) => Array.isArray(found) && found.length > 0)
        .map(([kind]) => kind);
      expect(filled).toEqual(['projects', 'trackers', 'people']);
      expect((await look('quok', alice, `&project_id=${project}`)).trackers).toEqual([]);
      expect(await titles('quok', alice, `&project_id=${other.id}`)).toEqual([]);
      expect((await alice.get('/quick_search?kinds=cats')).status).toBe(400);
      expect((await alice.get(`/quick_search?words=${'x'.repeat(1001)}`)).status).toBe(400);
      expect((await alice.get('/quick_search?project_id=999999')).status).toBe(404);
    });

    test('a number finds the artifact of that id first, with the word of its tracker too', async () => {
      const id = await make('The numbered one');
      const word = (await alice.get(`/trackers/${tracker}`)).body.item_name;
      for (const words of [`${id}`, `#${id}`, ` ${word} #${id}`, `${word.toUpperCase()}#${id}`, `art #${id}`])
        expect((await titles(words))[0], words).toBe(id);
      expect(await titles(`nonsense #${id}`)).toEqual([]);
      expect(await titles('#999999999')).toEqual([]);
    });

    test('what one visited and likes comes first, and alone without words', async () => {
      const ids = [];
      for (let index = 0; index < 10; index++) ids.push(await make(`ocelot number ${index}`));
      expect(await titles('ocelot number')).toEqual(ids.toReversed().slice(0, 8));
      const [first, second] = ids;
      expect((await alice.post('/users/self/history', { uri: `artifacts/${first}` })).status).toBe(204);
      expect((await titles('ocelot'))[0]).toBe(first);
      expect((await alice.put('/users/self/favorites', { uris: [`artifacts/${second}`] })).status).toBe(200);
      expect((await titles('ocelot')).slice(0, 2)).toEqual([second, first]);
      expect((await titles('', alice, '&kinds=artifacts')).slice(0, 2)).toEqual([second, first]);
      expect(await titles('oc')).toHaveLength(8);
    });

    test('nobody finds what they may not see', async () => {
      const hidden = await createProject(alice, 'hidden-lynx', { is_public: false });
      const { id } = await createTracker(alice, hidden.id, { label: 'Lynxes' });
      const title = await addField(alice, id, { type: 'string', name: 'title' });
      await setSemantics(alice, id, { title: { field_id: title.field_id } });
      const lynx = await submit(alice, id, [{ field_id: title.field_id, value: 'lynx' }]);
      expect(await titles('lynx')).toEqual([lynx]);
      const closed = await make('lynx of some', {
        field_id: fields.perm,
        value: { granted_groups: [`${project}_4`] },
      });
      expect(await titles('lynx of')).toEqual([closed]);
      for (const caller of [bob, atelier.anonymous]) {
        const all = await look('lynx', caller);
        expect(Object.values(all).flat()).toEqual([]);
        expect(await titles(`#${lynx}`, caller)).toEqual([]);
        expect(await titles(`${closed}`, caller)).toEqual([]);
      }
      expect((await bob.get(`/quick_search?words=lynx&project_id=${hidden.id}`)).status).toBe(403);
      await setFieldPermissions(alice, title.field_id, { can_read: [`${hidden.id}_4`] });
      await setMembers(alice, `${hidden.id}_3`, [alice, bob]);
      expect(await titles('lynx', bob)).toEqual([]);
      expect((await look(`#${lynx}`, bob)).artifacts).toMatchObject([
        { id: lynx, label: expect.stringContaining('#') },
      ]);
    });
  });

  test('words that are none, or too many, are 400', async () => {
    const many = Array.from({ length: 11 }, (_, at) => `w${at}`).join(' ');
    for (const words of ['', '  ', '""', many])
      expect((await alice.get(`/search?words=${encodeURIComponent(words)}`)).status, words).toBe(400);
    expect((await alice.get('/search')).status).toBe(400);
    expect((await alice.get('/search?words=a&limit=51')).status).toBe(400);
    const xml = await alice.get('/search.xml?words=zebra&limit=1');
    expect(xml.text).toContain('<found_in>title</found_in>');
  });
});
