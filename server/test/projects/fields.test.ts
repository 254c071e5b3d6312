import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, sizeOf } from '../fixtures/project.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

describe.each(engines)('project fields on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let costCentre: number;
  let purpose: number;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    await createProject(alice, 'early');
    const { admin } = atelier;
    purpose = (await admin.post('/project_fields', { name: 'Purpose', type: 'text', rank: 5 })).body.id;
    const field = { name: 'Cost centre', description: 'Accounting', rank: 2 };
    costCentre = (await admin.post('/project_fields', { project_field: field })).body.id;
  });
  afterAll(() => atelier.stop());

  test('GET /project_fields lists them by rank; total_size counts the elements of the answer', async () => {
    const reply = await alice.get('/project_fields');
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        project_fields_representation: [
          {
            id: costCentre,
            name: 'Cost centre',
            rank: 2,
            is_required: false,
            description: 'Accounting',
            type: 'line',
          },
          { id: purpose, name: 'Purpose', rank: 5, is_required: false, description: '', type: 'text' },
        ],
        total_size: 2,
      },
    ]);
    const first = await alice.get('/project_fields?limit=1');
    expect([first.body.total_size, sizeOf(first)]).toEqual([1, 2]);
    expect((await alice.get('/project_fields?limit=101')).status).toBe(400);
    expect((await alice.get('/project_fields?limit=100')).status).toBe(200);
    expect((await atelier.anonymous.get('/project_fields')).status).toBe(401);
  });

  test('every project shows every field, empty when not filled', async () => {
    const fields = [{ field_id: costCentre, value: 'A "7"' }];
    const { id } = await createProject(alice, 'filled', { fields });
    const { body } = await alice.get(`/projects/${id}`);
    expect(body.additional_fields).toEqual([
      { name: 'Cost centre', value: 'A "7"' },
      { name: 'Purpose', value: '' },
    ]);
    const early = await alice.get(`/projects?limit=1`);
    expect(early.body[0].additional_fields.map(({ value }: { value: string }) => value)).toEqual(['', '']);
  });

  test('a required field must be filled at creation', async () => {
    await atelier.admin.patch(`/project_fields/${purpose}`, { is_required: true });
    const project = { shortname: 'needy', label: 'Needy', is_public: true, xml_template_name: 'empty' };
    for (const fields of [undefined, [], [{ field_id: purpose, value: '  ' }]]) {
      const { status, body } = await alice.post('/projects', { ...project, fields });
      expect(status).toBe(400);
      expect(body.error.message).toContain('Purpose');
    }
    const fields = [{ field_id: purpose, value: 'To learn' }];
    expect((await alice.post('/projects', { ...project, fields })).status).toBe(201);
    await atelier.admin.patch(`/project_fields/${purpose}`, { is_required: false });
  });

  test('values are changed with the settings of the project', async () => {
    const { id } = await createProject(alice, 'edited', { fields: [{ field_id: purpose, value: 'Old' }] });
    const fields = [{ field_id: purpose, value: 'New' }];
    const { body } = await alice.patch(`/projects/${id}/settings`, { fields });
    expect(body.fields).toEqual([
      { field_id: costCentre, value: '' },
      { field_id: purpose, value: 'New' },
    ]);
  });

  test('changes of a field are seen with the next request, and its deletion too', async () => {
    const { body: field } = await atelier.admin.post('/project_fields', { name: 'Passing' });
    const { id } = await createProject(alice, 'passing', { fields: [{ field_id: field.id, value: 'Here' }] });
    const names = async () =>
      (await alice.get(`/projects/${id}`)).body.additional_fields.map(({ name }: { name: string }) => name);
    expect(await names()).toContain('Passing');
    const renamed = await atelier.admin.patch(`/project_fields/${field.id}`, { name: 'Renamed', rank: 0 });
    expect(renamed.body).toMatchObject({ id: field.id, name: 'Renamed', rank: 0 });
    expect((await names())[0]).toBe('Renamed');
    expect((await atelier.admin.delete(`/project_fields/${field.id}`)).status).toBe(200);
    expect(await names()).not.toContain('Renamed');
    expect((await atelier.admin.delete(`/project_fields/${field.id}`)).status).toBe(404);
    expect((await atelier.admin.patch(`/project_fields/${field.id}`, { rank: 1 })).status).toBe(404);
  });

  test('are administered by site administrators', async () => {
    expect((await alice.post('/project_fields', { name: 'Mine' })).status).toBe(403);
    expect((await alice.patch(`/project_fields/${purpose}`, { name: 'Mine' })).status).toBe(403);
    expect((await alice.delete(`/project_fields/${purpose}`)).status).toBe(403);
    for (const wrong of [
      {},
      { name: 'purpose' },
      { name: 'x'.repeat(256) },
      { name: 'Fine', type: 'number' },
    ]) {
      expect((await atelier.admin.post('/project_fields', wrong)).status).toBe(400);
    }
  });
});
