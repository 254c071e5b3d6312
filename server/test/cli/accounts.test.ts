import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, oneEngine, runCommand, startAtelier } from '../harness/atelier.ts';
import { expectRefusal, repliesOf } from './replies.ts';

const engines = oneEngine('PostgreSQL', 'commands do what the API does, in words of their own');

describe.each(engines)('commands for accounts on %s', (engine) => {
  let atelier: Atelier;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
  });
  afterAll(() => atelier.stop());
  const { json, said } = repliesOf(() => atelier);

  const setting = (name: string, value: string) => said('config', 'set', name, value);

  describe('user', () => {
    test('create makes an account that logs in with the password from standard input', async () => {
      const args = ['user', 'create', 'ines', '--email', 'ines@example.com', '--real-name', 'Inès Roy'];
      const input = 'a secret  \r\nignored\n';
      const { code, stdout } = await runCommand(
        atelier.instance.environment,
        [...args, '--password-stdin', '--json'],
        input,
      );
      expect(code).toBe(0);
      const user = JSON.parse(stdout);
      expect(user).toEqual({
        id: expect.any(Number),
        username: 'ines',
        real_name: 'Inès Roy',
        email: 'ines@example.com',
        status: 'active',
        is_site_admin: false,
      });
      const login = (password: string) => atelier.anonymous.post('/tokens', { username: 'ines', password });
      expect((await login('a secret  ')).body.user_id).toBe(String(user.id));
      expect((await login('a secret')).status).toBe(401);
    });

    test('create says the id, and refuses bad names, taken names and short passwords', async () => {
      expect(await said('user', 'create', 'paul', '--password', 'longenough')).toMatch(
        /^The user paul has the id \d+\.\n$/,
      );
      expectRefusal(await atelier.cli('user', 'create', 'Paul'), 'already used');
      expectRefusal(await atelier.cli('user', 'create', 'x'), 'too short');
      expectRefusal(await atelier.cli('user', 'create', 'petra', '--password', 'short'), '`password`');
      expectRefusal(await atelier.cli('user', 'set', 'petra', '--email', 'a@b.c'), 'There is no user petra');
    });

    test('create makes suspended users, and restricted ones where the platform has them', async () => {
      expect((await json('user', 'create', 'asleep', '--status', 'suspended')).status).toBe('suspended');
      expectRefusal(await atelier.cli('user', 'create', 'guest', '--status', 'restricted'), 'not authorized');
      await setting('access_mode', 'restricted');
      expect((await json('user', 'create', 'guest', '--status', 'restricted')).status).toBe('restricted');
      await setting('access_mode', 'anonymous');
    });

    test('set --status suspended lets the very next request of the user fail, and active succeed again', async () => {
      const alice = await atelier.createUser('alice');
      expect((await alice.get('/users/self')).status).toBe(200);
      await said('user', 'set', 'alice', '--status', 'suspended');
      expect((await alice.get('/users/self')).status).toBe(403);
      await said('user', 'set', 'ALICE', '--status', 'active');
      expect((await alice.get('/users/self')).status).toBe(200);
      for (const status of ['pending', 'deleted']) {
        expect((await json('user', 'set', 'alice', '--status', status)).status).toBe(status);
        expect((await alice.get('/users/self')).status).toBe(403);
      }
    });

    test('set changes what is named and nothing else', async () => {
      const bob = await atelier.createUser('bob');
      const changed = await json('user', 'set', 'bob', '--real-name', 'Bob', '--password', 'another-secret');
      expect(changed).toMatchObject({
        id: bob.id,
        real_name: 'Bob',
        email: 'bob@example.com',
        status: 'active',
      });
      const login = (password: string) => atelier.anonymous.post('/tokens', { username: 'bob', password });
      expect((await login(bob.password)).status).toBe(401);
      expect((await login('another-secret')).body.token).toEqual(expect.any(String));
      expect((await json('user', 'set', 'bob', '--email', '')).email).toBe('');
    });

    test('set --site-admin and --no-site-admin count from the next request on', async () => {
      const carol = await atelier.createUser('carol');
      expect((await carol.get('/platform/settings')).status).toBe(403);
      expect((await json('user', 'set', 'carol', '--site-admin')).is_site_admin).toBe(true);
      expect((await carol.get('/platform/settings')).status).toBe(200);
      expect((await json('user', 'set', 'carol', '--no-site-admin')).is_site_admin).toBe(false);
      expect((await carol.get('/platform/settings')).status).toBe(403);
    });

    test('the last site administrator stays', async () => {
      expectRefusal(await atelier.cli('user', 'set', 'admin', '--no-site-admin'), 'last administrator');
      expect((await atelier.admin.get('/platform/settings')).status).toBe(200);
    });

    test('list shows everybody, in columns for people', async () => {
      await atelier.cli('user', 'create', 'trouble', '--real-name', 'a\u001b[2Jb');
      const users = await json('user', 'list');
      const lines = (await said('user', 'list')).trimEnd().split('\n');
      expect(lines).toHaveLength(users.length + 1);
      expect(lines[1]).toMatch(/^101 {2}admin +active +yes +Site Administrator +admin@localhost$/);
      expect(lines[0]?.indexOf('STATUS')).toBe(lines[1]?.indexOf('active'));
      expect(lines.join()).not.toContain('\u001b');
      expect(users.find((user: { username: string }) => user.username === 'trouble').real_name).toBe(
        'a\u001b[2Jb',
      );
      expect(users.some((user: { username: string }) => user.username === 'None')).toBe(false);
    });
  });

  test('ssh-key add, list and remove change the keys that the user has', async () => {
    const keys = ['one', 'two'].map((comment) => {
      const { publicKey } = generateKeyPairSync('ed25519');
      const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
      const parts = [Buffer.from('ssh-ed25519'), raw].map((part) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(part.length);
        return Buffer.concat([length, part]);
      });
      return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')} ${comment}`;
    });
    const sina = await atelier.createUser('sina');
    const add = (input: string) =>
      runCommand(atelier.instance.environment, ['ssh-key', 'add', 'sina', '-', '--json'], input);
    expect(await said('ssh-key', 'list', 'sina')).toBe('sina has no SSH keys.\n');
    const added = JSON.parse((await add(`# mine\n\n${keys.join('\r\n')}\n`)).stdout);
    expect(added).toHaveLength(2);
    expect((await sina.get('/users/self/ssh_keys')).body).toEqual({ keys });
    const [one] = await json('ssh-key', 'list', 'sina');
    expect(one).toEqual({
      type: 'ssh-ed25519',
      fingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/),
      comment: 'one',
      key: keys[0],
    });
    expect(JSON.parse((await add(`${keys[0]} again`)).stdout)).toEqual([]);
    const cut = String(keys[0]).slice(0, 40);
    expectRefusal(await add(`${keys[1]}\n${cut}`), 'Key 2 in standard input is not the whole');
    expectRefusal(await add('-----BEGIN OPENSSH PRIVATE KEY-----'), 'private key');
    await said('ssh-key', 'remove', 'sina', one.fingerprint);
    expect((await sina.get('/users/self/ssh_keys')).body).toEqual({ keys: [keys[1]] });
    expectRefusal(await atelier.cli('ssh-key', 'remove', 'sina', one.fingerprint), 'sina has no SSH key');
    expectRefusal(await atelier.cli('ssh-key', 'list', 'ghost'), 'There is no user ghost');
    expect((await atelier.admin.get(`/users/${sina.id}/ssh_keys`)).status).toBe(403);
  });

  describe('key', () => {
    test('create prints a key that works, and delete ends it before the next request', async () => {
      await atelier.createUser('dora');
      const key = (await said('key', 'create', 'dora', '--description', 'build')).trimEnd();
      const dora = atelier.callerWith({ 'X-Auth-AccessKey': key });
      expect((await dora.get('/users/self')).body.username).toBe('dora');
      const id = Number(/^tlp-k1-(\d+)\./.exec(key)?.[1]);
      const listed = await json('key', 'list', 'dora');
      expect(listed.at(-1)).toMatchObject({
        id,
        description: 'build',
        scopes: ['write:rest'],
        expiration_date: null,
      });
      expect(JSON.stringify(listed)).not.toContain(key.split('.')[1]);
      expect(await said('key', 'list', 'dora')).toMatch(new RegExp(`^${id} +write:rest .*build$`, 'm'));
      expectRefusal(await atelier.cli('key', 'delete', 'admin', String(id)), 'no access key');
      await said('key', 'delete', 'dora', String(id));
      expect((await dora.get('/users/self')).status).toBe(401);
      expectRefusal(await atelier.cli('key', 'delete', 'dora', String(id)), 'dora has no access key');
    });

    test('create takes scopes and an end', async () => {
      await atelier.cli('user', 'create', 'emil');
      expect(await said('key', 'list', 'emil')).toBe('emil has no access keys.\n');
      const options = ['--scope', 'write:svn', 'write:rest', '--expires', '2099-01-31'];
      await said('key', 'create', 'emil', ...options);
      expect((await json('key', 'list', 'emil'))[0]).toMatchObject({
        scopes: ['write:svn', 'write:rest'],
        expiration_date: '2099-01-31T00:00:00+01:00',
      });
      expectRefusal(await atelier.cli('key', 'create', 'emil', '--expires', '2001-01-31'), 'past');
      expectRefusal(await atelier.cli('key', 'create', 'emil', '--expires', '31.1.2099'), '2027-01-31', 2);
      expectRefusal(await atelier.cli('key', 'create', 'emil', '--scope', 'write:all'), 'write:svn', 2);
      expectRefusal(await atelier.cli('key', 'create', 'nobody'), 'There is no user nobody');
    });
  });
});
