import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const dateForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00$/;

const engines = oneEngine('SQLite', 'credentials are judged in code');

describe.each(engines)('ways in on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
  });
  afterAll(() => atelier.stop());

  const withKey = (key: string) => atelier.callerWith({ 'X-Auth-AccessKey': key });
  const withToken = (token: string, userId: string | number) =>
    atelier.callerWith({ 'X-Auth-Token': token, 'X-Auth-UserId': String(userId) });
  const newToken = async (person: Pick<Person, 'name' | 'password'>) =>
    (await atelier.anonymous.post('/tokens', { username: person.name, password: person.password })).body;

  const byPassword = ({ name, password }: Person) => atelier.withPassword(name, password);

  describe('access keys', () => {
    test('POST /access_keys shows the key once; GET never shows it again', async () => {
      const { status, body } = await alice.post('/access_keys', { description: 'CI job' });
      expect(status).toBe(201);
      expect(Object.keys(body)).toEqual(['identifier']);
      expect(body.identifier).toMatch(/^tlp-k1-\d+\.[0-9a-f]{64}$/);
      const listed = await alice.get('/users/self/access_keys');
      expect(listed.text).not.toContain(body.identifier.split('.')[1]);
      expect(listed.body.at(-1)).toEqual({
        id: Number(/k1-(\d+)/.exec(body.identifier)?.[1]),
        creation_date: expect.stringMatching(dateForm),
        expiration_date: null,
        description: 'CI job',
        last_used_on: null,
        last_used_by: null,
        scopes: [{ identifier: 'write:rest' }],
      });
    });

    test('GET /access_keys/self tells of the key in use, its first use included', async () => {
      const { body } = await alice.post('/access_keys', {});
      const self = await withKey(body.identifier).get('/access_keys/self');
      expect(self.status).toBe(200);
      expect(self.body.last_used_on).toMatch(dateForm);
      expect(self.body.last_used_by).toBe('127.0.0.1');
      const byId = await alice.get(`/access_keys/${self.body.id}`);
      expect(byId.body).toEqual(self.body);
    });

    test('self without a key, other people’s keys and non-numbers are 404', async () => {
      const password = atelier.withPassword(alice.name, alice.password);
      expect((await password.get('/access_keys/self')).status).toBe(404);
      expect((await alice.get('/access_keys/1')).status).toBe(404);
      expect((await alice.get('/access_keys/abc')).status).toBe(404);
      expect((await alice.get('/access_keys/99999999999999999999')).status).toBe(404);
    });

    test('a deleted key is refused by the very next request', async () => {
      const { body } = await alice.post('/access_keys', {});
      const user = withKey(body.identifier);
      const { id } = (await user.get('/access_keys/self')).body;
      expect((await alice.delete(`/access_keys/${id}`)).status).toBe(200);
      const refused = await user.get('/users/self');
      expect(refused.status).toBe(401);
      expect(refused.body.error.message).toBe('Unauthorized: Invalid access key');
      expect((await alice.delete(`/access_keys/${id}`)).status).toBe(200);
    });

    test('nobody deletes another person’s key, though the answer is 200', async () => {
      const bob = await atelier.createUser('bob-keys');
      const { body } = await alice.get('/access_keys/self');
      expect((await bob.delete(`/access_keys/${body.id}`)).status).toBe(200);
      expect((await alice.get('/access_keys/self')).status).toBe(200);
    });

    test('only one’s own keys can be listed, for site administrators too', async () => {
      expect((await atelier.admin.get(`/users/${alice.id}/access_keys`)).status).toBe(403);
      expect((await alice.get(`/users/${alice.id}/access_keys`)).status).toBe(200);
    });

    test.each([
      ['tlp-k1-1', 'Key or token incorrectly formatted'],
      ['', 'Key or token incorrectly formatted'],
      ['tlp-k1-1.abcd', 'Key or token incorrectly formatted'],
      [`tlp-k1-1.${'0'.repeat(64)}`, 'Invalid access key'],
      [`tlp-k1-99999.${'0'.repeat(64)}`, 'Invalid access key'],
      [`tlp-k1-999999999999999.${'0'.repeat(64)}`, 'Invalid access key'],
    ])('the key "%s" is 401 even where anonymous callers may read', async (key, detail) => {
      const { status, body, headers } = await withKey(key).get('/users/101');
      expect(status).toBe(401);
      expect(body.error.message).toBe(`Unauthorized: ${detail}`);
      expect(headers.get('www-authenticate')).toBe(
        'Basic realm="Atelier" Token realm="Atelier" AccessKey realm="Atelier"',
      );
    });

    test('an expired key is refused and not listed; an expiry in the past or unreadable is 400', async () => {
      const soon = new Date(Date.now() + 1500).toISOString().replace(/\.\d+Z/, '+00:00');
      const { body, status } = await alice.post('/access_keys', { expiration_date: soon });
      if (status === 201) {
        const id = Number(/k1-(\d+)/.exec(body.identifier)?.[1]);
        await new Promise((resolve) => setTimeout(resolve, 1600));
        expect((await withKey(body.identifier).get('/users/self')).status).toBe(401);
        const listed = await alice.get('/users/self/access_keys');
        expect(listed.body.map((key: { id: number }) => key.id)).not.toContain(id);
      }
      for (const expiration_date of [
        '2001-01-01T00:00:00+00:00',
        'tomorrow',
        '2030-02-30T00:00:00Z',
        '2030-01-01T00:00:00.5+00:00',
      ]) {
        const refused = await alice.post('/access_keys', { expiration_date });
        expect(refused.status).toBe(400);
        expect(refused.body.error.message).toContain('`expiration_date`');
      }
      const far = await alice.post('/access_keys', { expiration_date: '2031-06-01T12:00:00Z' });
      const shown = await withKey(far.body.identifier).get('/access_keys/self');
      expect(shown.body.expiration_date).toBe('2031-06-01T14:00:00+02:00');
    });

    test('scopes that there are not are left out; none that there is, or what is no scope, is 400 and named', async () => {
      for (const scopes of [
        ['nonsense'],
        ['a:b:c'],
        ['read:moon'],
        ['read:moon', 'x:y'],
        ['write:rest', 'moon'],
      ]) {
        const refused = await alice.post('/access_keys', { scopes });
        expect(refused.status).toBe(400);
        expect(refused.body.error.message).toContain('`scopes`');
        expect(refused.body.error.message).toContain(`"${scopes.find((scope) => scope !== 'write:rest')}"`);
      }
      for (const scopes of [
        ['write:moon', 'write:rest'],
        ['write:rest', 'read:moon', 'write:rest'],
      ]) {
        const made = await alice.post('/access_keys', { scopes });
        expect(made.status).toBe(201);
        const shown = await withKey(made.body.identifier).get('/access_keys/self');
        expect(shown.body.scopes).toEqual([{ identifier: 'write:rest' }]);
      }
    });

    test('without a scope for REST the API is closed', async () => {
      expect((await alice.post('/access_keys', { scopes: [] })).status).toBe(400);
      const svnOnly = await byPassword(alice).post('/access_keys', { scopes: ['write:svn'] });
      expect((await withKey(svnOnly.body.identifier).get('/users/self')).status).toBe(401);
    });

    test('write:git_repository is taken, listed, and opens nothing', async () => {
      const scopes = ['write:rest', 'write:git_repository', 'write:svn'];
      const { body } = await byPassword(alice).post('/access_keys', { scopes });
      const shown = await withKey(body.identifier).get('/access_keys/self');
      expect(shown.body.scopes).toEqual(scopes.map((identifier) => ({ identifier })));
      const gitOnly = await alice.post('/access_keys', { scopes: ['write:git_repository'] });
      expect((await withKey(gitOnly.body.identifier).get('/users/self')).status).toBe(401);
    });

    test('a key with read:rest reads what its owner may, and changes nothing', async () => {
      const { body } = await alice.post('/access_keys', { scopes: ['read:rest'] });
      const reader = withKey(body.identifier);
      // Twice: the second time the thread knows the key.
      for (const time of ['first', 'again'])
        expect((await reader.get('/users/self')).body.username, time).toBe('alice');
      const refused = await reader.patch('/users/self/preferences', { key: 'by-reader', value: '1' });
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        'Forbidden: This access key is for reading only; changes need one with write:rest.',
      ]);
      expect((await reader.post('/access_keys', {})).status).toBe(403);
      expect((await alice.get('/users/self/preferences?key=by-reader')).body.value).toBe(false);
    });

    test('a key makes none that lasts longer or may more than itself', async () => {
      const until = '2031-06-01T12:00:00Z';
      const { body } = await byPassword(alice).post('/access_keys', {
        expiration_date: until,
        scopes: ['write:rest', 'read:svn'],
      });
      const user = withKey(body.identifier);
      const later = await user.post('/access_keys', { expiration_date: '2031-06-01T12:00:01Z' });
      expect([later.status, later.body.error.message]).toEqual([
        403,
        expect.stringContaining('lasts longer'),
      ]);
      const wider = await user.post('/access_keys', { scopes: ['read:rest', 'write:svn'] });
      expect([wider.status, wider.body.error.message]).toEqual([403, expect.stringContaining('may more')]);
      expect((await user.post('/access_keys', { scopes: ['write:svn', 'write:moon'] })).status).toBe(403);
      for (const wish of [
        {},
        { expiration_date: null },
        { expiration_date: until },
        { scopes: ['read:rest'] },
      ]) {
        const made = await user.post('/access_keys', wish);
        const shown = await withKey(made.body.identifier).get('/access_keys/self');
        expect(shown.body.expiration_date).toBe('2031-06-01T14:00:00+02:00');
      }
      const narrower = {
        scopes: ['read:svn', 'write:git_repository'],
        expiration_date: '2031-05-01T12:00:00Z',
      };
      expect((await user.post('/access_keys', narrower)).status).toBe(201);
    });

    test('the last use is not written on every request', async () => {
      const { body } = await alice.post('/access_keys', {});
      const user = withKey(body.identifier);
      const first = (await user.get('/access_keys/self')).body.last_used_on;
      await new Promise((resolve) => setTimeout(resolve, 1100));
      expect((await user.get('/access_keys/self')).body.last_used_on).toBe(first);
    });
  });

  // Each change waits for itself alone on PostgreSQL.
  test.runIf(engine === 'SQLite')(
    'whoever reads with a new key does not wait for those who write',
    async () => {
      const { body } = await alice.post('/access_keys', {});
      const somebodyElse = new DatabaseSync(join(atelier.instance.folder, 'atelier.sqlite'));
      somebodyElse.exec('begin immediate');
      const written = alice.post('/access_keys', {});
      const read = withKey(body.identifier).get('/users/self');
      const first = await Promise.race([written.then(() => 'written'), read.then(() => 'read')]);
      somebodyElse.exec('rollback');
      somebodyElse.close();
      expect(first).toBe('read');
      expect((await read).status).toBe(200);
      await written;
    },
  );

  describe('tokens', () => {
    test('POST /tokens answers 200 with user_id as text, by JSON, form and with a trailing slash', async () => {
      const json = await atelier.anonymous.post('/tokens', { username: ' alice ', password: alice.password });
      expect(json.status).toBe(200);
      expect(json.body.user_id).toBe(String(alice.id));
      expect(json.body.token).toMatch(/^[0-9a-f]{32}$/);
      expect(json.body.uri).toBe(`tokens/${json.body.token}`);
      expect(json.headers.get('deprecation')).toBe('true');
      const form = await atelier.anonymous.request('POST', '/tokens/', {
        rawBody: new URLSearchParams({ username: 'alice', password: alice.password }).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      expect(form.status).toBe(200);
    });

    test('a token works with its user id only, and is gone after DELETE', async () => {
      const { token, user_id } = await newToken(alice);
      expect((await withToken(token, user_id).get('/users/self')).body.username).toBe('alice');
      expect((await withToken(token, 101).get('/users/self')).status).toBe(401);
      const deleted = await withToken(token, user_id).request('DELETE', `/tokens/${token}`, {
        headers: { 'Content-Type': 'application/json' },
      });
      expect(deleted.status).toBe(200);
      const refused = await withToken(token, user_id).get('/users/self');
      expect(refused.status).toBe(401);
      expect(refused.body.error.message).toBe('Unauthorized: Invalid Token');
    });

    test('a token is refused after 24 hours, however often it was used', async () => {
      const { token, user_id } = await newToken(alice);
      expect((await withToken(token, user_id).get('/users/self')).status).toBe(200);
      await atelier.sql(`update token set created_at = created_at - 86400000 where account_id = ${alice.id}`);
      expect((await withToken(token, user_id).get('/users/self')).status).toBe(401);
    });

    test('with only one of the two headers the method is skipped', async () => {
      const { token } = await newToken(alice);
      const { status, body } = await atelier.callerWith({ 'X-Auth-Token': token }).get('/users/self');
      expect(status).toBe(200);
      expect(body.is_anonymous).toBe(true);
    });

    test('another person’s token cannot be deleted; DELETE /tokens deletes all of one’s own', async () => {
      const bob = await atelier.createUser('bob-tokens');
      const [first, second, bobs] = [await newToken(alice), await newToken(alice), await newToken(bob)];
      const refused = await alice.delete(`/tokens/${bobs.token}`);
      expect(refused.status).toBe(400);
      expect(refused.body.error.message).toBe('Bad Request: Invalid Token');
      expect((await withToken(first.token, alice.id).delete('/tokens')).status).toBe(200);
      expect((await withToken(second.token, alice.id).get('/users/self')).status).toBe(401);
      expect((await withToken(bobs.token, bob.id).get('/users/self')).status).toBe(200);
    });

    test('unknown user and wrong password answer alike; a missing member is named', async () => {
      const wrong = await atelier.anonymous.post('/tokens', { username: 'alice', password: 'wrong' });
      const unknown = await atelier.anonymous.post('/tokens', { username: 'nobody-here', password: 'wrong' });
      for (const { status, body } of [wrong, unknown]) {
        expect(status).toBe(401);
        expect(body.error.message).toBe('Unauthorized: Invalid Password Or User Name');
      }
      const missing = await atelier.anonymous.post('/tokens', { username: 'alice' });
      expect(missing.body.error.message).toBe('Bad Request: `password` is required.');
    });

    test('POST /tokens does not look at other credentials', async () => {
      const { status } = await withKey('nonsense').post('/tokens', {
        username: 'alice',
        password: alice.password,
      });
      expect(status).toBe(200);
    });
  });

  describe('HTTP Basic', () => {
    test('user name and password let in; a wrong one is 401 even on open resources', async () => {
      expect((await atelier.withPassword('alice', alice.password).get('/users/self')).body.username).toBe(
        'alice',
      );
      expect((await atelier.withPassword('ALICE', alice.password).get('/users/self')).status).toBe(200);
      const wrong = await atelier.withPassword('alice', 'wrong').get('/users/101');
      expect(wrong.status).toBe(401);
      expect(wrong.body.error.message).toBe('Unauthorized: Basic Authentication Required');
      expect((await atelier.callerWith({ Authorization: 'Basic %%%' }).get('/users/101')).status).toBe(401);
      expect((await atelier.callerWith({ Authorization: 'Negotiate abc' }).get('/users/101')).status).toBe(
        401,
      );
      expect((await atelier.callerWith({ Authorization: 'Bearer abc' }).get('/users/101')).status).toBe(401);
    });

    test('an access key is no password', async () => {
      expect((await atelier.withPassword('alice', alice.key).get('/users/self')).status).toBe(401);
    });

    test('the first credential that is present decides', async () => {
      const encoded = Buffer.from(`alice:${alice.password}`).toString('base64');
      const mixed = atelier.callerWith({ 'X-Auth-AccessKey': 'nonsense', Authorization: `Basic ${encoded}` });
      expect((await mixed.get('/users/self')).status).toBe(401);
    });

    test('a changed password is noticed by the very next request', async () => {
      const carol = await atelier.createUser('carol');
      const old = atelier.withPassword('carol', carol.password);
      expect((await old.get('/users/self')).status).toBe(200);
      const change = { password: 'another password', current_password: carol.password };
      expect((await carol.put('/users/self/password', { ...change, current_password: 'wrong' })).status).toBe(
        403,
      );
      expect((await carol.put('/users/self/password', { password: 'x' })).status).toBe(400);
      expect((await carol.put('/users/self/password', { ...change, password: 'short' })).status).toBe(400);
      expect((await carol.put('/users/self/password', change)).status).toBe(200);
      expect((await old.get('/users/self')).status).toBe(401);
      expect((await atelier.withPassword('carol', 'another password').get('/users/self')).status).toBe(200);
    });

    test('a changed password ends tokens and other sessions, and on request the access keys', async () => {
      const wilma = await atelier.createUser('wilma');
      const token = (await newToken(wilma)).token;
      const open = async (password: string) => {
        const { headers } = await atelier.anonymous.post('/sessions', { username: wilma.name, password });
        const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
        const page = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
        return atelier.callerWith({ Cookie: cookie, ...page });
      };
      const [current, other] = [await open(wilma.password), await open(wilma.password)];
      const second = (await wilma.post('/access_keys', {})).body.identifier;
      const change = { password: 'second password', current_password: wilma.password };
      const first = await current.put('/users/self/password', change);
      expect([first.status, first.body]).toEqual([200, { access_keys_revoked: 0, access_keys_left: 2 }]);
      const statuses = async () =>
        Promise.all(
          [current, other, withToken(token, wilma.id), wilma, withKey(second)].map(
            async (caller) => (await caller.get('/users/self/access_keys')).status,
          ),
        );
      expect(await statuses()).toEqual([200, 401, 401, 200, 200]);

      const again = {
        password: 'third password',
        current_password: 'second password',
        revoke_access_keys: true,
      };
      const revoked = await wilma.put('/users/self/password', again);
      expect(revoked.body).toEqual({ access_keys_revoked: 1, access_keys_left: 1 });
      expect(await statuses()).toEqual([401, 401, 401, 200, 401]);

      const newest = (await newToken({ name: wilma.name, password: 'third password' })).token;
      const byAdmin = { password: 'fourth password', revoke_access_keys: true };
      const set = await atelier.admin.put(`/users/${wilma.id}/password`, byAdmin);
      expect(set.body).toEqual({ access_keys_revoked: 1, access_keys_left: 0 });
      expect((await withToken(newest, wilma.id).get('/users/self')).status).toBe(401);
      expect(await statuses()).toEqual([401, 401, 401, 401, 401]);
    });

    test('access keys whose time is over count neither as revoked nor as left', async () => {
      const xena = await atelier.createUser('xena');
      for (const description of ['one', 'two']) await xena.post('/access_keys', { description });
      await atelier.sql("update access_key set expires_at = 1000 where description = 'one'");
      const change = { password: 'second password', current_password: xena.password };
      const kept = await xena.put('/users/self/password', change);
      expect(kept.body).toEqual({ access_keys_revoked: 0, access_keys_left: 2 });
      const set = { password: 'third password', revoke_access_keys: true };
      const revoked = await atelier.admin.put(`/users/${xena.id}/password`, set);
      expect(revoked.body).toEqual({ access_keys_revoked: 2, access_keys_left: 0 });
    });

    test('a password of before does not take the place of one that is set meanwhile', async () => {
      const yann = await atelier.createUser('yann');
      const set = (password: string) => atelier.admin.put(`/users/${yann.id}/password`, { password });
      await set('of before');
      const change = (current_password: string) =>
        yann.put('/users/self/password', { password: 'of whoever was here', current_password });
      // After wrong ones the answer to the right one is slowed, so that the administrator comes first.
      for (let tries = 0; tries < 6; tries++) expect((await change('a guess')).status).toBe(403);
      const [mine, theirs] = await Promise.all([change('of before'), set('of the administrator')]);
      expect([mine.status, theirs.status], mine.text).toEqual([401, 200]);
      const basic = atelier.withPassword('yann', 'of the administrator');
      expect((await basic.get('/users/self')).status).toBe(200);
    });

    test('guesses at a password do not keep its owner out once there is another', async () => {
      const zora = await atelier.createUser('zora');
      const guess = () => atelier.anonymous.post('/tokens', { username: 'zora', password: 'a guess' });
      await atelier.configure({ login_account_attempts: 2 });
      for (const status of [401, 401, 429]) expect((await guess()).status).toBe(status);
      await atelier.admin.put(`/users/${zora.id}/password`, { password: 'set by somebody else' });
      const basic = atelier.withPassword('zora', 'set by somebody else');
      expect((await basic.get('/users/self')).status).toBe(200);
      for (const status of [401, 401, 429]) expect((await guess()).status).toBe(status);
      const change = { password: 'chosen by myself', current_password: 'set by somebody else' };
      expect((await zora.put('/users/self/password', change)).status).toBe(200);
      expect((await atelier.withPassword('zora', 'chosen by myself').get('/users/self')).status).toBe(200);
      await atelier.configure({ login_account_attempts: 10 });
    });

    test('a password whose time is over is not replaced by itself', async () => {
      const wim = await atelier.createUser('wim');
      await atelier.configure({ password_lifetime_days: 30 });
      await atelier.sql("update account set password_set_at = 1000 where name = 'wim'");
      const change = { password: wim.password, current_password: wim.password };
      const same = await wim.put('/users/self/password', change);
      expect([same.status, same.body.error.message]).toEqual([400, expect.stringContaining('another one')]);
      const link = (await atelier.admin.post(`/users/${wim.id}/password_links`)).body.href;
      const path = `/password_resets/${new URL(link).searchParams.get('token')}`;
      expect((await atelier.anonymous.put(path, { password: wim.password })).status).toBe(400);
      expect((await wim.get('/users/self')).status).toBe(403);
      expect((await atelier.anonymous.put(path, { password: 'another password' })).status).toBe(200);
      expect((await wim.get('/users/self')).status).toBe(200);
      await atelier.configure({ password_lifetime_days: 0 });
    });

    test('many requests at once with the right password are all let in', async () => {
      const dina = await atelier.admin.post('/users', { username: 'dina', password: 'many at once' });
      expect(dina.status).toBe(201);
      const basic = atelier.withPassword('dina', 'many at once');
      const replies = await Promise.all(Array.from({ length: 30 }, () => basic.get('/users/self')));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    });

    test('an empty password is a missing one', async () => {
      const { status, body } = await atelier.anonymous.post('/tokens', { username: 'alice', password: '' });
      expect(status).toBe(400);
      expect(body.error.message).toBe('Bad Request: `password` is required.');
    });

    test('spaces belong to a password', async () => {
      const dora = await atelier.createUser('dora', { password: '  spaces around  ' });
      expect((await atelier.withPassword('dora', '  spaces around  ').get('/users/self')).body.id).toBe(
        dora.id,
      );
      expect((await atelier.withPassword('dora', 'spaces around').get('/users/self')).status).toBe(401);
    });
  });

  describe('links to choose a password', () => {
    const tokenIn = (href: string) => new URL(href).searchParams.get('token') ?? '';
    const redeem = (token: string, password: string) =>
      atelier.anonymous.put(`/password_resets/${token}`, { password });

    test('are made by administrators of users, work once, and end the one before', async () => {
      const made = await atelier.admin.post('/users', { username: 'invited' });
      expect(made.status, made.text).toBe(201);
      const path = `/users/${made.body.id}/password_links`;
      const first = await atelier.admin.post(path);
      expect(first.status, first.text).toBe(201);
      expect(first.body).toEqual({
        href: expect.stringMatching(/^http:\/\/[^/]+\/password\/reset\?token=[\w-]{43}$/),
        expiration_date: expect.stringMatching(dateForm),
      });
      const days = (Date.parse(first.body.expiration_date) - Date.now()) / 86_400_000;
      expect(days > 6.9 && days <= 7).toBe(true);
      const second = await atelier.admin.post(path);
      expect((await redeem(tokenIn(first.body.href), 'chosen by myself')).status).toBe(404);
      const token = tokenIn(second.body.href);
      expect((await redeem(token, 'chosen by myself')).body).toEqual({ username: 'invited' });
      expect((await redeem(token, 'chosen once more')).status).toBe(404);
      expect((await atelier.withPassword('invited', 'chosen by myself').get('/users/self')).status).toBe(200);
    });

    test('of one at once, one works', async () => {
      const { body } = await atelier.admin.post('/users', { username: 'hasty' });
      const token = tokenIn((await atelier.admin.post(`/users/${body.id}/password_links`)).body.href);
      const replies = await Promise.all([1, 2, 3].map((time) => redeem(token, `password number ${time}`)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    });

    test('are not for everybody, nor for every account', async () => {
      const path = (id: number | string) => `/users/${id}/password_links`;
      expect((await alice.post(path(alice.id))).status).toBe(403);
      expect((await alice.post(path(999_999))).status).toBe(404);
      expect((await atelier.anonymous.post(path(alice.id))).status).toBe(401);
      expect((await atelier.admin.post(path(100))).status).toBe(403);
      const registrar = await atelier.createUser('registrar');
      const group = (await atelier.admin.post('/platform/groups', { name: 'Registrars' })).body;
      await atelier.admin.put(`/platform/groups/${group.id}`, { user_ids: [registrar.id], permissions: [5] });
      expect((await registrar.post(path(alice.id))).status).toBe(201);
      expect((await registrar.post(path(101))).status).toBe(403);
      const idle = await atelier.createUser('idle');
      await atelier.admin.patch(`/users/${idle.id}`, { status: 'S' });
      expect((await atelier.admin.post(path(idle.id))).status).toBe(400);
    });

    test('are what is left where the platform sends no mail', async () => {
      const { status, text } = await atelier.anonymous.post('/password_resets', { login: 'alice' });
      expect([status, text]).toEqual([503, expect.stringContaining('Ask an administrator')]);
    });
  });

  describe('accounts that may not be used', () => {
    test.each(['S', 'D', 'P'])(
      'status %s is 403 with a valid key, token or password, at once',
      async (status) => {
        const name = `status-${status.toLowerCase()}`;
        const person = await atelier.createUser(name);
        const { token } = await newToken(person);
        expect((await person.get('/users/self')).status).toBe(200);
        expect((await atelier.admin.patch(`/users/${person.id}`, { status })).body).toBe(true);
        const callers = [person, withToken(token, person.id), atelier.withPassword(name, person.password)];
        const login = { username: name, password: person.password };
        const replies = [
          ...(await Promise.all(callers.map((caller) => caller.get('/users/101')))),
          await atelier.anonymous.post('/tokens', login),
          await atelier.anonymous.post('/sessions', login),
        ];
        for (const reply of replies)
          expect([reply.status, reply.body.error.details]).toEqual([403, { reason: 'account_unusable' }]);
        await atelier.admin.patch(`/users/${person.id}`, { status: 'A' });
        expect((await person.get('/users/self')).status).toBe(200);
      },
    );

    test('a password past its lifetime is 403 with key and password, until it is changed', async () => {
      const old = await atelier.createUser('old-password');
      await atelier.configure({ password_lifetime_days: 1 });
      expect((await old.get('/users/self')).status).toBe(200);
      const twoDaysAgo = Date.now() - 2 * 86_400_000;
      await atelier.sql(`update account set password_set_at = ${twoDaysAgo} where id = ${old.id}`);
      await atelier.sql("update revision set value = value + 1 where name = 'identity'");
      expect((await old.get('/users/self')).status).toBe(403);
      expect((await atelier.withPassword(old.name, old.password).get('/users/self')).status).toBe(403);
      const change = { password: 'a new password', current_password: old.password };
      expect((await old.put('/users/self/password', { ...change, current_password: 'wrong' })).status).toBe(
        403,
      );
      expect((await old.put('/users/self/password', change)).status).toBe(200);
      expect((await old.get('/users/self')).status).toBe(200);
      await atelier.configure({ password_lifetime_days: 0 });
    });
  });

  describe('web sessions', () => {
    const page = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
    const login = async (person: Person) => {
      const { status, headers } = await atelier.anonymous.post('/sessions', {
        username: person.name,
        password: person.password,
      });
      expect(status).toBe(201);
      const cookie = headers.get('set-cookie') ?? '';
      expect(cookie).toMatch(/^atelier_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
      return cookie.split(';')[0] ?? '';
    };

    test('a session cookie works from our own pages and nowhere else', async () => {
      const cookie = await login(alice);
      const own = atelier.callerWith({ Cookie: cookie, ...page });
      expect((await own.get('/users/self')).body.username).toBe('alice');
      const byReferer = atelier.callerWith({ Cookie: cookie, Referer: `${atelier.url}/page` });
      const fetched = await byReferer.request('GET', '/users/self', {
        headers: { 'Sec-Fetch-Mode': 'cors' },
      });
      expect([200, 403]).toContain(fetched.status);
      const strangers: Record<string, string>[] = [
        { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' },
        { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' },
        { Referer: 'https://elsewhere.example/' },
      ];
      for (const headers of strangers) {
        const foreign = await atelier.callerWith({ Cookie: cookie, ...headers }).get('/users/self');
        expect(foreign.status).toBe(403);
        expect(typeof foreign.body.error).toBe('string');
      }
    });

    test('sessions can be listed and ended; an ended one is anonymous at once', async () => {
      const cookie = await login(alice);
      const own = atelier.callerWith({ Cookie: cookie, ...page });
      const listed = await own.get('/sessions');
      expect(listed.body.some((session: { is_current: boolean }) => session.is_current)).toBe(true);
      const ended = await own.delete('/sessions/self');
      expect(ended.status).toBe(200);
      expect(ended.headers.get('set-cookie')).toContain('Max-Age=0');
      expect((await own.get('/users/self')).body.is_anonymous).toBe(true);
      expect((await alice.delete('/sessions/999999')).status).toBe(404);
    });

    test('all sessions but the one in use are ended at once', async () => {
      const vera = await atelier.createUser('vera');
      const [own, other] = [await login(vera), await login(vera)].map((cookie) =>
        atelier.callerWith({ Cookie: cookie, ...page }),
      );
      expect((await own!.delete('/sessions')).status).toBe(200);
      expect((await own!.get('/sessions')).headers.get('x-pagination-size')).toBe('1');
      expect((await other!.get('/sessions')).status).toBe(401);
      expect((await vera.delete('/sessions')).status).toBe(200);
      expect((await own!.get('/sessions')).status).toBe(401);
      expect((await atelier.anonymous.delete('/sessions')).status).toBe(401);
    });

    test('suspending an account ends its sessions for good', async () => {
      const eve = await atelier.createUser('eve');
      const own = atelier.callerWith({ Cookie: await login(eve), ...page });
      expect((await own.get('/users/self')).body.username).toBe('eve');
      await atelier.admin.patch(`/users/${eve.id}`, { status: 'S' });
      await atelier.admin.patch(`/users/${eve.id}`, { status: 'A' });
      expect((await own.get('/users/self')).body.is_anonymous).toBe(true);
    });

    test('a page of another site cannot log its visitors in', async () => {
      const credentials = { body: { username: alice.name, password: alice.password } };
      const foreign: Record<string, string>[] = [
        { 'Sec-Fetch-Site': 'cross-site' },
        { Origin: 'https://elsewhere.example' },
      ];
      for (const headers of foreign) {
        const reply = await atelier.anonymous.request('POST', '/sessions', { ...credentials, headers });
        expect(reply.status).toBe(403);
        expect(reply.headers.get('set-cookie')).toBeNull();
      }
      const own = { Origin: atelier.url, 'Sec-Fetch-Site': 'same-origin' };
      expect(
        (await atelier.anonymous.request('POST', '/sessions', { ...credentials, headers: own })).status,
      ).toBe(201);
    });

    test('on a shared computer a session ends with the browser, and after 12 hours', async () => {
      const { name: username, password } = alice;
      const reply = await atelier.anonymous.post('/sessions', {
        username,
        password,
        is_shared_computer: true,
      });
      expect(reply.status).toBe(201);
      const cookie = reply.headers.get('set-cookie') ?? '';
      expect(cookie).toMatch(/^atelier_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
      const own = atelier.callerWith({ Cookie: cookie.split(';')[0] ?? '', ...page });
      const { body } = await own.get('/sessions');
      const current = body.find((session: { is_current: boolean }) => session.is_current);
      const lasting = Date.parse(current.expiration_date) - Date.parse(current.creation_date);
      expect(lasting).toBe(12 * 3_600_000);
    });

    test('a 401 takes away a cookie that stands for no session, and leaves one that does', async () => {
      const removal = 'atelier_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0';
      const cookie = await login(alice);
      const own = atelier.callerWith({ Cookie: cookie, ...page });
      const wrong = await own.post('/sessions', { username: alice.name, password: 'wrong' });
      expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
      expect((await own.get('/sessions')).headers.get('set-cookie')).toBeNull();
      await own.delete('/sessions/self');
      const ended = await own.get('/sessions');
      expect([ended.status, ended.headers.get('set-cookie')]).toEqual([401, removal]);
      const unknown = await atelier.callerWith({ Cookie: 'atelier_session=nonsense' }).get('/sessions');
      expect([unknown.status, unknown.headers.get('set-cookie')]).toEqual([401, removal]);
      const none = await atelier.callerWith({ Cookie: 'other=1' }).get('/sessions');
      expect([none.status, none.headers.get('set-cookie')]).toEqual([401, null]);
      const upload = await fetch(`${atelier.url}/uploads/tracker/file/1`, {
        method: 'HEAD',
        headers: { Cookie: cookie, 'X-Auth-AccessKey': 'nonsense', 'Tus-Resumable': '1.0.0' },
      });
      expect([upload.status, upload.headers.get('set-cookie')]).toEqual([401, removal]);
    });

    test('an expired password gets a session that changes it, and nothing else', async () => {
      const late = await atelier.createUser('late');
      const other = atelier.callerWith({ Cookie: await login(late), ...page });
      await atelier.configure({ password_lifetime_days: 1 });
      const twoDaysAgo = Date.now() - 2 * 86_400_000;
      await atelier.sql(`update account set password_set_at = ${twoDaysAgo} where id = ${late.id}`);
      await atelier.sql("update revision set value = value + 1 where name = 'identity'");
      const own = atelier.callerWith({ Cookie: await login(late), ...page });
      for (const path of ['/users/self', '/projects', '/sessions', '/users/self/preferences?key=a']) {
        const { status, body } = await own.get(path);
        expect([path, status, body.error.details]).toEqual([path, 403, { reason: 'password_expired' }]);
      }
      const token = await atelier.anonymous.post('/tokens', {
        username: late.name,
        password: late.password,
      });
      expect([token.status, token.body.error.details]).toEqual([403, { reason: 'password_expired' }]);
      expect((await own.get('/users/self/standing')).body).toMatchObject({ must_change_password: true });
      const change = { password: 'a fresh password', current_password: late.password };
      expect((await own.put('/users/self/password', change)).status).toBe(200);
      expect((await own.get('/users/self/standing')).body).toMatchObject({ must_change_password: false });
      expect((await own.get('/users/self')).body.username).toBe('late');
      expect((await other.get('/sessions')).status).toBe(401);
      await atelier.configure({ password_lifetime_days: 0 });
    });

    test('whoever has an expired password can leave', async () => {
      const gone = await atelier.createUser('gone');
      await atelier.configure({ password_lifetime_days: 1 });
      await atelier.sql(`update account set password_set_at = 1 where id = ${gone.id}`);
      await atelier.sql("update revision set value = value + 1 where name = 'identity'");
      const own = atelier.callerWith({ Cookie: await login(gone), ...page });
      expect((await own.delete('/sessions/self')).status).toBe(200);
      expect((await own.get('/users/self/standing')).body.user).toBeNull();
      await atelier.configure({ password_lifetime_days: 0 });
    });

    test('a 401 to our own page opens no browser dialog', async () => {
      const { status, headers } = await atelier.callerWith(page).get('/users/self/preferences?key=a');
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBeNull();
    });
  });

  describe('throttling', () => {
    test('a lock that a wrong clock left behind does not last', async () => {
      const otto = await atelier.createUser('otto');
      const tenYears = Date.now() + 10 * 365 * 86_400_000;
      await atelier.sql(
        `insert into login_attempt (subject, failures, expires_at) values ('account:otto', 99, ${tenYears})`,
      );
      expect((await newToken(otto)).user_id).toBe(String(otto.id));
    });

    test('wrong passwords are refused with 429 and Retry-After, keys and other accounts are not', async () => {
      const mallory = await atelier.createUser('mallory');
      await atelier.configure({ login_account_attempts: 3 });
      const guess = (_: unknown, index: number) =>
        atelier.anonymous.post('/tokens', { username: 'mallory', password: `guess ${index}` });
      const statuses = (await Promise.all(Array.from({ length: 8 }, guess))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(3);
      expect(statuses.filter((status) => status === 429)).toHaveLength(5);
      const right = await atelier.anonymous.post('/tokens', {
        username: 'mallory',
        password: mallory.password,
      });
      expect(right.status).toBe(429);
      expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await mallory.get('/users/self')).status).toBe(200);
      const change = { password: 'out of their reach', current_password: mallory.password };
      expect((await mallory.put('/users/self/password', change)).status).toBe(200);
      expect((await newToken(alice)).token).toBeDefined();
      await atelier.configure({ login_account_attempts: 10 });
    });

    test('nobody is kept from changing their password by wrong logins under any name', async () => {
      const olga = await atelier.createUser('olga');
      await atelier.configure({ login_account_attempts: 2 });
      for (const username of ['repeated olga', 'repeated:olga', 'olga'])
        for (let guess = 0; guess < 3; guess++)
          await atelier.anonymous.post('/tokens', { username, password: `guess ${guess}` });
      const change = { password: 'out of their reach', current_password: olga.password };
      expect((await olga.put('/users/self/password', change)).status).toBe(200);
      await atelier.configure({ login_account_attempts: 10 });
    });

    test('a right password forgets the wrong ones before it', async () => {
      const nina = await atelier.createUser('nina');
      await atelier.configure({ login_account_attempts: 3 });
      for (let round = 0; round < 3; round++) {
        await atelier.anonymous.post('/tokens', { username: 'nina', password: 'wrong' });
        await atelier.anonymous.post('/tokens', { username: 'nina', password: 'wrong' });
        expect((await newToken(nina)).user_id).toBe(String(nina.id));
      }
      await atelier.configure({ login_account_attempts: 10 });
    });
  });

  describe('platform access modes', () => {
    test('anonymous callers read in mode anonymous and get 401 in the others, wrong parameters or not', async () => {
      expect((await atelier.anonymous.get('/users/101')).status).toBe(200);
      await atelier.configure({ access_mode: 'regular' });
      expect((await atelier.anonymous.get('/users/101')).status).toBe(401);
      expect((await alice.get('/users/101')).status).toBe(200);
      expect((await atelier.anonymous.get('/version')).status).toBe(200);
      await atelier.configure({ access_mode: 'anonymous' });
      expect((await atelier.anonymous.get('/users/101')).status).toBe(200);
      expect((await atelier.anonymous.get('/users/self/access_keys?limit=x')).status).toBe(401);
    });
  });
});
