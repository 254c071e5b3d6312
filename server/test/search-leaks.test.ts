import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, submit } from './artifact-fixtures.ts';
import { type Atelier, type Caller, engines, type Person, startAtelier } from './harness/atelier.ts';
import { createProject, idsOf, setMembers } from './project-fixtures.ts';
import { addField, createTracker, setFieldPermissions, setPermissions } from './tracker-fixtures.ts';

/** What somebody may not read, they do not find by either. */
describe.each(engines)('what a search does not give away on %s', (engine) => {
  let atelier: Atelier;
  let owner: Person;
  let member: Person;
  let project: number;
  let tracker: number;
  const fields: Record<string, number> = {};

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    owner = await atelier.createUser('owner');
    member = await atelier.createUser('member');
    project = (await createProject(owner, 'leaks')).id;
    await setMembers(owner, `${project}_3`, [owner, member]);
    tracker = (await createTracker(owner, project)).id;
    for (const type of ['string', 'text', 'art_link', 'cross'])
      fields[type] = (await addField(owner, tracker, { type, name: type })).field_id;
  });
  afterAll(() => atelier.stop());

  const make = (title: string) => submit(owner, tracker, [{ field_id: fields['string'], value: title }]);
  const find = async (caller: Caller, search: string) =>
    idsOf(await caller.get(`/trackers/${tracker}/artifacts?${search}`));
  const byCriteria = (caller: Caller, criteria: object) =>
    find(caller, `query=${encodeURIComponent(JSON.stringify(criteria))}`);
  const byReference = (caller: Caller, id: number) => byCriteria(caller, { cross: id });
  const byQuery = (caller: Caller, text: string) => find(caller, `expert_query=${encodeURIComponent(text)}`);

  test('references to and from what the viewer may not see', async () => {
    const { id: secret } = await createTracker(owner, project);
    const title = (await addField(owner, secret, { type: 'string', name: 'title' })).field_id;
    const hidden = await submit(owner, secret, [{ field_id: title, value: 'hidden' }]);
    await setPermissions(owner, secret, { can_access: [`${project}_4`] });
    const id = await make('names it');
    await change(owner, id, [{ field_id: fields['text'], value: `see art #${hidden}` }]);
    await change(owner, id, [{ field_id: fields['art_link'], links: [{ id: hidden }] }]);
    expect(await byReference(owner, hidden)).toEqual([id]);
    expect(await byReference(member, hidden)).toEqual([]);
    expect(await byQuery(owner, `is linked to artifact = ${hidden}`)).toEqual([id]);
    expect(await byQuery(member, `is linked to artifact = ${hidden}`)).toEqual([]);
    for (const ids of [hidden, `${hidden - 1}-${hidden + 1}`, `>= ${hidden}`, `/^${hidden}$/`]) {
      expect(await byCriteria(owner, { art_link: ids }), String(ids)).toEqual([id]);
      expect(await byCriteria(member, { art_link: ids }), String(ids)).toEqual([]);
    }
    const beside = await make('seen');
    await change(owner, id, [{ field_id: fields['art_link'], links: [{ id: hidden }, { id: beside }] }]);
    expect(await byCriteria(member, { art_link: `${hidden}-${beside}` })).toEqual([id]);
    expect(await byCriteria(member, { art_link: `/^${beside}$/` })).toEqual([id]);
  });

  test('references in private comments', async () => {
    await owner.patch(`/trackers/${tracker}/settings`, { has_private_comments: true });
    const [id, other] = [await make('commented'), await make('named')];
    const comment = { body: `art #${other}`, format: 'text', ugroups: [`${project}_4`] };
    const made = await owner.post(`/artifacts/${id}/comments`, comment);
    expect([await byReference(owner, other), made.status]).toEqual([[id], 201]);
    expect(await byReference(member, other)).toEqual([]);
    expect(await byReference(member, id)).toEqual([]);
  });

  test('private comments, by any form of a query', async () => {
    await owner.patch(`/trackers/${tracker}/settings`, { has_private_comments: true });
    const id = await make('whispered');
    const comment = { body: 'A hush-hush word', format: 'text', ugroups: [`${project}_4`] };
    expect((await owner.post(`/artifacts/${id}/comments`, comment)).status).toBe(201);
    const isFound = async (caller: Caller, condition: string) =>
      (await byQuery(caller, `@comments ${condition} and string = "whispered"`)).includes(id);
    for (const [condition, isTrue] of [
      ['= "hush-hush"', true],
      ['!= "hush-hush"', false],
      ['!= ""', true],
      ['= ""', false],
    ] as const) {
      const found = [await isFound(owner, condition), await isFound(member, condition)];
      expect([condition, ...found]).toEqual([condition, isTrue, !isTrue]);
    }
  });

  test('references and links in fields that the viewer may not read', async () => {
    const [id, other] = [await make('written'), await make('named')];
    await change(owner, id, [{ field_id: fields['text'], value: `art #${other}` }]);
    const [from, to] = [await make('links'), await make('linked')];
    await change(owner, from, [{ field_id: fields['art_link'], links: [{ id: to }] }]);
    expect(await byReference(member, other)).toEqual([id]);
    expect(await byReference(member, to)).toEqual([from]);
    for (const type of ['text', 'art_link'])
      await setFieldPermissions(owner, fields[type] ?? 0, { can_read: [`${project}_4`] });
    for (const [caller, expected] of [
      [owner, [[id], [other], [from], [to]]],
      [member, [[], [], [], []]],
    ] as const) {
      const found = [other, id, to, from].map((end) => byReference(caller, end));
      expect(await Promise.all(found)).toEqual(expected);
    }
    expect(await byQuery(member, `is linked to artifact = ${to}`)).toEqual([]);
    expect(await byQuery(member, `is linked from artifact = ${from}`)).toEqual([]);
    expect(await byQuery(owner, `is linked from artifact = ${from}`)).toEqual([to]);
  });
});
