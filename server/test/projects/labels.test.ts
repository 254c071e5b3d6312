import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, setMembers, sizeOf } from '../fixtures/project.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

interface Label {
  readonly id: number;
  readonly label: string;
}

describe.each(engines)('labels of a project on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  const path = () => `/projects/${project}/labels`;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'labelled')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
  });
  afterAll(() => atelier.stop());

  test('there are none at first', async () => {
    const reply = await atelier.anonymous.get(path());
    expect([reply.status, reply.body, sizeOf(reply)]).toEqual([200, { labels: [] }, 0]);
  });

  test('are created, listed by name, found by a part of it, and paged', async () => {
    for (const label of ['urgent', 'Émilie 100%', 'bug']) {
      expect((await alice.post(path(), { label })).status).toBe(201);
    }
    const all = await bob.get(path());
    expect(all.body.labels.map(({ label }: Label) => label)).toEqual(['bug', 'Émilie 100%', 'urgent']);
    expect(all.body.labels[0]).toEqual({
      id: expect.any(Number),
      label: 'bug',
      is_outline: false,
      color: 'chrome-silver',
    });
    for (const part of ['EMIL', '100%']) {
      const found = await bob.get(`${path()}?query=${encodeURIComponent(part)}`);
      expect([found.body.labels.map(({ label }: Label) => label), sizeOf(found)]).toEqual([
        ['Émilie 100%'],
        1,
      ]);
    }
    expect((await bob.get(`${path()}?query=%25u%25`)).body).toEqual({ labels: [] });
    const page = await bob.get(`${path()}?limit=1&offset=2`);
    expect([page.body.labels.map(({ label }: Label) => label), sizeOf(page)]).toEqual([['urgent'], 3]);
    expect(page.headers.get('x-pagination-limit-max')).toBe('50');
    for (const limit of [0, 51]) expect((await bob.get(`${path()}?limit=${limit}`)).status).toBe(400);
  });

  test('are changed and deleted', async () => {
    const { body } = await alice.post(path(), { label: 'wip', is_outline: true, color: 'fiesta-red' });
    const address = `${path()}/${body.id}`;
    const changed = await alice.patch(address, { label: 'WIP' });
    expect(changed.body).toEqual({ id: body.id, label: 'WIP', is_outline: true, color: 'fiesta-red' });
    expect((await alice.patch(address, { label: 'BUG' })).status).toBe(400);
    expect((await alice.delete(address)).status).toBe(200);
    expect((await alice.delete(address)).status).toBe(404);
    expect((await alice.patch(address, { label: 'back' })).status).toBe(404);
  });

  test.each([
    { label: 'Bug' },
    { label: '' },
    { label: 'x'.repeat(256) },
    { label: 'new', color: 'pink' },
    {},
  ])('%j is 400', async (label) => {
    expect((await alice.post(path(), label)).status).toBe(400);
  });

  test('are changed by project administrators only, each in its own project', async () => {
    const { body } = await alice.post(path(), { label: 'ours' });
    for (const caller of [bob, await atelier.createUser('carol')]) {
      expect((await caller.post(path(), { label: 'theirs' })).status).toBe(403);
      expect((await caller.patch(`${path()}/${body.id}`, { label: 'theirs' })).status).toBe(403);
      expect((await caller.delete(`${path()}/${body.id}`)).status).toBe(403);
    }
    const other = await createProject(alice, 'other-labels');
    expect((await alice.delete(`/projects/${other.id}/labels/${body.id}`)).status).toBe(404);
    expect((await alice.post(`/projects/${other.id}/labels`, { label: 'ours' })).status).toBe(201);
  });
});
