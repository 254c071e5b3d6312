import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymousViewer } from '../../src/kernel/viewer.ts';
import { People } from '../../src/present/index.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const query = (value: unknown) =>
  `query=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;

/** The public part of a key of a kind, with values of these lengths. */
function sshKey(kind: string, ...lengths: readonly number[]): string {
  const parts = [Buffer.from(kind), ...lengths.map((length) => Buffer.alloc(length, 7))];
  const withLength = (part: Buffer) =>
    Buffer.concat([Buffer.from([0, 0, part.length >> 8, part.length & 255]), part]);
  return `${kind} ${Buffer.concat(parts.map(withLength)).toString('base64')}`;
}

const engines = oneEngine('SQLite', 'who may read and change what of a user is decided in code');

describe.each(engines)('users on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { env: { ATELIER_PUBLIC_URL: 'https://forge.example.com/' } });
    alice = await atelier.createUser('alice', { real_name: 'Alice Martin', email: 'shared@example.com' });
    bob = await atelier.createUser('bob.b', { real_name: '', email: 'shared@example.com' });
  });
  afterAll(() => atelier.stop());

  test('the first administrator is 101 and people follow', () => {
    expect(atelier.admin.id).toBe(101);
    expect(alice.id).toBe(102);
    expect(bob.id).toBe(103);
  });

  describe('GET /users/{id}/standing', () => {
    test('tells who one is, what one may do and where one belongs', async () => {
      const carla = await atelier.createUser('carla');
      const project = { label: 'Standing', is_public: false, xml_template_name: 'empty' };
      const made = await carla.post('/projects', { ...project, shortname: 'standing' });
      expect(made.status, made.text).toBe(201);
      for (const [key, value] of [
        ['web.theme', 'dark'],
        ['username_display', '2'],
        ['fieldset_12', '1'],
        ['anything', 'else'],
      ])
        await carla.patch('/users/self/preferences', { key, value });
      const { status, body, headers } = await carla.get('/users/self/standing');
      expect(status).toBe(200);
      expect(body).toEqual({
        user: expect.objectContaining({ id: carla.id, display_name: 'carla', status: 'A' }),
        is_site_administrator: false,
        is_read_only_administrator: false,
        permissions: [],
        may_create_projects: true,
        must_change_password: false,
        memberships: [
          {
            project: expect.objectContaining({ id: made.body.id, shortname: 'standing', access: 'private' }),
            is_administrator: true,
            may_manage_members: true,
          },
        ],
        preferences: { 'web.theme': 'dark', username_display: '2', fieldset_12: '1' },
        unread_notifications: 0,
        client_limit: { upload_bytes: 64 * 1024 * 1024, body_bytes: 16 * 1024 * 1024 },
      });
      const etag = headers.get('etag') ?? '';
      expect(headers.get('cache-control')).toBe('private, no-cache');
      const again = () => carla.get('/users/self/standing', { headers: { 'If-None-Match': etag } });
      expect((await again()).status).toBe(304);
      await carla.patch('/users/self/preferences', { key: 'web.theme', value: 'light' });
      expect((await again()).body.preferences['web.theme']).toBe('light');
      const announced = async (message: string) => {
        const { status: put, text } = await carla.put(`/projects/${made.body.id}/banner`, {
          banner: { message },
        });
        expect(put, text).toBe(200);
        return (await carla.get('/users/self/standing')).body.memberships[0].banner;
      };
      expect(await announced('The lamp is dark.')).toBe('The lamp is dark.');
      expect(await announced('dark '.repeat(101))).toBeUndefined();
    });

    test('tells administrators and holders of permissions apart', async () => {
      const { body: first } = await atelier.admin.get('/users/self/standing');
      expect(first).toMatchObject({ is_site_administrator: true, is_read_only_administrator: false });
      const reader = await atelier.createUser('reader');
      const group = (await atelier.admin.post('/platform/groups', { name: 'Readers' })).body;
      const holders = { user_ids: [reader.id], permissions: [9, 5] };
      expect((await atelier.admin.put(`/platform/groups/${group.id}`, holders)).status).toBe(200);
      await atelier.configure({ project_registration: 'administrators' });
      const { body } = await reader.get('/users/self/standing');
      await atelier.configure({ project_registration: 'everyone' });
      expect(body).toMatchObject({
        is_site_administrator: false,
        is_read_only_administrator: true,
        permissions: [
          { id: 5, name: 'User management' },
          { id: 9, name: 'REST read-only administrator' },
        ],
        may_create_projects: false,
      });
      expect(first.may_create_projects).toBe(true);
    });

    test('is empty for visitors, closed to them on a closed platform, and one’s own alone', async () => {
      const { body } = await atelier.anonymous.get('/users/self/standing');
      expect(body).toMatchObject({
        user: null,
        may_create_projects: false,
        memberships: [],
        preferences: {},
      });
      await atelier.configure({ access_mode: 'regular' });
      expect((await atelier.anonymous.get('/users/self/standing')).status).toBe(401);
      await atelier.configure({ access_mode: 'anonymous' });
      expect((await atelier.admin.get(`/users/${alice.id}/standing`)).status).toBe(403);
      expect((await atelier.anonymous.get(`/users/${alice.id}/standing`)).status).toBe(403);
      expect((await alice.get('/users/0/standing')).status).toBe(403);
      expect((await alice.get('/users/x/standing')).status).toBe(400);
      expect((await alice.get(`/users/${alice.id}/standing.xml`)).text).toContain(
        '<username>alice</username>',
      );
    });
  });

  describe('GET /users/{id}', () => {
    test('gives the full representation to people with an account', async () => {
      const { status, body } = await bob.get(`/users/${alice.id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: 102,
        uri: 'users/102',
        user_url: '/users/alice',
        real_name: 'Alice Martin',
        display_name: 'Alice Martin (alice)',
        username: 'alice',
        ldap_id: null,
        avatar_url: 'https://forge.example.com/users/alice/avatar.png',
        is_anonymous: false,
        has_avatar: true,
        email: 'shared@example.com',
        status: 'A',
        resources: [],
      });
    });

    test('lists what there is to find out for the caller', async () => {
      const types = async (caller: Caller) =>
        (await caller.get(`/users/${alice.id}`)).body.resources.map(({ type }: { type: string }) => type);
      expect(await types(alice)).toEqual([
        'membership',
        'preferences',
        'access_keys',
        'history',
        'ssh_keys',
        'standing',
      ]);
      expect(await types(atelier.admin)).toEqual(['membership']);
      expect(await types(atelier.anonymous)).toEqual([]);
    });

    test('hides e-mail and status from anonymous callers', async () => {
      const { body } = await atelier.anonymous.get('/users/102');
      expect(body).not.toHaveProperty('email');
      expect(body).not.toHaveProperty('status');
      expect(body.username).toBe('alice');
    });

    test('self and 0 are the anonymous user for anonymous callers', async () => {
      for (const id of ['self', '0']) {
        const { status, body } = await atelier.anonymous.get(`/users/${id}`);
        expect(status).toBe(200);
        expect(body).toMatchObject({
          id: null,
          uri: null,
          username: null,
          is_anonymous: true,
          display_name: 'Anonymous user',
        });
      }
    });

    test.each([
      ['999999', 404, 'Not Found: User Id not found'],
      ['99999999999999999999', 404, 'Not Found: User Id not found'],
      ['me', 400, 'Bad Request: Provided User Id is not well formed.'],
      ['-1', 400, 'Bad Request: Provided User Id is not well formed.'],
    ])('of %s is %i', async (id, status, message) => {
      const reply = await alice.get(`/users/${id}`);
      expect(reply.status).toBe(status);
      expect(reply.body.error.message).toBe(message);
    });

    test('user 100 is None and shows its name only', async () => {
      expect((await alice.get('/users/100')).body).toMatchObject({ username: 'None', display_name: 'None' });
    });

    test.each([
      ['0', 'Alice Martin (alice)', ' (bob.b)'],
      ['1', 'alice (Alice Martin)', 'bob.b ()'],
      ['2', 'alice', 'bob.b'],
      ['3', 'Alice Martin', ''],
    ])('with username_display %s names look as the caller wants', async (value, alices, bobs) => {
      await alice.patch('/users/self/preferences', { key: 'username_display', value });
      expect((await alice.get('/users/102')).body.display_name).toBe(alices);
      expect((await alice.get('/users/103')).body.display_name).toBe(bobs);
      await alice.delete('/users/self/preferences?key=username_display');
      expect((await alice.get('/users/102')).body.display_name).toBe('Alice Martin (alice)');
    });

    test('everybody has a picture, and names that nobody has do not tell', async () => {
      const { avatar_url } = (await alice.get('/users/self')).body;
      const paths = [
        new URL(avatar_url).pathname,
        '/themes/common/images/avatar_default.png',
        '/users/nobody-here/avatar.png',
        `/users/alice/avatar-${'0'.repeat(32)}.png`,
      ];
      for (const path of paths) {
        const reply = await fetch(`${atelier.url}${path}`);
        expect([reply.status, reply.headers.get('content-type')], path).toEqual([200, 'image/png']);
        expect((await sharp(await reply.arrayBuffer()).metadata()).format, path).toBe('png');
      }
      expect((await fetch(`${atelier.url}/users/alice/other.png`)).status).toBe(404);
      const { body } = await atelier.admin.post('/users', { username: 'unnamed' });
      expect(body.avatar_url).toBe('https://forge.example.com/themes/common/images/avatar_default.png');
    });

    describe('a picture of oneself', () => {
      const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif', width = 300, height = 100) =>
        sharp({ create: { width, height, channels: 3, background: '#336699' } })
          .toFormat(format)
          .toBuffer();
      const upload = (bytes: Buffer) =>
        alice.put('/users/self/avatar', { picture: bytes.toString('base64') });
      const fetched = async (url: string) => {
        const reply = await fetch(`${atelier.url}${new URL(url).pathname}`);
        return Buffer.from(await reply.arrayBuffer());
      };

      test.each(['png', 'jpeg', 'webp'] as const)(
        'in %s is cropped, written anew and served',
        async (format) => {
          const { status, body } = await upload(await picture(format));
          expect(status).toBe(200);
          expect(body.avatar_url).toMatch(
            /^https:\/\/forge\.example\.com\/users\/alice\/avatar-[0-9a-f]{32}\.png$/,
          );
          const served = await sharp(await fetched(body.avatar_url)).metadata();
          expect([served.format, served.width, served.height]).toEqual(['png', 256, 256]);
          expect((await bob.get(`/users/${alice.id}`)).body.avatar_url).toBe(body.avatar_url);
          expect((await alice.delete('/users/self/avatar')).status).toBe(200);
          expect((await alice.get('/users/self')).body.avatar_url).toMatch(/alice\/avatar\.png$/);
        },
      );

      test('is shown to strangers of a closed platform only under its own address', async () => {
        const { body } = await upload(await picture('png'));
        const plain = 'https://forge.example.com/users/alice/avatar.png';
        const own = await fetched(body.avatar_url);
        expect((await fetched(plain)).equals(own)).toBe(true);
        await atelier.configure({ access_mode: 'regular' });
        expect((await fetched(plain)).equals(own)).toBe(false);
        expect((await fetched(body.avatar_url)).equals(own)).toBe(true);
        await atelier.configure({ access_mode: 'anonymous' });
        await alice.delete('/users/self/avatar');
      });

      test.each([
        ['no base64', 400, async () => 'not base64!'],
        ['no picture', 400, async () => Buffer.from('hello').toString('base64')],
        ['a format that is not taken', 400, async () => (await picture('gif')).toString('base64')],
        ['more than 2 MB', 413, async () => 'A'.repeat(2_900_000)],
      ])('that is %s is %i', async (_, status, encoded) => {
        const reply = await alice.put('/users/self/avatar', { picture: await encoded() });
        expect(reply.status).toBe(status);
        expect((await alice.get('/users/self')).body.avatar_url).toMatch(/alice\/avatar\.png$/);
      });

      test('is for oneself alone', async () => {
        const encoded = (await picture('png')).toString('base64');
        const reply = await bob.put(`/users/${alice.id}/avatar`, { picture: encoded });
        expect([reply.status, (await bob.delete(`/users/${alice.id}/avatar`)).status]).toEqual([403, 403]);
      });
    });
  });

  describe('GET /users', () => {
    test('free text finds any word in user name or real name, without regard to case and accents', async () => {
      await atelier.createUser('zoe', { real_name: 'Zoë Straße' });
      for (const text of ['MARTIN', 'lice', 'nothing-like-this alice', 'Alice Nobody']) {
        const { body, headers } = await bob.get(`/users?${query(text)}`);
        expect(body.map((user: { username: string }) => user.username)).toEqual(['alice']);
        expect(headers.get('x-pagination-size')).toBe('1');
        expect(headers.get('x-pagination-limit-max')).toBe('50');
      }
      for (const text of ['zoe', 'ZOË', 'strasse'])
        expect((await bob.get(`/users?${query(text)}`)).body[0].username).toBe('zoe');
      expect((await bob.get(`/users?${query('100%')}`)).body).toEqual([]);
      expect((await bob.get(`/users?${query('a_i')}`)).body).toEqual([]);
    });

    test('results are sorted by user name, paged and counted exactly', async () => {
      for (const name of ['pat-c', 'pat-a', 'pat-b']) await atelier.createUser(name);
      const names = async (page: string) =>
        (await bob.get(`/users?${query('pat-')}&${page}`)).body.map((u: { username: string }) => u.username);
      expect(await names('limit=2')).toEqual(['pat-a', 'pat-b']);
      expect(await names('limit=2&offset=2')).toEqual(['pat-c']);
      expect((await bob.get(`/users?${query('pat-')}&limit=0`)).headers.get('x-pagination-size')).toBe('3');
      await atelier.admin.patch(
        `/users/${(await bob.get(`/users?${query({ username: 'pat-b' })}`)).body[0].id}`,
        { status: 'S' },
      );
      expect(await names('')).toEqual(['pat-a', 'pat-c']);
    });

    test('exact criteria find accounts of any status; e-mails may be shared', async () => {
      expect((await bob.get(`/users?${query({ username: 'ALICE' })}`)).body[0].id).toBe(102);
      expect((await bob.get(`/users?${query({ loginname: 'alice' })}`)).body[0].id).toBe(102);
      expect((await bob.get(`/users?${query({ username: 'pat-b' })}`)).body[0].status).toBe('S');
      for (const email of ['shared@example.com', 'Shared@Example.COM'])
        expect((await bob.get(`/users?${query({ email })}`)).body).toHaveLength(2);
      const none = await bob.get(`/users?${query({ username: 'nobody-here' })}`);
      expect(none.status).toBe(200);
      expect(none.body).toEqual([]);
    });

    test.each([
      ['query=ab', 'at least 3 characters'],
      ['', '`query` is required'],
      ['query=', '`query` is required'],
      [query('{"username"}'), 'invalid JSON'],
      [query({ name: 'alice' }), 'one of the members'],
      [query({ username: 12 }), 'expecting a text'],
      [query({ username: 'a', loginname: 'b' }), 'either'],
      [query({ username: 'a\0b' }), 'character'],
      [`${query('alice')}&limit=51`, '`limit`'],
    ])('?%s is 400', async (parameters, words) => {
      const { status, body } = await bob.get(`/users?${parameters}`);
      expect(status).toBe(400);
      expect(body.error.message).toContain(words);
    });

    test('anonymous callers get the minimal form', async () => {
      const { body } = await atelier.anonymous.get(`/users?${query('alice')}`);
      expect(body[0]).not.toHaveProperty('email');
    });
  });

  describe('POST /users', () => {
    test.each([
      ['ab', 'too short'],
      ['x'.repeat(31), 'too long'],
      ['with space', 'Illegal character'],
      ['émile', 'Illegal character'],
      ['root', 'reserved'],
      ['WWW2', 'reserved'],
      ['forge__bot', 'technical'],
      ['ALICE', 'already used'],
      ['Admin-Project', 'already used by a project'],
    ])('refuses the name %s', async (username, words) => {
      const { status, body } = await atelier.admin.post('/users', { username });
      expect(status).toBe(400);
      expect(body.error.message).toContain(words);
      expect(body.error.message).toContain('`username`');
    });

    test.each(['a@b.com,c@d.com', '<a@b.com>', 'nobody', 'a b@c.com'])(
      'refuses %j as an address',
      async (email) => {
        const input = { username: 'lettered', password: 'lettered-password', real_name: 'Lettered', email };
        const reply = await atelier.admin.post('/users', input);
        expect([reply.status, reply.body.error.message]).toEqual([400, expect.stringContaining('`email`')]);
        const change = await atelier.admin.patch(`/users/${bob.id}`, { email });
        expect([change.status, change.body.error.message]).toEqual([400, expect.stringContaining('`email`')]);
      },
    );

    test('is for administrators of users', async () => {
      expect((await alice.post('/users', { username: 'someone' })).status).toBe(403);
      expect((await atelier.anonymous.post('/users', { username: 'someone' })).status).toBe(401);
    });

    test('restricted accounts need the platform mode restricted', async () => {
      const restricted = { username: 'rita', status: 'R' };
      const refused = [400, expect.stringContaining('`status`')];
      const before = await atelier.admin.post('/users', restricted);
      expect([before.status, before.text]).toEqual(refused);
      await atelier.configure({ access_mode: 'restricted' });
      expect((await atelier.admin.post('/users', restricted)).body.status).toBe('R');
      const administrator = await atelier.admin.patch('/users/101', { status: 'R' });
      expect([administrator.status, administrator.text]).toEqual(refused);
      await atelier.configure({ access_mode: 'anonymous' });
    });

    test('without a password nobody logs in by password', async () => {
      await atelier.admin.post('/users', { username: 'keyless' });
      expect((await atelier.withPassword('keyless', '').get('/users/self')).status).toBe(401);
    });
  });

  describe('PATCH /users/{id}', () => {
    test('changes what is given, wrapped or bare, and ignores the rest', async () => {
      const carl = await atelier.createUser('carl');
      const change = {
        values: { real_name: 'Carl X', email: 'x@example.com', username: 'karl', other: 1, status: 'Z' },
      };
      expect((await atelier.admin.patch(`/users/${carl.id}`, change)).body).toBe(true);
      expect((await alice.get(`/users/${carl.id}`)).body).toMatchObject({
        real_name: 'Carl X',
        email: 'x@example.com',
        username: 'karl',
        status: 'A',
      });
      expect((await carl.get('/users/self')).body.username).toBe('karl');
    });

    test('refuses the whole request when one member is refused', async () => {
      const change = { real_name: 'Changed', username: 'root' };
      const { status, text } = await atelier.admin.patch('/users/102', change);
      expect([status, text]).toEqual([400, expect.stringContaining('`username`')]);
      expect((await alice.get('/users/self')).body.real_name).toBe('Alice Martin');
    });

    test('refuses an address of more than one line', async () => {
      const email = 'alice@example.com\r\nBcc: bob@example.com';
      const { status, text } = await atelier.admin.patch('/users/102', { email });
      expect([status, text]).toEqual([400, expect.stringContaining('`email`')]);
    });

    test('404 comes before 403; nobody changes themselves; self is 404', async () => {
      expect((await alice.patch('/users/999999', { email: 'a' })).status).toBe(404);
      expect((await alice.patch('/users/102', { email: 'a' })).status).toBe(403);
      expect((await atelier.admin.patch('/users/self', { email: 'a' })).status).toBe(404);
    });

    test('the last administrator of the platform cannot be suspended', async () => {
      const { status, body } = await atelier.admin.patch('/users/101', { status: 'S' });
      expect(status).toBe(400);
      expect(body.error.message).toContain('last administrator');
      expect((await atelier.admin.get('/users/self')).status).toBe(200);
    });
  });

  describe('what is one’s own', () => {
    test('preferences of one person are bounded, since they are listed in one answer', async () => {
      const hoarder = await atelier.createUser('hoarder');
      const path = '/users/self/preferences';
      const set = (key: string, value: string) => hoarder.patch(path, { key, value });
      const most = 4 * 1024 * 1024;
      const value = '\u00e9'.repeat(32_000);
      const fitting = Math.floor(most / (Buffer.byteLength(value) + 3));
      for (let index = 0; index < fitting; index++)
        expect((await set(`k${10 + index}`, value)).status).toBe(200);
      const refused = await set('one-more', value);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(`${most}`)]);
      expect((await set('k10', value)).status).toBe(200);
      expect((await set('k10', 'less')).status).toBe(200);
      expect((await set('one-more', 'x'.repeat(60_000))).status).toBe(200);
      expect((await hoarder.get(path)).body).toHaveLength(fitting + 1);
    });

    test('preferences are set, read, repeated and forgotten', async () => {
      const path = '/users/self/preferences';
      expect((await alice.get(`${path}?key=colour`)).body).toEqual({ key: 'colour', value: false });
      for (let round = 0; round < 2; round++)
        expect((await alice.patch(path, { key: 'colour', value: 'blue' })).text).toBe('');
      expect((await alice.get(`/users/102/preferences?key=colour`)).body).toEqual({
        key: 'colour',
        value: 'blue',
      });
      for (let round = 0; round < 2; round++)
        expect((await alice.delete(`${path}?key=colour`)).status).toBe(200);
      expect((await alice.get(`${path}?key=colour`)).body.value).toBe(false);
      await alice.patch(path, { key: 'size', value: '' });
      await alice.patch(path, { key: 'colour', value: 'red' });
      const all = await alice.get(path);
      expect([all.status, all.body]).toEqual([
        200,
        [
          { key: 'colour', value: 'red' },
          { key: 'size', value: '' },
        ],
      ]);
      expect((await bob.get(`/users/${alice.id}/preferences`)).status).toBe(403);
      expect((await alice.patch(path, { key: 'k'.repeat(300), value: 'x' })).status).toBe(400);
    });

    test.each(['preferences?key=a', 'history', 'access_keys', 'ssh_keys'])(
      'not even a site administrator reads another person’s %s',
      async (path) => {
        expect((await atelier.admin.get(`/users/102/${path}`)).status).toBe(403);
        expect((await atelier.anonymous.get(`/users/102/${path}`)).status).toBe(401);
      },
    );

    test('history is empty, can be cleared and not written', async () => {
      expect((await alice.get('/users/self/history')).body).toEqual({ entries: [] });
      expect((await alice.put('/users/self/history', [])).status).toBe(200);
      expect((await alice.put('/users/self/history', { history_entries: [] })).status).toBe(200);
      expect((await alice.put('/users/self/history', [{ visit_time: 'x' }])).status).toBe(403);
    });

    describe('PATCH /users/{id}/profile', () => {
      test('changes the own name without more, and the address with the password', async () => {
        const erin = await atelier.createUser('erin', { email: 'erin@example.com' });
        const named = await erin.patch('/users/self/profile', { real_name: 'Erin Élan' });
        expect([named.status, named.body.real_name, named.body.email]).toEqual([
          200,
          'Erin Élan',
          'erin@example.com',
        ]);
        const email = 'erin@example.net';
        const bare = await erin.patch('/users/self/profile', { email });
        expect([bare.status, bare.body.error.message]).toEqual([
          403,
          expect.stringContaining('`current_password`'),
        ]);
        const wrong = await erin.patch('/users/self/profile', { email, current_password: 'not this' });
        expect(wrong.status).toBe(403);
        expect((await erin.get('/users/self')).body.email).toBe('erin@example.com');
        const right = await erin.patch('/users/self/profile', { email, current_password: erin.password });
        expect([right.status, right.body.email]).toEqual([200, email]);
        const found = await bob.get(`/users?query=${encodeURIComponent('Élan')}`);
        expect(found.body.map(({ id }: { id: number }) => id)).toEqual([erin.id]);
      });

      test.each([
        [{ real_name: '' }, 'real_name'],
        [{ real_name: ' ' }, 'real_name'],
        [{ real_name: 'two\nlines' }, 'real_name'],
        [{ real_name: 'x'.repeat(256) }, 'real_name'],
        [{ email: 'nobody' }, 'email'],
        [{ email: 'a@b, c@d' }, 'email'],
        [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
      ])('%j is 400 and names the member', async (change, member) => {
        const reply = await alice.patch('/users/self/profile', {
          ...change,
          current_password: alice.password,
        });
        expect([reply.status, reply.body.error.message]).toEqual([
          400,
          expect.stringContaining(`\`${member}\``),
        ]);
      });

      test('is for oneself alone', async () => {
        for (const caller of [bob, atelier.admin])
          expect((await caller.patch(`/users/${alice.id}/profile`, { real_name: 'Other' })).status).toBe(403);
        expect((await atelier.anonymous.patch('/users/self/profile', { real_name: 'Other' })).status).toBe(
          401,
        );
      });
    });

    test('SSH keys are replaced as a whole and checked', async () => {
      const key = `${sshKey('ssh-ed25519', 32)} alice@laptop`;
      expect((await alice.put('/users/self/ssh_keys', { keys: [key] })).status).toBe(200);
      expect((await alice.get('/users/self/ssh_keys')).body).toEqual({ keys: [key] });
      const refused = await alice.put('/users/self/ssh_keys', { keys: [key, 'nonsense'] });
      expect(refused.status).toBe(400);
      expect(refused.body.error.message).toContain('`keys[1]`');
      expect((await alice.get('/users/self/ssh_keys')).body).toEqual({ keys: [key] });
    });

    test.each([
      ['a key that is cut off', sshKey('ssh-ed25519', 32).slice(0, -8)],
      ['a key without its value', sshKey('ssh-ed25519')],
      ['a key whose kind is another inside', sshKey('ssh-rsa', 3, 256).replace('ssh-rsa', 'ssh-dss')],
      ['a key with more than it has', sshKey('ssh-ed25519', 32, 32)],
      ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    ])('%s is 400', async (_, key) => {
      expect((await alice.put('/users/self/ssh_keys', { keys: [key] })).status).toBe(400);
    });

    test.each([
      sshKey('ssh-rsa', 3, 256),
      sshKey('ssh-dss', 129, 21, 129, 128),
      sshKey('ecdsa-sha2-nistp521', 8, 133),
      sshKey('sk-ssh-ed25519@openssh.com', 32, 4),
      sshKey('sk-ecdsa-sha2-nistp256@openssh.com', 8, 65, 4),
    ])('the key %s is taken', async (key) => {
      expect((await alice.put('/users/self/ssh_keys', { keys: [key] })).status).toBe(200);
    });
  });
});

describe('people whom answers show', () => {
  const viewer = anonymousViewer('anonymous');
  const account = {
    id: 102,
    name: 'alice',
    realName: 'Alice',
    email: 'alice@example.com',
    ldapId: null,
    status: 'A',
    avatarHash: null,
  };
  const nameIn = (text: string) => JSON.parse(text).username;

  test('are never anonymous to those who ask while others fetch them', async () => {
    const people = new People('https://forge.example.com');
    const fetching = Promise.withResolvers<readonly (typeof account)[]>();
    const first = people.seenBy(viewer, 1);
    first.minimal(102);
    const loaded = first.load(() => fetching.promise);
    const second = people.seenBy(viewer, 1);
    second.minimal(102);
    expect(second.isIncomplete).toBe(true);
    fetching.resolve([account]);
    await loaded;
    expect([nameIn(first.minimal(102)), nameIn(second.minimal(102))]).toEqual(['alice', 'alice']);
    expect(first.isIncomplete).toBe(false);
  });

  test('are asked for again when they could not be fetched; ids of nobody are not', async () => {
    const people = new People('https://forge.example.com');
    const seen = people.seenBy(viewer, 1);
    for (const id of [102, 999]) seen.minimal(id);
    await expect(seen.load(() => Promise.reject(new Error('The database is away.')))).rejects.toThrow('away');
    const later = people.seenBy(viewer, 1);
    for (const id of [102, 999]) later.minimal(id);
    expect(later.isIncomplete).toBe(true);
    await later.load(() => Promise.resolve([account]));
    const last = people.seenBy(viewer, 1);
    expect([102, 999].map((id) => nameIn(last.minimal(id)))).toEqual(['alice', null]);
    expect(last.isIncomplete).toBe(false);
  });

  test('stay known to those who write a long answer, however many others are shown meanwhile', async () => {
    const people = new People('https://forge.example.com');
    const long = people.seenBy(viewer, 1);
    const ids = Array.from({ length: 10_001 }, (_, index) => 102 + index);
    for (const id of ids) long.minimal(id);
    await long.load(() => Promise.resolve(ids.map((id) => ({ ...account, id }))));
    people.seenBy(viewer, 1);
    expect(ids.filter((id) => nameIn(long.minimal(id)) !== 'alice')).toEqual([]);
  });
});
