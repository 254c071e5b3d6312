import type { Changeset, TimelineEntry } from '@atelier/contract';
import { Changeset as ChangesetSchema, TimelineEntry as TimelineEntrySchema } from '@atelier/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/storage/index.ts';
import { changedFields } from '../../src/storage/migrations/0045-changed-fields.ts';
import { change, entryOf, readArtifact, Store, submit } from '../fixtures/artifact.ts';
import { createGroup, createProject, databaseOf, setMembers, sizeOf } from '../fixtures/project.ts';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  setFieldPermissions,
  setPermissions,
} from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

const bareComment = { body: '', post_processed_body: '', format: 'text', ugroups: null };
const noComment = { ...bareComment, format: 'html', commonmark: '' };

async function history(caller: Caller, id: number, query = ''): Promise<Changeset[]> {
  const { status, body, text } = await caller.get(`/artifacts/${id}/changesets?limit=50${query}`);
  expect(status, text).toBe(200);
  for (const changeset of body)
    expect(Check(ChangesetSchema, changeset), JSON.stringify(changeset)).toBe(true);
  return body;
}

const idsIn = (changesets: readonly Changeset[]) => changesets.map(({ id }) => id);

describe.each(usuallyOn('SQLite'))('GET /artifacts/{id}/changesets on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let database: Database;
  let alice: Person;
  let bob: Person;
  let project: number;
  let every: EveryField;
  const field = (name: string, members: Readonly<Record<string, unknown>>) => ({
    field_id: every.ids[name],
    ...members,
  });
  const title = (value: string) => field('string', { value });
  /** Its changesets as they are stored. */
  async function rowsOf(id: number) {
    const own = database.sql.selectFrom('changeset').select(['id', 'changes', 'field_ids']);
    return (await database.all(own.where('artifact_id', '=', id).orderBy('id'))) as readonly {
      readonly id: number;
      readonly changes: string;
      readonly field_ids: string | null;
    }[];
  }
  /** What the upgrade does to changesets that are there. */
  async function fillFieldIds(): Promise<void> {
    const updates = changedFields.statements(database.capabilities).filter((one) => one.startsWith('update'));
    expect(updates).toHaveLength(2);
    for (const update of updates) await atelier.sql(update);
  }
  const titlesOf = (changesets: readonly Changeset[]) =>
    changesets.map((changeset) => entryOf(changeset, every.ids['string'])?.value);
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    database = await databaseOf(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'past')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    every = await everyField(alice, project);
  });
  afterAll(async () => {
    await store?.close();
    await database?.close();
    await atelier?.stop();
  });

  test('begins with the creation, which has every value and no comment', async () => {
    const id = await submit(alice, every.tracker.id, [title('It breaks'), field('int', { value: 3 })]);
    const reply = await bob.get(`/artifacts/${id}/changesets`);
    expect(reply.status, reply.text).toBe(200);
    expect(sizeOf(reply)).toBe(1);
    expect(reply.headers.get('x-pagination-limit')).toBe('10');
    expect(reply.headers.get('x-pagination-limit-max')).toBe('50');
    const artifact = await readArtifact(bob, id);
    expect(reply.body).toEqual([
      {
        id: expect.any(Number),
        submitted_by: alice.id,
        submitted_by_details: artifact.submitted_by_user,
        submitted_on: artifact.submitted_on,
        email: null,
        last_comment: bareComment,
        values: artifact.values,
        last_modified_by: artifact.submitted_by_user,
        last_modified_date: artifact.submitted_on,
      },
    ]);
  });

  test('shows the whole state at each changeset, of every type of field', async () => {
    const id = await submit(alice, every.tracker.id, [title('One'), field('text', { value: 'first' })]);
    const states = [await readArtifact(bob, id)];
    const steps = [
      [title('Two'), field('float', { value: 1.5 }), field('date', { value: '2024-03-01' })],
      [field('tbl', { value: { bind_value_objects: [{ label: 'mauve' }] } })],
      [
        field('sb_users', { bind_value_ids: [bob.id] }),
        field('msb_ugroups', { bind_value_ids: [`${project}_3`] }),
      ],
      [
        field('computed', { manual_value: 4 }),
        field('text', { value: { content: '**last**', format: 'commonmark' } }),
      ],
      [field('perm', { value: { granted_groups: [`${project}_3`] } })],
      [field('tbl', { value: { bind_value_objects: [] } }), title('')],
    ];
    for (const [index, step] of steps.entries()) {
      await change(index % 2 === 0 ? bob : alice, id, step);
      states.push(await readArtifact(bob, id));
    }
    const changesets = await history(bob, id);
    expect(changesets.map(({ values }) => values)).toEqual(states.map(({ values }) => values));
    expect(changesets.map(({ submitted_by }) => submitted_by)).toEqual(
      states.map(({ last_update_by }) => last_update_by),
    );
    expect(changesets.map(({ submitted_on }) => submitted_on)).toEqual(
      states.map(({ last_modified_date }) => last_modified_date),
    );
  });

  test('keeps attached files of the past', async () => {
    const [first, second] = [
      await store.addFile(alice.id, 'a.txt'),
      await store.addFile(alice.id, 'b.png', 'image/png'),
    ];
    const id = await submit(alice, every.tracker.id, [title('Files'), field('file', { value: [first] })]);
    await change(alice, id, [field('file', { value: [first, second] })]);
    await change(alice, id, [field('file', { value: [] })]);
    const named = (await history(bob, id)).map((changeset) =>
      entryOf(changeset, every.ids['file']).file_descriptions.map(({ name }: { name: string }) => name),
    );
    expect(named).toEqual([['a.txt'], ['a.txt', 'b.png'], []]);
  });

  test('has the links of that time; what leads to the artifact is of today', async () => {
    const targets = [
      await submit(alice, every.tracker.id, [title('A')]),
      await submit(alice, every.tracker.id, [title('B')]),
    ];
    const [a = 0, b = 0] = targets;
    const id = await submit(alice, every.tracker.id, [title('Links')]);
    await change(alice, id, [field('art_link', { links: [{ id: a, type: '_is_child' }] })]);
    await change(alice, id, [field('art_link', { links: [{ id: a }, { id: b }] })]);
    await change(alice, id, [field('art_link', { links: [] })]);
    await change(alice, b, [field('art_link', { links: [{ id }] })]);
    const links = (await history(bob, id)).map((changeset) => entryOf(changeset, every.ids['art_link']));
    expect(
      links.map((value) => value.links.map(({ id, type }: { id: number; type: string }) => [id, type])),
    ).toEqual([
      [],
      [[a, '_is_child']],
      [
        [a, null],
        [b, null],
      ],
      [],
    ]);
    for (const { reverse_links } of links)
      expect(reverse_links).toEqual([expect.objectContaining({ id: b, type: null })]);
  });

  test('gives each comment in the format it was written in', async () => {
    const id = await submit(alice, every.tracker.id, [title('Talk')]);
    const comment = (body: string, format: string) => change(alice, id, [], { comment: { body, format } });
    await comment('1 < 2', 'text');
    await comment('<b>bold</b><script>x()</script>', 'html');
    await comment('**bold**', 'commonmark');
    await change(alice, id, [title('Talk more')]);
    const comments = (await history(bob, id)).map(({ last_comment }) => last_comment);
    expect(comments).toEqual([
      bareComment,
      { body: '1 < 2', post_processed_body: '1 &lt; 2', format: 'text', ugroups: null },
      {
        body: '<b>bold</b><script>x()</script>',
        post_processed_body: expect.stringMatching(/^(?!.*script).*<b>bold<\/b>/),
        format: 'html',
        ugroups: null,
      },
      {
        body: expect.stringContaining('<strong>bold</strong>'),
        post_processed_body: expect.stringContaining('<strong>bold</strong>'),
        format: 'html',
        commonmark: '**bold**',
        ugroups: null,
      },
      noComment,
    ]);
  });

  describe('of long texts', () => {
    let id: number;
    /** All changesets, and the answers that show them. */
    const answers = async (): Promise<string> => {
      const paths = ['changesets?limit=50', 'changesets?limit=1&order=desc', 'timeline?limit=50'];
      const replies = [];
      for (const path of paths) replies.push(await bob.get(`/artifacts/${id}/${path}`));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      return replies.map(({ text }) => text).join('\n');
    };
    beforeAll(async () => {
      const other = await submit(alice, every.tracker.id, [title('other')]);
      id = await submit(alice, every.tracker.id, [title('long'), field('text', { value: 'first' })]);
      for (const number of [1, 2, 3, 4, 5])
        await change(alice, id, [field('text', { value: `${number} `.repeat(3000) })]);
      await change(alice, id, [field('int', { value: 7 }), field('art_link', { links: [{ id: other }] })]);
      await change(alice, id, [field('art_link', { links: [] })]);
    });

    test('are the same where it is not known beside the changes which fields they are of', async () => {
      const known = await answers();
      await store.force((tx) =>
        tx.run(tx.sql.updateTable('changeset').set({ field_ids: null }).where('artifact_id', '=', id)),
      );
      expect(await answers()).toBe(known);
      await fillFieldIds();
      await store.force(async () => {});
      expect(await answers()).toBe(known);
    });

    test('are shown without reading those that are not shown', async () => {
      const last = await bob.get(`/artifacts/${id}/changesets?limit=1&order=desc`);
      const all = await rowsOf(id);
      expect(all).toHaveLength(8);
      const unneeded = all.slice(1, 4);
      const write = (changesOf: (row: { changes: string }) => string) =>
        store.force(async (tx) => {
          const update = tx.sql.updateTable('changeset');
          for (const row of unneeded)
            await tx.run(update.set({ changes: changesOf(row) }).where('id', '=', row.id));
        });
      await write(() => 'unreadable');
      const again = await bob.get(`/artifacts/${id}/changesets?limit=1&order=desc`);
      await write(({ changes }) => changes);
      expect([again.status, sizeOf(again), again.text]).toEqual([200, 8, last.text]);
      expect(entryOf(again.body[0], every.ids['text'])?.value).toContain('5 5 5');
    });
  });

  test('knows the fields of changesets that an earlier version wrote, whatever stands in them', async () => {
    const id = await submit(alice, every.tracker.id, [title('old')]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [100_000 + index, 1]));
    const contents = [
      { changes: '{}', field_ids: '' },
      {
        changes: '{"3":"\\u0000 \\\\u0000 \\\\\\u0000","20":1,"100":{"content":"\\ud800"}}',
        field_ids: '3 20 100',
      },
      { changes: JSON.stringify({ 7: '"12": \\ " \n', 9: [[1, '']], 11: null }), field_ids: '7 9 11' },
      { changes: JSON.stringify(many), field_ids: null },
    ];
    await store.force(async (tx) => {
      for (const { changes } of contents) {
        const row = { artifact_id: id, submitted_by: bob.id, submitted_on: 1, changes, comment: null };
        await tx.run(tx.sql.insertInto('changeset').values(row));
      }
    });
    await fillFieldIds();
    const found = (await rowsOf(id)).map(({ changes, field_ids }) => ({ changes, field_ids }));
    expect(found.slice(1)).toEqual(contents);
    expect(found[0]?.field_ids).toBe(Object.keys(JSON.parse(found[0]?.changes ?? '')).join(' '));
  });

  describe('of many changesets', () => {
    let id: number;
    beforeAll(async () => {
      id = await submit(alice, every.tracker.id, [title('v0'), field('text', { value: 'x'.repeat(2000) })]);
      await store.force(async (tx) => {
        for (let index = 1; index < 200; index++) {
          const isComment = index % 10 === 0;
          const comment = {
            content: `c${index}`,
            format: 'text',
            by: bob.id,
            at: index * 1000,
            groups: null,
          };
          const row = {
            artifact_id: id,
            submitted_by: bob.id,
            submitted_on: Date.UTC(2024, 0, 1) + index * 1000,
            changes: isComment ? '{}' : JSON.stringify({ [every.ids['string'] ?? 0]: `v${index}` }),
            comment: isComment ? JSON.stringify(comment) : null,
          };
          await tx.run(tx.sql.insertInto('changeset').values(row));
        }
      });
    });
    const page = (query: string) => bob.get(`/artifacts/${id}/changesets?${query}`);

    test('pages from the oldest to the newest', async () => {
      const titles: string[] = [];
      for (let offset = 0; offset < 200; offset += 50) {
        const reply = await page(`limit=50&offset=${offset}`);
        expect([reply.status, sizeOf(reply), reply.body.length]).toEqual([200, 200, 50]);
        titles.push(...titlesOf(reply.body));
      }
      const expected = Array.from(
        { length: 200 },
        (_, index) => `v${index % 10 === 0 && index > 0 ? index - 1 : index}`,
      );
      expect(titles).toEqual(expected);
      const beyond = await page('offset=200');
      expect([beyond.status, beyond.body, sizeOf(beyond)]).toEqual([200, [], 200]);
    });

    test('has the newest first when that is wanted', async () => {
      const forward = [...(await page('limit=50&offset=150')).body];
      const backward = await page('limit=50&order=desc');
      expect((await page('limit=50&order=DESC')).body).toEqual(backward.body);
      expect(backward.body).toEqual(forward.reverse());
      expect(titlesOf((await page('limit=3&offset=5&order=desc')).body)).toEqual(['v194', 'v193', 'v192']);
    });

    test('can be comments alone, without values', async () => {
      const reply = await page('fields=comments&limit=3');
      expect([reply.body.length, sizeOf(reply)]).toEqual([3, 19]);
      for (const [index, changeset] of reply.body.entries()) {
        expect(changeset).toMatchObject({ values: [], last_comment: { body: `c${index + 1}0` } });
        expect(changeset.last_modified_by.id).toBe(bob.id);
      }
      const newest = await page('fields=comments&limit=1&order=desc');
      expect([newest.body[0].last_comment.body, sizeOf(newest)]).toEqual(['c190', 19]);
    });
  });

  test('leaves out what the caller may not read', async () => {
    const { id: trackerId } = await createTracker(alice, project);
    const open = await addField(alice, trackerId, { type: 'string', name: 'open' });
    const secret = await addField(alice, trackerId, { type: 'string', name: 'secret' });
    await setFieldPermissions(alice, secret.field_id, { can_submit: ['4'], can_update: ['4'] });
    const id = await submit(alice, trackerId, [{ field_id: secret.field_id, value: 's0' }]);
    await change(alice, id, [{ field_id: secret.field_id, value: 's1' }]);
    await change(alice, id, [{ field_id: open.field_id, value: 'o1' }]);
    await change(alice, id, [{ field_id: secret.field_id, value: 's2' }], {
      comment: { body: 'Look', format: 'text' },
    });
    await change(alice, id, [
      { field_id: secret.field_id, value: 's3' },
      { field_id: open.field_id, value: 'o2' },
    ]);
    const all = await history(alice, id);
    expect(all).toHaveLength(5);
    const seen = await history(bob, id);
    expect(idsIn(seen)).toEqual([all[0], all[2], all[3], all[4]].map((changeset) => changeset?.id));
    expect(seen.map((changeset) => entryOf(changeset, open.field_id)?.value)).toEqual(['', 'o1', 'o1', 'o2']);
    expect(JSON.stringify(seen)).not.toMatch(/secret|s[0-3]"/);
    expect(sizeOf(await bob.get(`/artifacts/${id}/changesets?limit=1`))).toBe(4);
    await store.unuse(open.field_id);
    expect(idsIn(await history(bob, id))).toEqual([all[0]?.id, all[3]?.id]);
  });

  test('leaves out changes of links to artifacts that the caller may not see', async () => {
    const hidden = await createTracker(alice, project);
    const name = await addField(alice, hidden.id, { type: 'string', name: 'name' });
    const secret = await submit(alice, hidden.id, [{ field_id: name.field_id, value: 'Secret' }]);
    await setPermissions(alice, hidden.id, { can_access: ['4'] });
    const open = await submit(alice, every.tracker.id, [title('Open')]);
    const links = (...ids: number[]) => [field('art_link', { links: ids.map((id) => ({ id })) })];
    const id = await submit(alice, every.tracker.id, [title('Links')]);
    await change(alice, id, links(secret));
    await change(alice, id, links(secret, open));
    await change(alice, id, links(open));
    await change(alice, id, [...links(secret), title('Linked')]);
    const all = await history(alice, id);
    expect(all).toHaveLength(5);
    const seen = await history(bob, id);
    expect(idsIn(seen)).toEqual([all[0]?.id, all[2]?.id, all[4]?.id]);
    const linked = seen.map((changeset) =>
      entryOf(changeset, every.ids['art_link']).links.map((link: { id: number }) => link.id),
    );
    expect(linked).toEqual([[], [open], []]);
  });

  test('of an artifact that the caller may not see is 403, of one that does not exist 404', async () => {
    const friends = await createGroup(alice, project, 'friends');
    const perm = field('perm', { value: { granted_groups: [friends] } });
    const id = await submit(alice, every.tracker.id, [title('Private'), perm]);
    expect((await bob.get(`/artifacts/${id}/changesets`)).status).toBe(403);
    expect((await atelier.anonymous.get(`/artifacts/${id}/changesets`)).status).toBe(403);
    expect((await alice.get('/artifacts/999999/changesets')).status).toBe(404);
    expect((await alice.get('/artifacts/x/changesets')).status).toBe(400);
    await setMembers(alice, friends, [bob]);
    expect(await history(bob, id)).toHaveLength(1);
  });

  test('is open to anonymous callers, without e-mail addresses', async () => {
    const id = await submit(alice, every.tracker.id, [title('Public')]);
    await change(alice, id, [title('More public')]);
    const { status, text, body } = await atelier.anonymous.get(`/artifacts/${id}/changesets`);
    expect([status, titlesOf(body)]).toEqual([200, ['Public', 'More public']]);
    expect(text).not.toContain('alice@example.com');
  });

  test.each(['limit=0', 'limit=51', 'offset=-1', 'fields=some', 'order=up'])('%s is 400', async (query) => {
    const id = await submit(alice, every.tracker.id, [title('Bounds')]);
    expect((await alice.get(`/artifacts/${id}/changesets?${query}`)).status).toBe(400);
  });

  describe('as a timeline', () => {
    const timeline = async (caller: Caller, id: number, query = '') => {
      const reply = await caller.get(`/artifacts/${id}/timeline?${query}`);
      expect(reply.status, reply.text).toBe(200);
      for (const entry of reply.body)
        expect(Check(TimelineEntrySchema, entry), JSON.stringify(entry)).toBe(true);
      return reply;
    };
    const changesOf = (entry: TimelineEntry) =>
      entry.changes.map(({ label, before, after }) => [label, before.value, after.value]);

    test('GET /artifacts/{id}/timeline tells what happened, the newest first', async () => {
      const other = await submit(alice, every.tracker.id, [title('other')]);
      const id = await submit(alice, every.tracker.id, [title('first'), field('int', { value: 1 })]);
      await change(bob, id, [title('second'), field('art_link', { links: [{ id: other }] })], {
        comment: { body: 'See *here*', format: 'commonmark' },
      });
      await change(alice, id, [field('int', { value: 2 })]);
      const { body: made } = await bob.post(`/artifacts/${id}/comments`, { body: 'Done', format: 'text' });
      await change(alice, other, [], { comment: { body: `because of art #${id}`, format: 'text' } });
      const reply = await timeline(bob, id);
      expect(sizeOf(reply)).toBe(5);
      expect(reply.headers.get('x-pagination-limit')).toBe('30');
      const entries: TimelineEntry[] = reply.body;
      // Changes of one artifact are never told for the same second: the clock of this one runs ahead of the other.
      const reference = entries.find(({ kind }) => kind === 'reference');
      const [done, number, second, first] = entries.filter(({ kind }) => kind !== 'reference');
      expect(reference).toMatchObject({ kind: 'reference', changeset_id: null, reference: { id: other } });
      expect(done).toMatchObject({
        kind: 'comment',
        changeset_id: made.id,
        comment: { body: 'Done' },
        is_edited: false,
        may_edit: true,
        changes: [],
      });
      expect(number).toMatchObject({ kind: 'change', comment: null, may_edit: false });
      expect(number && changesOf(number)).toEqual([['int', 1, 2]]);
      expect(second).toMatchObject({ kind: 'comment', submitted_by: { id: bob.id }, is_creation: false });
      expect(second && changesOf(second)).toEqual([
        ['string', 'first', 'second'],
        ['art_link', [], [{ id: other, type: null, direction: 'forward' }]],
      ]);
      expect(first).toMatchObject({ is_creation: true, submitted_by: { id: alice.id } });
      expect(first && changesOf(first)).toContainEqual(['string', '', 'first']);
      const oldest = await timeline(bob, id, 'order=asc&limit=2&offset=1&kinds=comments,changes');
      expect(oldest.body.map((entry: TimelineEntry) => entry.id)).toEqual([second?.id, number?.id]);
      expect(sizeOf(oldest)).toBe(4);
      expect(sizeOf(await timeline(bob, id, 'kinds=comments'))).toBe(2);
      expect(sizeOf(await timeline(bob, id, 'kinds=references&kinds=commits'))).toBe(1);
      const edited = { body: 'Done!', format: 'text' };
      expect((await bob.put(`/artifacts/${id}/changesets/${made.id}/comment`, edited)).status).toBe(200);
      const { body } = await timeline(alice, id, 'kinds=comments&limit=1');
      expect(body[0]).toMatchObject({ is_edited: true, may_edit: true, comment: { body: 'Done!' } });
      const unknown = await alice.get(`/artifacts/${id}/timeline?kinds=moods`);
      expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('`kinds`')]);
    });

    test('long texts are cut, and GET …/changes has them whole, as they were written', async () => {
      const id = await submit(alice, every.tracker.id, [title('long')]);
      const text = '**word** '.repeat(1000);
      await change(alice, id, [field('text', { value: text, format: 'commonmark' })]);
      const { body } = await timeline(alice, id, 'limit=1');
      const [cut] = body[0].changes;
      expect(cut).toMatchObject({ is_cut: true, after: { format: 'commonmark', is_cut: true } });
      expect(cut.after.value).toBe(text.slice(0, 4000));
      const whole = await alice.get(`/artifacts/${id}/changesets/${body[0].changeset_id}/changes`);
      expect(whole.body).toEqual([
        { ...cut, is_cut: false, after: { value: text, is_cut: false, format: 'commonmark' } },
      ]);
      expect((await alice.get(`/artifacts/${id}/changesets/999999/changes`)).status).toBe(404);
    });

    test('leaves out what the caller may not see', async () => {
      const hidden = await createTracker(alice, project);
      const line = await addField(alice, hidden.id, { type: 'string', name: 'summary' });
      await setPermissions(alice, hidden.id, { can_access: [`${project}_4`] });
      const secret = await submit(alice, hidden.id, [{ field_id: line.field_id, value: 'secret' }]);
      const id = await submit(alice, every.tracker.id, [title('seen')]);
      await change(alice, secret, [{ field_id: line.field_id, value: `about art #${id}` }]);
      await change(alice, id, [field('art_link', { links: [{ id: secret }] })]);
      await change(alice, id, [title('twice'), field('art_link', { links: [] })]);
      expect(sizeOf(await timeline(alice, id))).toBe(4);
      const { body } = await timeline(bob, id);
      expect(body).toHaveLength(2);
      expect(changesOf(body[0])).toEqual([['string', 'seen', 'twice']]);
      const [, , linked] = (await timeline(alice, id, 'kinds=changes')).body.reverse();
      const told = await bob.get(`/artifacts/${id}/changesets/${body[0].changeset_id}/changes`);
      expect(told.body).toHaveLength(1);
      expect(linked).toBeDefined();
      const changeset = (await timeline(alice, id, 'order=asc&kinds=changes')).body[1].changeset_id;
      expect((await bob.get(`/artifacts/${id}/changesets/${changeset}/changes`)).status).toBe(404);
      expect((await bob.get(`/artifacts/${secret}/timeline`)).status).toBe(403);
      expect((await bob.get('/artifacts/999999/timeline')).status).toBe(404);
    });
  });

  test('announces its methods, and answers in XML too', async () => {
    const id = await submit(alice, every.tracker.id, [title('XML & more')]);
    const path = `/artifacts/${id}/changesets`;
    const options = await atelier.anonymous.options(path);
    expect([options.status, options.headers.get('allow')]).toEqual([200, 'OPTIONS, GET']);
    expect((await alice.get(path)).headers.get('allow')).toBe('OPTIONS, GET');
    expect((await alice.post(path, {})).status).toBe(405);
    const xml = await alice.get(path, { headers: { Accept: 'application/xml' } });
    expect(xml.text).toContain('<value>XML &amp; more</value>');
  });
});
