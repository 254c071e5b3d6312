import { Project } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CreatedProject,
  createGroup,
  createProject,
  delegate,
  forceProject,
  idsOf,
  query,
  setMembers,
  sizeOf,
} from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import {
  type Atelier,
  type Caller,
  type Person,
  type Reply,
  startAtelier,
  usuallyOn,
} from '../harness/atelier.ts';

describe.each(usuallyOn('SQLite'))('projects on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let manager: Person;
  let shop: CreatedProject;
  let secret: CreatedProject;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    manager = await atelier.createUser('manager');
    await delegate(atelier, manager, [8]);
    shop = await createProject(alice, 'Web-Shop', { label: 'Web Shop', description: 'Our "shop"' });
    secret = await createProject(alice, 'secret', { is_public: false });
  });
  afterAll(() => atelier.stop());

  describe('GET /projects/{id}', () => {
    test('gives the full representation to a member', async () => {
      const { status, body, headers } = await alice.get(`/projects/${shop.id}`);
      expect(status).toBe(200);
      expect(headers.get('allow')).toBe('OPTIONS, GET, POST, PATCH');
      expect(body).toEqual({
        id: shop.id,
        uri: `projects/${shop.id}`,
        label: 'Web Shop',
        label_without_icon: 'Web Shop',
        shortname: 'web-shop',
        status: 'active',
        access: 'public',
        is_template: false,
        resources: expect.any(Array),
        additional_informations: [],
        is_member_of: true,
        description: 'Our "shop"',
        additional_fields: [],
        icon: '',
      });
      expect(Check(Project, body)).toBe(true);
    });

    test('lists every resource of a project, and every one of them answers', async () => {
      const { body } = await alice.get(`/projects/${shop.id}`);
      const types = body.resources.map(({ type }: { type: string }) => type);
      expect(types).toEqual(
        expect.arrayContaining(['project_services', 'user_groups', 'heartbeats', 'labels']),
      );
      for (const { type, uri } of body.resources) {
        expect(uri).toBe(`projects/${shop.id}/${type}`);
        expect((await alice.get(`/${uri}`)).status, uri).toBe(200);
      }
    });

    test('says is_member_of only about real membership', async () => {
      for (const caller of [bob, atelier.admin, atelier.anonymous]) {
        expect((await caller.get(`/projects/${shop.id}`)).body.is_member_of).toBe(false);
      }
    });

    test('shows the icon in front of the label', async () => {
      const project = await createProject(alice, 'iconic', { label: 'Rocket "1"' });
      await alice.patch(`/projects/${project.id}/settings`, { icon: '🚀' });
      const { body } = await alice.get(`/projects/${project.id}`);
      expect([body.label, body.label_without_icon, body.icon]).toEqual(['🚀 Rocket "1"', 'Rocket "1"', '🚀']);
    });

    test('a project is the same alone, in a list, in XML and with a suffix', async () => {
      const alone = await alice.get(`/projects/${shop.id}`);
      const listed = await alice.get(`/projects?query=${query({ shortname: 'web-shop' })}`);
      const figures = { last_activity_date: expect.any(String), member_count: 1 };
      expect(listed.body).toEqual([{ ...alone.body, ...figures }]);
      expect((await alice.get(`/v1/projects/${shop.id}.json`)).body).toEqual(alone.body);
      const { text } = await alice.get(`/projects/${shop.id}.xml`);
      expect(text).toContain('<label>Web Shop</label>');
      expect(text).toContain('<resources><item><type>');
    });

    test('is 400 for an id that is not a number and 404 for one that is nobody’s', async () => {
      expect((await alice.get('/projects/abc')).status).toBe(400);
      for (const id of ['99999', '0', '-1', '9007199254740991']) {
        const { status, body } = await alice.get(`/projects/${id}`);
        expect(status, id).toBe(404);
        expect(body.error.message).toBe('Not Found: Project does not exist');
      }
    });

    test('shows a change at once', async () => {
      const project = await createProject(alice, 'changing');
      for (let round = 1; round <= 5; round++) {
        await alice.patch(`/projects/${project.id}/settings`, { label: `Round ${round}` });
        expect((await bob.get(`/projects/${project.id}`)).body.label).toBe(`Round ${round}`);
      }
    });
  });

  describe('states of a project', () => {
    const states = new Map<string, number>();
    beforeAll(async () => {
      for (const state of ['active', 'suspended', 'deleted']) {
        const { id } = await createProject(alice, `state-${state}`);
        states.set(state, id);
        if (state !== 'active') await atelier.admin.patch(`/projects/${id}/settings`, { status: state });
      }
      await atelier.configure({ project_approval: true });
      states.set('pending', (await createProject(alice, 'state-pending')).id);
      await atelier.configure({ project_approval: false });
      states.set('system', 100);
    });

    test.each([
      ['active', 200, 200, 200],
      ['suspended', 403, 403, 200],
      ['deleted', 403, 403, 200],
      ['pending', 404, 404, 200],
      ['system', 404, 404, 200],
    ])(
      'a project that is %s answers %i to its member, %i to others, %i to those who manage it',
      async (state, toMember, toOthers, toManagers) => {
        const path = `/projects/${states.get(state)}`;
        expect((await alice.get(path)).status).toBe(toMember);
        expect((await bob.get(path)).status).toBe(toOthers);
        for (const caller of [atelier.admin, manager]) {
          const { status, body } = await caller.get(path);
          expect([status, body.status]).toEqual([toManagers, state]);
        }
      },
    );

    test('a suspended and a deleted project say so', async () => {
      const suspended = await alice.get(`/projects/${states.get('suspended')}`);
      expect(suspended.body.error.message).toBe('Forbidden: This project is suspended');
      const deleted = await alice.get(`/projects/${states.get('deleted')}`);
      expect(deleted.body.error.message).toBe('Forbidden: This project is deleted');
    });

    test('with_status lists the projects of a state to those who manage projects', async () => {
      for (const state of ['active', 'pending', 'suspended', 'deleted']) {
        const reply = await atelier.admin.get(`/projects?limit=50&query=${query({ with_status: state })}`);
        expect(reply.status).toBe(200);
        expect(idsOf(reply)).toContain(states.get(state));
        expect(new Set(reply.body.map((project: { status: string }) => project.status))).toEqual(
          new Set([state]),
        );
      }
      const system = await atelier.admin.get(`/projects?query=${query({ with_status: 'system' })}`);
      expect(system.body).toEqual([]);
    });

    test('a delegated manager lists active projects, but not those that are hidden from ordinary users', async () => {
      for (const state of ['pending', 'suspended', 'deleted']) {
        const reply = await manager.get(`/projects?query=${query({ with_status: state })}`);
        expect([reply.status, reply.body, sizeOf(reply)]).toEqual([200, [], 0]);
      }
      const active = await manager.get(`/projects?limit=50&query=${query({ with_status: 'active' })}`);
      expect(idsOf(active)).toContain(states.get('active'));
      expect(idsOf(active)).not.toContain(secret.id);
    });

    test('whoever approves projects lists those that wait, and no others', async () => {
      const approver = await atelier.createUser('approver');
      const group = (await atelier.admin.post('/platform/groups', { name: 'Approvers' })).body;
      await atelier.admin.put(`/platform/groups/${group.id}`, { user_ids: [approver.id], permissions: [1] });
      const pending = await approver.get(`/projects?query=${query({ with_status: 'pending' })}`);
      expect(idsOf(pending)).toEqual([states.get('pending')]);
      expect((await approver.get(`/projects?query=${query({ with_status: 'suspended' })}`)).status).toBe(403);
    });

    test('with_status is 403 to everybody else and 400 with an unknown state', async () => {
      expect((await alice.get(`/projects?query=${query({ with_status: 'active' })}`)).status).toBe(403);
      expect((await atelier.admin.get(`/projects?query=${query({ with_status: 'busy' })}`)).status).toBe(400);
      expect((await alice.get(`/projects?query=${query({ with_status: 'busy' })}`)).status).toBe(400);
    });
  });

  describe('GET /projects', () => {
    test('shows public projects to everybody and private ones to members only', async () => {
      expect(idsOf(await alice.get('/projects?limit=50'))).toEqual(
        expect.arrayContaining([shop.id, secret.id]),
      );
      for (const caller of [bob, atelier.anonymous]) {
        const ids = idsOf(await caller.get('/projects?limit=50'));
        expect(ids).toContain(shop.id);
        expect(ids).not.toContain(secret.id);
      }
      expect(idsOf(await atelier.admin.get('/projects?limit=50'))).toContain(secret.id);
    });

    test('never shows projects 1 and 100', async () => {
      const ids = idsOf(await atelier.admin.get('/projects?limit=50'));
      expect(ids.every((id) => id > 100)).toBe(true);
    });

    test.each([
      ['text', 400],
      ['[]', 400],
      ['{"shortname"', 400],
      ['{shortname}', 400],
      ['{}', 400],
      ['{"unknown":true}', 400],
      ['{"with_time_tracking":true}', 400],
      ['{"is_member_of":false}', 400],
      ['{"is_member_of":"true"}', 400],
      ['{"is_tracker_admin":false}', 400],
      ['{"shortname":12}', 400],
      ['{"shortname":null}', 400],
      ['{"shortname":"web-shop","is_member_of":false}', 400],
      ['{"shortname":"web-shop","with_status":"busy"}', 400],
      ['', 200],
      ['{"shortname":"web-shop","unknown":1}', 200],
      ['{"shortname":"web-shop","with_status":"active"}', 200],
    ])('query %s answers an ordinary user with %i', async (text, status) => {
      expect((await bob.get(`/projects?query=${encodeURIComponent(text)}`)).status).toBe(status);
    });

    test.each([
      ['limit=51', 400],
      ['limit=-1', 400],
      ['limit=x', 400],
      ['offset=-1', 400],
      ['limit=50', 200],
      ['limit=', 200],
    ])('%s answers %i', async (parameters, status) => {
      expect((await bob.get(`/projects?${parameters}`)).status).toBe(status);
    });

    test('shortname finds one project without regard to case, and only among what the caller may list', async () => {
      expect(idsOf(await bob.get(`/projects?query=${query({ shortname: 'WEB-SHOP' })}`))).toEqual([shop.id]);
      const hidden = await bob.get(`/projects?query=${query({ shortname: 'secret' })}`);
      expect([hidden.status, hidden.body, sizeOf(hidden)]).toEqual([200, [], 0]);
      expect(idsOf(await alice.get(`/projects?query=${query({ shortname: 'secret' })}`))).toEqual([
        secret.id,
      ]);
      expect(
        (await atelier.admin.get(`/projects?query=${query({ shortname: 'default-template' })}`)).body,
      ).toEqual([]);
    });

    test('is_member_of and is_admin_of go by real membership', async () => {
      const club = await createProject(alice, 'club', { is_public: false });
      await setMembers(alice, `${club.id}_3`, [alice, bob]);
      const member = await bob.get(`/projects?query=${query({ is_member_of: true })}`);
      expect([idsOf(member), sizeOf(member)]).toEqual([[club.id], 1]);
      expect((await bob.get(`/projects?query=${query({ is_admin_of: true })}`)).body).toEqual([]);
      for (const value of [true, false, 0, 'x']) {
        const administered = await alice.get(`/projects?limit=50&query=${query({ is_admin_of: value })}`);
        expect(idsOf(administered)).toContain(club.id);
        expect(idsOf(administered)).not.toContain(1);
      }
      expect(idsOf(await atelier.admin.get(`/projects?query=${query({ is_admin_of: true })}`))).toEqual([1]);
      expect((await atelier.admin.get(`/projects?query=${query({ is_member_of: true })}`)).body).toEqual([]);
      expect((await atelier.anonymous.get(`/projects?query=${query({ is_member_of: true })}`)).body).toEqual(
        [],
      );
    });

    test('the first known member of the query counts, in a fixed order', async () => {
      const both = { is_member_of: true, shortname: 'web-shop' };
      expect(idsOf(await bob.get(`/projects?query=${query(both)}`))).toEqual([shop.id]);
      const admin = { is_admin_of: true, is_member_of: true };
      expect((await atelier.admin.get(`/projects?query=${query(admin)}`)).body).toEqual([]);
    });

    test('is_tracker_admin finds nothing where there are no trackers to administer', async () => {
      const reply = await bob.get(`/projects?query=${query({ is_tracker_admin: true })}`);
      expect([reply.status, reply.body, sizeOf(reply)]).toEqual([200, [], 0]);
    });

    test('a project without any member is listed to site administrators only', async () => {
      const { id } = await createProject(alice, 'orphan');
      expect(idsOf(await bob.get('/projects?limit=50'))).toContain(id);
      await forceProject(atelier, id, { withoutMembers: true });
      for (const caller of [bob, alice, atelier.anonymous]) {
        expect(idsOf(await caller.get('/projects?limit=50'))).not.toContain(id);
      }
      expect(idsOf(await atelier.admin.get('/projects?limit=50'))).toContain(id);
      expect((await bob.get(`/projects/${id}`)).status).toBe(200);
    });

    test('a project that is being imported is hidden from everybody', async () => {
      const { id } = await createProject(alice, 'arriving');
      await forceProject(atelier, id, { status: 'importing' });
      for (const caller of [alice, bob, manager, atelier.admin]) {
        expect((await caller.get(`/projects/${id}`)).status).toBe(404);
        expect((await caller.get(`/projects/${id}/user_groups`)).status).toBe(404);
        expect((await caller.patch(`/projects/${id}`, { status: 'active' })).status).toBe(
          caller === alice || caller === bob ? 403 : 404,
        );
        expect(idsOf(await caller.get('/projects?limit=50'))).not.toContain(id);
      }
      for (const status of ['active', 'pending', 'suspended', 'deleted', 'system']) {
        const reply = await atelier.admin.get(`/projects?limit=50&query=${query({ with_status: status })}`);
        expect(idsOf(reply)).not.toContain(id);
      }
    });
  });

  describe('GET /projects by words, in other orders, with figures', () => {
    const labels = ({ body }: Reply) => body.map(({ label }: { label: string }) => label);
    const found = (caller: Caller, criteria: unknown, more = '') =>
      caller.get(`/projects?limit=50&query=${query(criteria)}${more}`);

    test('words are looked for in label, short name and description, beside any other criterion', async () => {
      expect(labels(await found(bob, { words: 'SHOP' }))).toEqual(['Web Shop']);
      expect(labels(await found(bob, { words: 'our web' }))).toEqual(['Web Shop']);
      expect(labels(await found(bob, { words: 'web-sh' }))).toEqual(['Web Shop']);
      expect(labels(await found(bob, { words: 'shop nowhere' }))).toEqual([]);
      const own = await found(alice, { words: 'secret', is_member_of: true });
      expect([labels(own), sizeOf(own)]).toEqual([['Project secret'], 1]);
      expect(labels(await found(bob, { words: 'secret' }))).toEqual([]);
      expect(labels(await found(bob, { words: 'shop', is_member_of: true }))).toEqual([]);
      expect((await found(bob, { words: 5 })).status).toBe(400);
      expect((await bob.get('/projects?order=size')).status).toBe(400);
    });

    test('come by name, and by what happened last, page by page', async () => {
      const [zebra, aspen] = [
        await createProject(alice, 'zebra-zoo', { label: 'Órder zebra' }),
        await createProject(alice, 'aspen-zoo', { label: 'order aspen' }),
      ];
      const byName = await found(alice, { words: 'order' }, '&order=name');
      expect(labels(byName)).toEqual(['order aspen', 'Órder zebra']);
      const { id } = await createTracker(alice, zebra.id);
      const { field_id } = await addField(alice, id, { type: 'string', name: 'title', label: 'Title' });
      const made = await alice.post('/artifacts', {
        tracker: { id },
        values: [{ field_id, value: 'the last thing' }],
      });
      expect(made.status, made.text).toBe(201);
      // Dates are told to the second.
      await atelier.sql(`update artifact set modified_on = modified_on + 60000 where id = ${made.body.id}`);
      const criteria = query({ words: 'order' });
      const page = (offset: number) =>
        alice.get(`/projects?limit=1&offset=${offset}&order=activity&query=${criteria}`);
      const pages = [await page(0), await page(1), await page(2)];
      expect(pages.map(idsOf)).toEqual([[zebra.id], [aspen.id], []]);
      expect(pages.map(sizeOf)).toEqual([2, 2, 2]);
      const [first] = pages[0]!.body;
      const { body } = await alice.get(`/artifacts/${made.body.id}`);
      expect(first.last_activity_date).toBe(body.last_modified_date);
      expect(first.member_count).toBe(1);
      // What somebody may not see has not happened for them.
      const everybody = await bob.get(`/projects?query=${query({ shortname: 'zebra-zoo' })}`);
      expect(everybody.body[0].last_activity_date).toBe(first.last_activity_date);
      const closed = { can_access: [`${zebra.id}_4`] };
      const hidden = await alice.put(`/trackers/${id}/permissions`, closed);
      expect(hidden.status, hidden.text).toBe(200);
      const outside = await bob.get(`/projects?query=${query({ shortname: 'zebra-zoo' })}`);
      expect(outside.body[0].last_activity_date < first.last_activity_date).toBe(true);
    });
  });

  describe('GET /projects/{id}/members', () => {
    test('tells everybody who sees the project who is in it, and members in which groups', async () => {
      const { id } = await createProject(alice, 'crowd');
      await setMembers(alice, `${id}_3`, [alice, bob]);
      const group = await createGroup(alice, id, 'testers');
      await setMembers(alice, group, [bob]);
      const path = `/projects/${id}/members`;
      const reply = await bob.get(path);
      expect([reply.status, sizeOf(reply)]).toEqual([200, 2]);
      expect(reply.body).toEqual([
        { user: expect.objectContaining({ username: 'alice' }), is_administrator: true, user_groups: [] },
        {
          user: expect.objectContaining({ username: 'bob' }),
          is_administrator: false,
          user_groups: [expect.objectContaining({ id: group, short_name: 'testers' })],
        },
      ]);
      expect(reply.text).not.toContain('@example.com');
      for (const caller of [manager, atelier.anonymous]) {
        const outside = await caller.get(path);
        expect(outside.body.map(({ user_groups }: { user_groups: unknown[] }) => user_groups)).toEqual([
          [],
          [],
        ]);
      }
      const page = await bob.get(`${path}?query=BO&limit=1`);
      expect([sizeOf(page), page.body[0].user.username]).toEqual([1, 'bob']);
      expect(sizeOf(await bob.get(`${path}?limit=1&offset=1`))).toBe(2);
      expect((await bob.get(`${path}?limit=101`)).status).toBe(400);
      expect((await bob.get(`/projects/${secret.id}/members`)).status).toBe(403);
      expect((await bob.get('/projects/999999/members')).status).toBe(404);
    });
  });

  describe('GET /projects/{id}/people', () => {
    test('gives members first, then those who wrote in what one sees', async () => {
      const { id } = await createProject(alice, 'choir');
      const writer = await atelier.createUser('aaron');
      await atelier.createUser('abel');
      await setMembers(alice, `${id}_3`, [alice, bob]);
      const { id: tracker } = await createTracker(alice, id);
      const { field_id } = await addField(alice, tracker, { type: 'string', name: 'title', label: 'Title' });
      const artifact = { tracker: { id: tracker }, values: [{ field_id, value: 'sung' }] };
      expect((await writer.post('/artifacts', artifact)).status).toBe(201);
      const names = async (caller: Caller, more = '') =>
        (await caller.get(`/projects/${id}/people${more}`)).body.map(
          ({ username, is_member }: { username: string; is_member: boolean }) => [username, is_member],
        );
      const [members, others] = [
        [
          ['alice', true],
          ['bob', true],
        ],
        [['aaron', false]],
      ];
      expect(await names(bob)).toEqual([...members, ...others]);
      expect(await names(manager, '?query=a&limit=2')).toEqual([
        ['alice', true],
        ['aaron', false],
      ]);
      expect(await names(manager, '?query=doe%20AAR')).toEqual(others);
      expect((await alice.put(`/trackers/${tracker}/permissions`, { can_access: [`${id}_4`] })).status).toBe(
        200,
      );
      expect(await names(bob)).toEqual(members);
      expect(await names(alice)).toEqual([...members, ...others]);
      expect((await atelier.anonymous.get(`/projects/${id}/people`)).status).toBe(401);
      expect((await bob.get(`/projects/${secret.id}/people`)).status).toBe(403);
      for (const limit of [0, 51, 'x'])
        expect((await bob.get(`/projects/${id}/people?limit=${limit}`)).status).toBe(400);
    });
  });

  describe('paging through projects of which some are hidden', () => {
    let reader: Person;
    let expected: number[];
    beforeAll(async () => {
      reader = await atelier.createUser('reader');
      for (let number = 1; number <= 24; number++) {
        await createProject(alice, `paged-${number}`, { is_public: number % 3 !== 0 });
      }
      const { body } = await reader.get('/projects?limit=50');
      expected = body.map(({ id }: { id: number }) => id);
    });

    const page = (limit: number, offset: number): Promise<Reply> =>
      reader.get(`/projects?limit=${limit}&offset=${offset}`);

    test('the size is exact and every page but the last is full', async () => {
      const hidden = idsOf(await alice.get('/projects?limit=50')).length - expected.length;
      expect(hidden).toBeGreaterThan(7);
      for (let offset = 0; offset < expected.length; offset += 7) {
        const reply = await page(7, offset);
        expect(sizeOf(reply)).toBe(expected.length);
        expect(idsOf(reply)).toEqual(expected.slice(offset, offset + 7));
        expect(reply.headers.get('x-pagination-limit')).toBe('7');
        expect(reply.headers.get('x-pagination-offset')).toBe(String(offset));
        expect(reply.headers.get('x-pagination-limit-max')).toBe('50');
      }
    });

    test('a loop that ends at a short page gets everything', async () => {
      const seen: number[] = [];
      for (let offset = 0; ; offset += 5) {
        const ids = idsOf(await page(5, offset));
        seen.push(...ids);
        if (ids.length < 5) break;
      }
      expect(seen).toEqual(expected);
    });

    test('a loop that ends at an empty page gets everything', async () => {
      const seen: number[] = [];
      for (let offset = 0; ; ) {
        const ids = idsOf(await page(4, offset));
        if (ids.length === 0) break;
        seen.push(...ids);
        offset += ids.length;
      }
      expect(seen).toEqual(expected);
    });

    test('a loop that ends when the size is reached gets everything', async () => {
      const seen: number[] = [];
      for (let size = Number.POSITIVE_INFINITY; seen.length < size; ) {
        const reply = await page(6, seen.length);
        seen.push(...idsOf(reply));
        size = sizeOf(reply);
      }
      expect(seen).toEqual(expected);
    });

    test('limit 0 gives an empty page with the right size, an offset beyond the end an empty array', async () => {
      const none = await page(0, 0);
      expect([none.status, none.body, sizeOf(none)]).toEqual([200, [], expected.length]);
      const beyond = await page(10, 10_000);
      expect([beyond.status, beyond.body, sizeOf(beyond)]).toEqual([200, [], expected.length]);
    });

    test('without limit there are ten', async () => {
      expect(idsOf(await reader.get('/projects'))).toEqual(expected.slice(0, 10));
    });
  });

  describe('PATCH /projects/{id}', () => {
    test('suspends and activates for site administrators and project managers', async () => {
      const { id } = await createProject(alice, 'patched');
      for (const caller of [atelier.admin, manager]) {
        const suspended = await caller.patch(`/projects/${id}`, { status: 'suspended' });
        expect([suspended.status, suspended.text]).toEqual([200, '']);
        expect((await alice.get(`/projects/${id}`)).status).toBe(403);
        const activated = await caller.patch(`/projects/${id}`, { patch_resource: { status: 'active' } });
        expect(activated.status).toBe(200);
        expect((await alice.get(`/projects/${id}`)).status).toBe(200);
      }
    });

    test('is 403 to others, project administrators and read-only administrators included', async () => {
      const onlyReading = await atelier.createUser('onlyreading');
      await delegate(atelier, onlyReading, [9]);
      expect((await onlyReading.get(`/projects/${secret.id}`)).status).toBe(200);
      for (const caller of [alice, bob, onlyReading]) {
        expect((await caller.patch(`/projects/${shop.id}`, { status: 'suspended' })).status).toBe(403);
      }
      expect((await atelier.anonymous.patch(`/projects/${shop.id}`, { status: 'active' })).status).toBe(401);
      expect((await alice.get(`/projects/${shop.id}`)).status).toBe(200);
    });

    test('is 403 for built-in and deleted projects, 404 for unknown ones, 400 for other values', async () => {
      for (const id of [1, 100]) {
        expect((await atelier.admin.patch(`/projects/${id}`, { status: 'active' })).status).toBe(403);
      }
      const { id } = await createProject(alice, 'gone');
      await atelier.admin.patch(`/projects/${id}/settings`, { status: 'deleted' });
      expect((await atelier.admin.patch(`/projects/${id}`, { status: 'active' })).status).toBe(403);
      expect((await atelier.admin.patch('/projects/99999', { status: 'active' })).status).toBe(404);
      for (const status of ['deleted', 'pending', 'busy', 7, '']) {
        expect((await atelier.admin.patch(`/projects/${shop.id}`, { status })).status, String(status)).toBe(
          400,
        );
      }
      expect((await atelier.admin.patch(`/projects/${shop.id}`, {})).status).toBe(400);
    });
  });

  test('OPTIONS of the collection and of a project announce the same methods', async () => {
    for (const path of ['/projects', `/projects/${shop.id}`]) {
      const { status, headers } = await atelier.anonymous.options(path);
      expect([status, headers.get('allow')]).toEqual([200, 'OPTIONS, GET, POST, PATCH']);
    }
  });

  test('a closed platform answers 401 to anonymous callers on every open project route', async () => {
    await atelier.configure({ access_mode: 'regular' });
    try {
      const paths = ['', '/user_groups', '/project_services', '/heartbeats', '/labels', '/banner'];
      for (const path of [
        '/projects',
        ...paths.map((end) => `/projects/${shop.id}${end}`),
        '/user_groups/2',
      ]) {
        expect((await atelier.anonymous.get(path)).status, path).toBe(401);
      }
      expect(
        (await atelier.anonymous.post(`/projects/${shop.id}/extract_references`, { text: 'x' })).status,
      ).toBe(401);
      expect((await bob.get(`/projects/${shop.id}`)).status).toBe(200);
    } finally {
      await atelier.configure({ access_mode: 'anonymous' });
    }
  });
});
