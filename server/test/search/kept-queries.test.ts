import { KeptQuery } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, sizeOf } from '../fixtures/project.ts';
import { type Atelier, type Caller, engines, type Person, startAtelier } from '../harness/atelier.ts';

describe.each(engines)('17.11 queries that are kept, as one list on %s', (engine) => {
  let atelier: Atelier;
  let [alice, bob]: Person[] = [];
  let harbour: { readonly id: number };
  const text = 'SELECT @title FROM @project = MY_PROJECTS() WHERE @id >= 1';
  const keep = async (caller: Caller, title: string, of: object) => {
    const widget = await caller.post('/crosstracker_widget', { ...of, title: 'Queries' });
    const body = { widget_id: widget.body.id, title, tql_query: text };
    const reply = await caller.post('/crosstracker_query', body);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.id;
  };
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    [alice, bob] = [await atelier.createUser('alice'), await atelier.createUser('bob')];
    harbour = await createProject(atelier.admin, 'harbour');
    await keep(alice ?? atelier.admin, 'Été on the pier', {});
    await keep(atelier.admin, 'Ships of the pier', { project_id: harbour.id });
  });
  afterAll(() => atelier?.stop());

  const titles = async (caller: Caller | undefined, query = '') => {
    const { body } = (await caller?.get(`/crosstracker_query${query}`)) ?? {};
    return body.map(({ title }: { title: string }) => title);
  };

  test('one’s own come first, then those of projects, each with where it is kept', async () => {
    const reply = await atelier.admin.get('/crosstracker_query');
    expect(reply.status, reply.text).toBe(200);
    expect(Check(KeptQuery, reply.body[0])).toBe(true);
    expect(reply.body).toMatchObject([
      { title: 'Ships of the pier', project: { id: harbour.id, shortname: 'harbour' }, may_change: true },
    ]);
    expect(reply.body[0].html_url).toBe(`/query?saved=${reply.body[0].id}`);
    expect(sizeOf(reply)).toBe(1);
    const own = await alice?.get('/crosstracker_query');
    expect(own?.body[0]).toMatchObject({ title: 'Été on the pier', project: null, may_change: true });
  });

  test('they are found by words of their titles, whatever the case and the accents', async () => {
    expect(await titles(alice, '?words=ETE%20pier')).toEqual(['Été on the pier']);
    expect(await titles(alice, '?words=anchor')).toEqual([]);
    expect(await titles(atelier.admin, `?project_id=${harbour.id}`)).toEqual(['Ships of the pier']);
  });

  test('nobody finds those of another person, nor those of a project that they may not see', async () => {
    expect(await titles(bob)).not.toContain('Été on the pier');
    const made = await atelier.admin.patch(`/projects/${harbour.id}/settings`, {
      settings: { access: 'private' },
    });
    expect(made.status, made.text).toBe(200);
    expect(await titles(bob)).toEqual([]);
    expect((await bob?.get(`/crosstracker_query?project_id=${harbour.id}`))?.status).toBeGreaterThanOrEqual(
      403,
    );
    expect(await titles(atelier.admin)).toEqual(['Ships of the pier']);
  });
});
