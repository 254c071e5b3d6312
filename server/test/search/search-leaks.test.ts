import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/storage/index.ts';
import { change, submit } from '../fixtures/artifact.ts';
import { until } from '../fixtures/notify.ts';
import { createProject, databaseOf, idsOf, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setPermissions } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

/** What somebody may not read, they do not find by either. */
describe.each(usuallyOn('PostgreSQL'))('what a search does not give away on %s', (engine) => {
  let atelier: Atelier;
  let database: Database;
  let owner: Person;
  let member: Person;
  let project: number;
  let tracker: number;
  const fields: Record<string, number> = {};

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    database = await databaseOf(atelier);
    owner = await atelier.createUser('owner');
    member = await atelier.createUser('member');
    project = (await createProject(owner, 'leaks')).id;
    await setMembers(owner, `${project}_3`, [owner, member]);
    tracker = (await createTracker(owner, project)).id;
    for (const type of ['string', 'text', 'art_link', 'cross'])
      fields[type] = (await addField(owner, tracker, { type, name: type })).field_id;
  });
  afterAll(async () => {
    await database?.close();
    await atelier?.stop();
  });

  /** Waits until the index has taken in what changed. */
  const folded = () =>
    until(async () => {
      database.renew();
      const pending = await database.all(database.sql.selectFrom('search_pending').select('artifact_id'));
      return pending.length === 0;
    });
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

  test('links to and from what the viewer may not see, by whatever form of condition', async () => {
    const { id: tracker } = await createTracker(owner, project, { item_name: 'plain' });
    const { id: secret } = await createTracker(owner, project, { item_name: 'secret' });
    const { id: closed } = await createTracker(owner, project, { item_name: 'closed' });
    const form = async (id: number) => ({
      title: (await addField(owner, id, { type: 'string', name: 'title' })).field_id,
      links: (await addField(owner, id, { type: 'art_link', name: 'links' })).field_id,
      perm: (await addField(owner, id, { type: 'perm', name: 'perm' })).field_id,
    });
    const [own, hidden, part] = [await form(tracker), await form(secret), await form(closed)];
    const named = (value: string) => [{ field_id: own.title, value }];
    const [toSecret, toClosed, toOpen, fromSecret, fromClosed, fromUnread, none] = [
      await submit(owner, tracker, named('to secret')),
      await submit(owner, tracker, named('to closed')),
      await submit(owner, tracker, named('to open')),
      await submit(owner, tracker, named('from secret')),
      await submit(owner, tracker, named('from closed')),
      await submit(owner, tracker, named('from unread')),
      await submit(owner, tracker, named('none')),
    ];
    const link = (id: number, { links }: typeof own, to: number) =>
      change(owner, id, [{ field_id: links, links: [{ id: to, type: '_is_child' }] }]);
    const make = (id: number, { title }: typeof own) =>
      submit(owner, id, [{ field_id: title, value: 'far' }]);
    const inSecret = await make(secret, hidden);
    const [inClosed, inOpen] = [await make(closed, part), await make(closed, part)];
    await link(toSecret, own, inSecret);
    await link(toClosed, own, inClosed);
    await link(toOpen, own, inOpen);
    await link(inSecret, hidden, fromSecret);
    await link(inClosed, part, fromClosed);
    const unread = await createTracker(owner, project, { item_name: 'unread' });
    const there = await form(unread.id);
    await link(await make(unread.id, there), there, fromUnread);
    const found = async (caller: Caller, condition: string) =>
      idsOf(await caller.get(`/trackers/${tracker}/artifacts?expert_query=${encodeURIComponent(condition)}`));
    const across = async (caller: Caller, condition: string) => {
      const tql_query = `SELECT @id FROM @project.name = 'leaks' AND @tracker.name = 'plain' WHERE ${condition} ORDER BY @id ASC`;
      const query = encodeURIComponent(JSON.stringify({ tql_query }));
      const { body } = await caller.get(`/crosstracker_query/content?query=${query}`);
      return body.artifacts.map((row: Record<string, { value: number }>) => row['@id']?.value);
    };
    const everyForm: readonly (readonly [string, readonly number[], readonly number[]])[] = [
      ['with children', [toSecret, toClosed, toOpen], [toOpen]],
      ['with parent', [fromSecret, fromClosed, fromUnread], []],
      ['is linked to', [toSecret, toClosed, toOpen], [toOpen]],
      ['is linked from', [fromSecret, fromClosed, fromUnread], []],
      ['is linked to with type "_is_child"', [toSecret, toClosed, toOpen], [toOpen]],
      [`with parent artifact = ${inSecret}`, [fromSecret], []],
      [`with children artifact = ${inClosed}`, [toClosed], []],
      [`with children artifact = ${inOpen}`, [toOpen], [toOpen]],
      ['with children tracker = "secret"', [toSecret], []],
      ['with children tracker = "closed"', [toClosed, toOpen], [toOpen]],
      ['with children tracker != "plain"', [toSecret, toClosed, toOpen], [toOpen]],
      ['with parent tracker != "plain"', [fromSecret, fromClosed, fromUnread], []],
      ['with parent tracker = "secret"', [fromSecret], []],
    ];
    const every = [toSecret, toClosed, toOpen, fromSecret, fromClosed, fromUnread, none];
    const opposite = (condition: string) =>
      condition.replace('with ', 'without ').replace('is linked', 'is not linked');
    const check = async (caller: Caller, at: 1 | 2) => {
      for (const form of everyForm) {
        const [condition, ids] = [form[0], form[at]];
        expect(await found(caller, condition), condition).toEqual(ids);
        expect(await across(caller, condition), condition).toEqual(ids);
        if (condition.includes('!=') || condition.includes('type')) continue;
        const rest = every.filter((id) => !ids.includes(id));
        expect(await found(caller, opposite(condition)), opposite(condition)).toEqual(rest);
        expect(await across(caller, opposite(condition)), opposite(condition)).toEqual(rest);
      }
    };
    await check(owner, 1);
    await check(member, 1);
    await setPermissions(owner, secret, { can_access: [`${project}_4`] });
    await change(owner, inClosed, [{ field_id: part.perm, value: { granted_groups: [`${project}_4`] } }]);
    await setFieldPermissions(owner, there.links, { can_update: [`${project}_4`] });
    await check(owner, 1);
    await check(member, 2);
    await folded();
    await check(owner, 1);
    await check(member, 2);
    await change(owner, inClosed, [{ field_id: part.perm, value: { granted_groups: [`${project}_3`] } }]);
    expect(await found(member, 'with children')).toEqual([toClosed, toOpen]);
    await folded();
    expect(await found(member, 'with children')).toEqual([toClosed, toOpen]);
    await owner.patch(`/artifacts/${inOpen}`, { move: { tracker_id: secret } });
    expect(await found(member, 'with children')).toEqual([toClosed]);
    await setPermissions(owner, closed, { can_access_submitted_by_user: [`${project}_3`] });
    expect([await found(member, 'with children'), await found(owner, 'with children')]).toEqual([
      [],
      [toSecret, toClosed, toOpen],
    ]);
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
