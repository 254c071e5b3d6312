import type { LinkNature } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asListed, change, messageOf, readArtifact, Store, submit } from '../fixtures/artifact.ts';
import { createProject, query, setMembers, sizeOf } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  setFieldPermissions,
  setPermissions,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

const idsIn = (artifacts: readonly { id: number }[]) => artifacts.map(({ id }) => id);

describe.each(usuallyOn('PostgreSQL'))('several artifacts at once on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let alice: Person;
  let bob: Person;
  let project: number;
  let every: EveryField;
  /** A tracker that project administrators alone see, and an artifact of it. */
  let closed: number;
  let secret: number;
  const field = (name: string, members: object) => ({ field_id: every.ids[name], ...members });
  const make = (value: string, ...more: object[]) =>
    submit(alice, every.tracker.id, [field('string', { value }), ...more.map((entry) => ({ ...entry }))]);
  const links = (...targets: { id: number; type?: string }[]) => field('art_link', { links: targets });
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'linked')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    every = await everyField(alice, project);
    closed = (await createTracker(alice, project)).id;
    const name = await addField(alice, closed, { type: 'string', name: 'name' });
    await setPermissions(alice, closed, { can_access: ['4'] });
    secret = await submit(alice, closed, [{ field_id: name.field_id, value: 'Secret' }]);
    const type = { shortname: 'fixed_in', forward_label: 'is fixed in', reverse_label: 'fixes' };
    expect((await atelier.admin.post('/link_types', type)).status).toBe(201);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  describe('GET /artifacts?query={"id":[…]}', () => {
    const read = (caller: Caller, ids: unknown, more = '') =>
      caller.get(`/artifacts?query=${query({ id: ids })}${more}`);

    test('gives them in the order asked for, with values in both forms', async () => {
      const [first, second] = [await make('First'), await make('Second')];
      const reply = await read(bob, [second, first]);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body).toEqual({
        collection: [
          asListed(await readArtifact(bob, second, '?values_format=all')),
          asListed(await readArtifact(bob, first, '?values_format=all')),
        ],
      });
      expect(sizeOf(reply)).toBe(2);
      expect(reply.headers.get('x-pagination-limit')).toBe('100');
      expect(reply.headers.get('x-pagination-limit-max')).toBe('100');
    });

    test('leaves out those that are unknown or may not be seen, and pages what is left', async () => {
      const beyond = [1e20, 2 ** 53, 2 ** 63, 1e300];
      const ids = [await make('A'), secret, 999_999, await make('B'), await make('C'), -1, ...beyond];
      const all = await read(bob, ids);
      expect([idsIn(all.body.collection), sizeOf(all)]).toEqual([[ids[0], ids[3], ids[4]], 3]);
      const page = await read(bob, ids, '&limit=2&offset=1');
      expect([idsIn(page.body.collection), sizeOf(page)]).toEqual([[ids[3], ids[4]], 3]);
      expect(idsIn((await read(alice, ids)).body.collection)).toContain(secret);
      expect((await read(bob, [])).body).toEqual({ collection: [] });
    });

    test.each([
      ['a text', '?query=x'],
      ['an array', `?query=${query([1])}`],
      ['broken JSON', '?query={"id":[1}'],
      ['no id', `?query=${query({ ids: [1] })}`],
      ['a single id', `?query=${query({ id: 1 })}`],
      ['a text as id', `?query=${query({ id: ['1'] })}`],
      ['a fraction', `?query=${query({ id: [1.5] })}`],
      ['an id twice', `?query=${query({ id: [1, 2, 1] })}`],
      ['no query', ''],
      ['a limit of 0', `?query=${query({ id: [1] })}&limit=0`],
      ['a limit of 101', `?query=${query({ id: [1] })}&limit=101`],
    ])('with %s is 400', async (_, parameters) => {
      expect((await bob.get(`/artifacts${parameters}`)).status).toBe(400);
    });

    test('of more than 100 ids is 403', async () => {
      const ids = Array.from({ length: 101 }, (_, index) => index + 1);
      expect((await read(bob, ids.slice(1))).status).toBe(200);
      expect((await read(bob, ids)).status).toBe(403);
    });

    test('announces its methods', async () => {
      expect((await atelier.anonymous.options('/artifacts')).headers.get('allow')).toBe('OPTIONS, GET, POST');
    });
  });

  describe('GET /artifacts/{id}/links', () => {
    const natures = async (caller: Caller, id: number) => {
      const { status, body, text } = await caller.get(`/artifacts/${id}/links`);
      expect(status, text).toBe(200);
      return body.natures;
    };
    const nature = (id: number, shortname: string, direction: string, label: string) => ({
      shortname,
      direction,
      label,
      uri: `artifacts/${id}/linked_artifacts?nature=${shortname}&direction=${direction}`,
    });

    test('gives the types in use, forward ones first', async () => {
      const [a, b, c, d] = [await make('A'), await make('B'), await make('C'), await make('D')];
      const id = await make(
        'Hub',
        links({ id: a }, { id: b, type: '_is_child' }, { id: c, type: '_is_child' }),
      );
      await change(alice, d, [links({ id, type: 'fixed_in' })]);
      await change(alice, c, [links({ id })]);
      expect(await natures(bob, id)).toEqual([
        nature(id, '', 'forward', 'is Linked to'),
        nature(id, '_is_child', 'forward', 'Child'),
        nature(id, '', 'reverse', 'is Linked from'),
        nature(id, 'fixed_in', 'reverse', 'fixes'),
      ]);
      expect(await natures(bob, d)).toEqual([nature(d, 'fixed_in', 'forward', 'is fixed in')]);
      expect(await natures(bob, b)).toEqual([nature(b, '_is_child', 'reverse', 'Parent')]);
      await change(alice, id, [links()]);
      expect(await natures(bob, a)).toEqual([]);
    });

    test('gives them in the order of the links', async () => {
      const [a, b, c, d] = [await make('A'), await make('B'), await make('C'), await make('D')];
      const id = await make(
        'Hub',
        links({ id: c }, { id: a, type: 'fixed_in' }, { id: b, type: '_is_child' }),
      );
      await change(alice, d, [links({ id: a })]);
      const types = async (of: number) =>
        (await natures(bob, of)).map(({ shortname, direction }: LinkNature) => `${direction} ${shortname}`);
      expect(await types(id)).toEqual(['forward fixed_in', 'forward _is_child', 'forward ']);
      expect(await types(a)).toEqual(['reverse ', 'reverse fixed_in']);
    });

    test('counts links to artifacts that the caller may not see, but none in projects that are not active', async () => {
      const hiding = await make('Hiding', links({ id: secret }));
      expect(await natures(bob, hiding)).toHaveLength(1);
      const other = (await createProject(alice, 'elsewhere')).id;
      const tracker = await createTracker(alice, other);
      const name = await addField(alice, tracker.id, { type: 'string', name: 'name' });
      const far = await submit(alice, tracker.id, [{ field_id: name.field_id, value: 'Far' }]);
      const id = await make('Near', links({ id: far }));
      expect(await natures(bob, id)).toHaveLength(1);
      const status = (value: string) => atelier.admin.patch(`/projects/${other}`, { status: value });
      await status('suspended');
      expect(await natures(atelier.admin, id)).toEqual([]);
      await status('active');
      await store.deleteTracker(tracker.id);
      expect(await natures(bob, id)).toEqual([]);
    });

    test('of an artifact that may not be seen is 403, of an unknown one 404', async () => {
      expect((await bob.get(`/artifacts/${secret}/links`)).status).toBe(403);
      expect((await bob.get('/artifacts/999999/links')).status).toBe(404);
      expect((await bob.options('/artifacts/1/links')).headers.get('allow')).toBe('OPTIONS, GET');
    });
  });

  describe('GET /artifacts/{id}/linked_artifacts', () => {
    const read = (caller: Caller, id: number, parameters: string) =>
      caller.get(`/artifacts/${id}/linked_artifacts?${parameters}`);

    test('gives those of one type and direction, with values in both forms', async () => {
      const [child, plain, parent] = [await make('Child'), await make('Plain'), await make('Parent')];
      const id = await make('Hub', links({ id: child, type: '_is_child' }, { id: plain }));
      await change(alice, parent, [links({ id, type: '_is_child' })]);
      const found = async (parameters: string) => {
        const reply = await read(bob, id, parameters);
        expect(reply.status, reply.text).toBe(200);
        return [idsIn(reply.body.collection), sizeOf(reply)];
      };
      expect(await found('direction=forward')).toEqual([[plain], 1]);
      expect(await found('direction=forward&nature=_is_child')).toEqual([[child], 1]);
      expect(await found('direction=reverse&nature=_is_child')).toEqual([[parent], 1]);
      expect(await found('direction=reverse')).toEqual([[], 0]);
      expect(await found('direction=forward&nature=_is_chil')).toEqual([[], 0]);
      expect(await found('')).toEqual([[child, plain, parent], 3]);
      expect(await found('nature=_is_child')).toEqual([[child, parent], 2]);
      expect(await found('limit=1&offset=2')).toEqual([[parent], 3]);
      await change(alice, plain, [links({ id })]);
      expect(await found('')).toEqual([[child, plain, parent], 3]);
      const { body } = await read(bob, id, 'direction=forward&output_format=nested');
      expect(body).toEqual({ collection: [asListed(await readArtifact(bob, plain, '?values_format=all'))] });
    });

    test('counts and pages only what the caller may see', async () => {
      const targets = [await make('1'), await make('2'), await make('3')];
      const id = await make('Hub', links(...[...targets, secret].map((target) => ({ id: target }))));
      const page = async (caller: Caller, parameters: string) => {
        const reply = await read(caller, id, `direction=forward${parameters}`);
        return [idsIn(reply.body.collection), sizeOf(reply)];
      };
      expect(await page(bob, '')).toEqual([targets, 3]);
      expect(await page(bob, '&limit=2')).toEqual([targets.slice(0, 2), 3]);
      expect(await page(bob, '&limit=2&offset=2')).toEqual([targets.slice(2), 3]);
      expect((await page(alice, ''))[1]).toBe(4);
    });

    test('can give each as one flat object', async () => {
      const colours = valueIds(every.tracker.fields.find(({ name }) => name === 'msb') ?? { values: null });
      const target = await make(
        'Flat',
        field('text', { value: { content: '<p>Two <b>words</b></p>', format: 'html' } }),
        field('int', { value: 3 }),
        field('float', { value: 1.5 }),
        field('date', { value: '2024-03-01' }),
        field('msb', { bind_value_ids: [colours['red'], colours['blue']] }),
        field('sb_users', { bind_value_ids: [bob.id] }),
        field('tbl', { value: { bind_value_objects: [{ label: 'mauve' }, { label: 'green' }] } }),
        field('computed', { manual_value: 7 }),
      );
      const id = await make('Hub', links({ id: target }));
      const { status, body, text } = await read(bob, id, 'direction=forward&output_format=flat');
      expect(status, text).toBe(200);
      const artifact = await readArtifact(bob, target);
      expect(body).toHaveLength(1);
      expect(body[0]).toMatchObject({
        string: 'Flat',
        text: 'Two words',
        int: 3,
        float: 1.5,
        date: '2024-03-01T00:00:00+01:00',
        msb: ['red', 'blue'],
        sb: [],
        sb_users: [expect.stringContaining('bob')],
        tbl: expect.arrayContaining(['mauve', 'green']),
        computed: 7,
        aid: target,
        atid: expect.any(Number),
        priority: expect.any(Number),
        subon: artifact.submitted_on,
        lud: artifact.last_modified_date,
        subby: artifact.submitted_by_user.display_name,
        luby: artifact.last_update_by_user.display_name,
      });
      const names = Object.keys(body[0]);
      for (const absent of ['file', 'art_link', 'perm', 'burndown', 'cross', 'fieldset', 'datetime'])
        expect(names).not.toContain(absent);
      const joined = await read(bob, id, 'direction=forward&output_format=flat_with_semicolon_string_array');
      expect(joined.body[0]).toMatchObject({ msb: 'red;blue', sb: '', string: 'Flat', int: 3 });
    });

    test('cannot join labels that have a semicolon in them', async () => {
      const typed = field('tbl', { value: { bind_value_objects: [{ label: 'this; that' }] } });
      const id = await make('Hub', links({ id: await make('Target', typed) }));
      const flat = await read(bob, id, 'direction=forward&output_format=flat');
      expect(flat.body[0].tbl).toEqual(['this; that']);
      const joined = await read(bob, id, 'direction=forward&output_format=flat_with_semicolon_string_array');
      expect([joined.status, messageOf(joined)]).toEqual([400, expect.stringContaining('this; that')]);
    });

    test('and the types of links are hidden with the field that carries them', async () => {
      const target = await make('Target');
      const id = await make('Hub', links({ id: target }));
      await setFieldPermissions(alice, every.ids['art_link'] ?? 0, { can_submit: ['4'], can_update: ['4'] });
      const { body } = await read(bob, id, 'direction=forward');
      expect([body, (await bob.get(`/artifacts/${id}/links`)).body]).toEqual([
        { collection: [] },
        { natures: [] },
      ]);
      expect(idsIn((await read(alice, id, 'direction=forward')).body.collection)).toEqual([target]);
      const usual = { can_read: ['1'], can_submit: ['2'], can_update: ['3'] };
      await setFieldPermissions(alice, every.ids['art_link'] ?? 0, usual);
    });

    test.each([
      'direction=both',
      'direction=forward&output_format=long',
      'direction=forward&limit=0',
      'direction=forward&limit=51',
    ])('?%s is 400', async (parameters) => {
      const id = await make('Hub');
      expect((await read(bob, id, parameters)).status).toBe(400);
    });

    test('of an artifact that may not be seen is 403, of an unknown one 404', async () => {
      expect((await read(bob, secret, 'direction=forward')).status).toBe(403);
      expect((await read(bob, 999_999, 'direction=forward')).status).toBe(404);
      const options = await bob.options('/artifacts/1/linked_artifacts');
      expect(options.headers.get('allow')).toBe('OPTIONS, GET');
    });
  });
});
