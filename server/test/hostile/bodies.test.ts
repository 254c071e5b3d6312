import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';
import { createProject } from '../project-fixtures.ts';
import { addField, createTracker } from '../tracker-fixtures.ts';

describe.each(engines)('bodies of people who mean harm on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  beforeAll(async () => {
    atelier = await startAtelier(engine, { env: { ATELIER_TRUST_PROXY: '1' } });
    alice = await atelier.createUser('alice');
  });
  afterAll(() => atelier.stop());

  describe('with an object that has a toString of its own', () => {
    const poison = { toString: 1, valueOf: 'x' };
    let tracker: number;
    let fields: Readonly<Record<string, number>>;
    beforeAll(async () => {
      const project = await createProject(alice, 'poisoned');
      tracker = (await createTracker(alice, project.id)).id;
      const bind = { type: 'static', values: [{ label: 'red' }] };
      const made = [
        { type: 'string', name: 'string' },
        { type: 'int', name: 'int' },
        { type: 'sb', name: 'sb', bind },
        { type: 'msb', name: 'msb', bind },
        { type: 'tbl', name: 'tbl', bind },
        { type: 'file', name: 'file' },
        { type: 'art_link', name: 'art_link' },
        { type: 'perm', name: 'perm' },
      ];
      const ids: Record<string, number> = {};
      for (const field of made) ids[field.name] = (await addField(alice, tracker, field)).field_id;
      fields = ids;
    });

    test.each([
      ['PATCH', '/platform/settings', { secure_mail: poison }],
      ['PATCH', '/platform/settings', { login_wait_seconds: poison }],
      ['PATCH', '/platform/settings', { access_mode: poison }],
      ['PATCH', '/users/self/preferences', { key: 'k', value: poison }],
      ['POST', '/access_keys', { description: 'x', scopes: [poison] }],
      ['POST', '/access_keys', { description: 'x', expiration_date: poison }],
      ['PUT', '/users/self/ssh_keys', { keys: [poison] }],
    ])('%s %s is 400', async (method, path, body) => {
      expect((await atelier.admin.request(method, path, { body })).status).toBe(400);
    });

    test('an artifact is refused, whatever is poisoned in it', async () => {
      const string = { field_id: fields['string'], value: 'x' };
      const { body } = await alice.post('/artifacts', { tracker: { id: tracker }, values: [string] });
      const entries = Object.values(fields).flatMap((field_id) => [
        { field_id, value: poison },
        { field_id, value: [poison] },
        { field_id, bind_value_ids: [poison] },
        { field_id, links: [{ id: poison }] },
        { field_id, value: { content: poison, format: poison } },
      ]);
      const named = [
        { ...string, field_id: poison },
        { field_id: poison, links: [] },
      ];
      for (const values of [...entries, ...named].map((entry) => [entry])) {
        const changed = await alice.put(`/artifacts/${body.id}`, { values });
        expect(changed.status, JSON.stringify(values)).toBeLessThan(500);
        const made = await alice.post('/artifacts', {
          tracker: { id: tracker },
          values: [string, ...values],
        });
        expect(made.status, JSON.stringify(values)).toBeLessThan(500);
      }
      expect((await alice.post('/artifacts', { tracker: { id: poison }, values: [string] })).status).toBe(
        400,
      );
    });

    test('XML that says the same is 400, and so are other names that every object knows', async () => {
      for (const name of ['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__proto__']) {
        const rawBody = `<request><tracker><id><${name}>1</${name}></id></tracker><values></values></request>`;
        const headers = { 'Content-Type': 'application/xml' };
        expect((await alice.request('POST', '/artifacts', { rawBody, headers })).status, name).toBe(400);
      }
    });

    test('criteria of reports and lists are refused', async () => {
      const asked = [
        poison,
        [poison],
        { operator: poison, value: 'x' },
        { operator: 'contains', value: poison },
      ];
      for (const name of Object.keys(fields))
        for (const criterion of asked) {
          const query = encodeURIComponent(JSON.stringify({ [name]: criterion }));
          const listed = await alice.get(`/trackers/${tracker}/artifacts?query=${query}`);
          expect(listed.status, `${name} ${JSON.stringify(criterion)}`).toBeLessThan(500);
          const report = { name: 'Poisoned', criteria: { [name]: criterion } };
          const saved = await alice.post(`/trackers/${tracker}/tracker_reports`, report);
          expect(saved.status, `${name} ${JSON.stringify(criterion)}`).toBeLessThan(500);
        }
    });
  });

  test('all addresses of one IPv6 network of 64 bits are one when passwords are guessed', async () => {
    await atelier.configure({ login_address_attempts: 3 });
    const guess = (address: string, name: string) =>
      atelier
        .callerWith({ 'X-Forwarded-For': address })
        .post('/tokens', { username: name, password: 'wrong' })
        .then(({ status }) => status);
    for (let guesses = 0; guesses < 3; guesses++)
      expect(await guess(`2001:db8:7:7::${guesses}`, `nobody-${guesses}`)).toBe(401);
    expect(await guess('2001:db8:7:7:ffff::9', 'nobody-9')).toBe(429);
    expect(await guess('2001:db8:7:8::9', 'nobody-9')).toBe(401);
    await atelier.configure({ login_address_attempts: 100 });
  });
});
