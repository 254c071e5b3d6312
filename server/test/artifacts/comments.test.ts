import type { Changeset } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  change,
  entryOf,
  messageOf,
  readArtifact,
  refused,
  Store,
  submit,
  versionIn,
} from '../fixtures/artifact.ts';
import { createGroup, createProject, setMembers, sizeOf } from '../fixtures/project.ts';
import { addField, createTracker, setFieldPermissions, setPermissions } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

const hidden = { body: '', post_processed_body: '', format: 'text', ugroups: null };

const engines = oneEngine('PostgreSQL', 'who reads a comment, and how, is decided in code');

describe.each(engines)('comments on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  /** Administers the project. */
  let alice: Person;
  /** A member. */
  let bob: Person;
  /** A member of a group that may read some of the comments. */
  let carol: Person;
  /** Nobody in particular. */
  let dave: Person;
  let project: number;
  let friends: string;
  let tracker: number;
  let title: number;
  let cross: number;
  let id: number;
  const comments = () => `/artifacts/${id}/comments`;
  const text = (body: string, more: object = {}) => ({ body, format: 'text', ...more });
  const addressOf = (changeset: number) => `/artifacts/${id}/changesets/${changeset}/comment`;
  const versionsOf = (changeset: number) => `/artifacts/${id}/changesets/${changeset}/comment_versions`;
  async function say(caller: Caller, body: string, more: object = {}): Promise<Changeset> {
    const reply = await caller.post(comments(), text(body, more));
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  }
  async function edit(
    caller: Caller,
    changeset: number,
    body: string,
    more: object = {},
  ): Promise<Changeset> {
    const reply = await caller.put(addressOf(changeset), text(body, more));
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  }
  async function history(caller: Caller, query = ''): Promise<Changeset[]> {
    const reply = await caller.get(`/artifacts/${id}/changesets?limit=50${query}`);
    expect(reply.status, reply.text).toBe(200);
    expect(sizeOf(reply)).toBe(reply.body.length);
    return reply.body;
  }
  const seenBy = async (caller: Caller, changeset: number) =>
    (await history(caller)).find((candidate) => candidate.id === changeset);
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    carol = await atelier.createUser('carol');
    dave = await atelier.createUser('dave');
    project = (await createProject(alice, 'talk')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    friends = await createGroup(alice, project, 'friends');
    await setMembers(alice, friends, [carol]);
    tracker = (await createTracker(alice, project, { item_name: 'bug', has_private_comments: true })).id;
    title = (await addField(alice, tracker, { type: 'string', name: 'title' })).field_id;
    cross = (await addField(alice, tracker, { type: 'cross', name: 'cross' })).field_id;
    id = await submit(alice, tracker, [{ field_id: title, value: 'It breaks' }]);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  test('are added by whoever may see the artifact, as a changeset of their own', async () => {
    const before = await dave.get(`/artifacts/${id}`);
    const made = await say(dave, '  I see it *too*  ', { format: 'commonmark' });
    expect(made).toMatchObject({
      submitted_by: dave.id,
      submitted_by_details: { id: dave.id },
      values: [],
      last_modified_by: { id: dave.id },
      last_comment: { commonmark: 'I see it *too*', format: 'html', ugroups: null },
    });
    expect(made.last_comment.body).toContain('<em>too</em>');
    const [creation, ...others] = await history(bob);
    expect(others.at(-1)).toEqual({ ...made, values: creation?.values });
    const after = await dave.get(`/artifacts/${id}`);
    expect(versionIn(after)).not.toBe(versionIn(before));
    expect(after.body.last_update_by).toBe(dave.id);
  });

  test('need a text, a known format and known groups', async () => {
    const send = (body: object) => () => bob.post(comments(), body);
    await refused(store, send(text('   ')), 400, 'body');
    await refused(store, send({ format: 'text' }), 400, 'body');
    await refused(store, send({ body: 'x' }), 400, 'format');
    await refused(store, send(text('x', { format: 'bbcode' })), 400, 'format');
    await refused(store, send(text('é'.repeat(32_768))), 400, /`body`.*65535 bytes/);
    await refused(store, send(text('x', { ugroups: ['101_99'] })), 400, 'ugroups');
    const meantForFew = { values: [], comment: text('x', { ugroups: ['101_3'] }) };
    const put = () => bob.put(comments().replace('/comments', ''), meantForFew);
    await refused(store, put, 400, 'comment.ugroups');
    expect((await bob.post(comments(), text(`${'é'.repeat(32_767)}x`))).status).toBe(201);
  });

  test('are refused to those who may not see the artifact, and in suspended projects', async () => {
    await refused(store, () => atelier.anonymous.post(comments(), text('x')), 401, 'Unauthorized');
    await refused(store, () => bob.post('/artifacts/999999/comments', text('x')), 404, 'artifact');
    const closed = await createTracker(alice, project);
    const field = await addField(alice, closed.id, { type: 'string', name: 'title' });
    const secret = await submit(alice, closed.id, [{ field_id: field.field_id, value: 'x' }]);
    await setPermissions(alice, closed.id, { can_access: ['4'] });
    await refused(
      store,
      () => bob.post(`/artifacts/${secret}/comments`, text('x')),
      403,
      'see this artifact',
    );
    const { id: changeset } = await say(bob, 'Before the end');
    const change = (status: string) => atelier.admin.patch(`/projects/${project}`, { status });
    await change('suspended');
    await refused(store, () => atelier.admin.post(comments(), text('x')), 403, 'suspended');
    await refused(store, () => atelier.admin.put(addressOf(changeset), text('x')), 403, 'suspended');
    await change('active');
    expect((await alice.options(comments())).headers.get('allow')).toBe('OPTIONS, POST');
  });

  describe('for some groups only', () => {
    let changeset: number;
    beforeAll(async () => {
      changeset = (await say(alice, 'Between us', { ugroups: [friends, `${project}_4`] })).id;
    });
    const labelsOf = (seen: Changeset | undefined) =>
      seen?.last_comment.ugroups?.map((group) => group.short_name);

    test('are read by their members, who see the groups they are in', async () => {
      const seen = await seenBy(carol, changeset);
      expect(seen?.last_comment).toEqual({
        body: 'Between us',
        post_processed_body: 'Between us',
        format: 'text',
        ugroups: [
          {
            id: friends,
            uri: `user_groups/${friends}`,
            label: 'friends',
            users_uri: `user_groups/${friends}/users`,
            short_name: 'friends',
            key: 'friends',
          },
        ],
      });
    });

    test('are read by administrators, who see all groups', async () => {
      for (const caller of [alice, atelier.admin])
        expect(labelsOf(await seenBy(caller, changeset))).toEqual(['friends', 'project_admins']);
      const helper = await createGroup(alice, project, 'helpers');
      await setMembers(alice, helper, [dave]);
      await setPermissions(alice, tracker, { can_access: ['1'], can_admin: [helper] });
      expect(labelsOf(await seenBy(dave, changeset))).toEqual(['friends', 'project_admins']);
      await setPermissions(alice, tracker, { can_access: ['1'] });
    });

    test('do not exist for anybody else', async () => {
      for (const caller of [bob, dave, atelier.anonymous]) {
        expect(await seenBy(caller, changeset)).toBeUndefined();
        const texts = (await history(caller, '&fields=comments')).map(
          ({ last_comment }) => last_comment.body,
        );
        expect(texts).not.toContain('Between us');
      }
      expect(await history(carol)).toHaveLength((await history(bob)).length + 1);
      expect((await history(carol, '&fields=comments')).map((candidate) => candidate.id)).toContain(
        changeset,
      );
    });

    test('leave the changes they came with to everybody', async () => {
      await change(alice, id, [{ field_id: title, value: 'It burns' }], { comment: text('Public at first') });
      const { id: last = 0 } = (await history(alice)).at(-1) ?? {};
      await edit(alice, last, 'Private now', { ugroups: [friends] });
      const seen = await seenBy(bob, last);
      expect(seen).toMatchObject({ last_comment: hidden, last_modified_by: { id: alice.id } });
      expect(seen?.last_modified_date).toBe(seen?.submitted_on);
      expect(entryOf({ values: seen?.values ?? [] }, title).value).toBe('It burns');
      expect((await seenBy(carol, last))?.last_comment.body).toBe('Private now');
      await edit(alice, last, 'Private still');
      expect((await seenBy(bob, last))?.last_comment).toEqual(hidden);
      await edit(alice, last, 'Public again', { ugroups: [] });
      expect((await seenBy(bob, last))?.last_comment).toMatchObject({ body: 'Public again', ugroups: null });
    });

    test('are refused where the tracker has none, and stay what they are when it stops having them', async () => {
      const settings = (has: boolean) =>
        alice.patch(`/trackers/${tracker}/settings`, { has_private_comments: has });
      expect((await settings(false)).status).toBe(200);
      const words = 'no private comments';
      await refused(store, () => alice.post(comments(), text('x', { ugroups: [friends] })), 400, words);
      expect((await alice.post(comments(), text('x', { ugroups: [] }))).status).toBe(201);
      expect(await seenBy(bob, changeset)).toBeUndefined();
      await edit(alice, changeset, 'Between us', { ugroups: [`${project}_4`, friends] });
      await refused(store, () => alice.put(addressOf(changeset), text('x', { ugroups: ['4'] })), 400, words);
      expect((await settings(true)).status).toBe(200);
    });

    test('their author may be among those who do not read them', async () => {
      const made = await say(dave, 'For your eyes', { ugroups: [friends] });
      expect(made.last_comment).toEqual(hidden);
      expect((await dave.put(addressOf(made.id), text('Mine'))).status).toBe(404);
      expect((await dave.get(versionsOf(made.id))).status).toBe(404);
    });
  });

  describe('once edited', () => {
    test('show the new text and who wrote it when; the version of the artifact stays', async () => {
      const made = await say(bob, 'Frist');
      const before = await bob.get(`/artifacts/${id}`);
      const edited = await edit(alice, made.id, '<i>First</i>', { format: 'html' });
      expect(edited).toMatchObject({
        id: made.id,
        submitted_by: bob.id,
        submitted_on: made.submitted_on,
        last_comment: { body: '<i>First</i>', format: 'html' },
        last_modified_by: { id: alice.id },
      });
      expect(Date.parse(edited.last_modified_date)).toBeGreaterThan(Date.parse(made.submitted_on));
      expect((await seenBy(dave, made.id))?.last_comment).toEqual(edited.last_comment);
      const after = await bob.get(`/artifacts/${id}`);
      expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
      expect(after.headers.get('last-modified')).toBe(before.headers.get('last-modified'));
      expect((await edit(bob, made.id, 'First!')).last_modified_by?.id).toBe(bob.id);
    });

    test('keep their older versions for the author and administrators', async () => {
      const { id: changeset } = await say(bob, 'one', { format: 'commonmark' });
      await edit(alice, changeset, 'two');
      await edit(bob, changeset, 'two');
      await edit(bob, changeset, 'three');
      const reply = await bob.get(versionsOf(changeset));
      expect([reply.status, sizeOf(reply)]).toEqual([200, 3]);
      expect(reply.body).toMatchObject([
        { version: 1, commonmark: 'one', format: 'html', submitted_by: bob.id, ugroups: null },
        {
          version: 2,
          body: 'two',
          format: 'text',
          submitted_by: alice.id,
          submitted_by_details: { id: alice.id },
        },
        { version: 3, body: 'three', submitted_by: bob.id },
      ]);
      const page = await alice.get(`${versionsOf(changeset)}?limit=1&offset=1`);
      expect([page.body.length, page.body[0].version, sizeOf(page)]).toEqual([1, 2, 3]);
      expect((await dave.get(versionsOf(changeset))).status).toBe(403);
      expect((await atelier.anonymous.get(versionsOf(changeset))).status).toBe(401);
    });

    test('hide the versions that were for others', async () => {
      const { id: changeset } = await say(carol, 'To friends', { ugroups: [friends] });
      await edit(alice, changeset, 'To administrators', { ugroups: ['4'] });
      await edit(alice, changeset, 'To all', { ugroups: [] });
      const bodies = async (caller: Caller) =>
        (await caller.get(versionsOf(changeset))).body.map(({ body }: { body: string }) => body);
      expect(await bodies(alice)).toEqual(['To friends', 'To administrators', 'To all']);
      expect(await bodies(carol)).toEqual(['To friends', 'To all']);
    });

    test('are deleted when nothing is left of them', async () => {
      const { id: changeset } = await say(bob, 'Never mind');
      const emptied = await edit(bob, changeset, '   ');
      expect(emptied.last_comment).toEqual(hidden);
      expect(await seenBy(alice, changeset)).toBeUndefined();
      await change(bob, id, [{ field_id: title, value: 'Deleted' }], { comment: text('Oops') });
      const { id: last = 0 } = (await history(alice)).at(-1) ?? {};
      await edit(bob, last, '');
      expect((await seenBy(alice, last))?.last_comment.body).toBe('');
      expect((await history(alice, '&fields=comments')).map((candidate) => candidate.id)).not.toContain(last);
      await edit(bob, last, 'Not oops');
      expect((await seenBy(alice, last))?.last_comment.body).toBe('Not oops');
    });

    test('refer to what the new text names', async () => {
      const make = (value: string) => submit(alice, tracker, [{ field_id: title, value }]);
      const [first, second] = [await make('First'), await make('Second')];
      const incoming = async (target: number) =>
        entryOf(await readArtifact(bob, target), cross).value.map(
          (reference: { ref: string }) => reference.ref,
        );
      const { id: changeset } = await say(bob, `See bug #${first}`);
      expect([await incoming(first), await incoming(second)]).toEqual([[`bug #${id}`], []]);
      const edited = await edit(bob, changeset, `See bug #${second}`);
      expect(edited.last_comment.post_processed_body).toContain(`/goto?key=bug&amp;val=${second}`);
      expect([await incoming(first), await incoming(second)]).toEqual([[], [`bug #${id}`]]);
      await edit(bob, changeset, '');
      expect(await incoming(second)).toEqual([]);
    });

    test('refer to it only for those who may read them, with an Etag that follows', async () => {
      const source = await submit(alice, tracker, [{ field_id: title, value: 'Source' }]);
      const target = await submit(alice, tracker, [{ field_id: title, value: 'Target' }]);
      const ends = [source, target];
      const seen = async (caller: Caller) => {
        const found = [];
        for (const end of ends) found.push(entryOf(await readArtifact(caller as Person, end), cross).value);
        return found.map((references) => references.map(({ direction }: { direction: string }) => direction));
      };
      const [both, neither] = [
        [['out'], ['in']],
        [[], []],
      ];
      const body = `See bug #${target}`;
      const said = await bob.post(`/artifacts/${source}/comments`, text(body, { ugroups: [friends] }));
      expect(said.status, said.text).toBe(201);
      for (const caller of [alice, carol]) expect(await seen(caller)).toEqual(both);
      for (const caller of [bob, dave, atelier.anonymous]) expect(await seen(caller)).toEqual(neither);
      const address = `/artifacts/${source}/changesets/${said.body.id}/comment`;
      const list = `/artifacts?query=${encodeURIComponent(JSON.stringify({ id: ends }))}`;
      expect((await dave.get(list)).text).not.toContain('/goto?');
      expect((await carol.get(list)).text).toContain('/goto?');
      for (const [ugroups, expected] of [
        [[], both],
        [[friends], neither],
      ] as const) {
        const tags = new Map<number, string>();
        for (const end of ends)
          tags.set(end, (await dave.get(`/artifacts/${end}`)).headers.get('etag') ?? '');
        expect((await alice.put(address, text(body, { ugroups }))).status).toBe(200);
        for (const [end, tag] of tags) {
          const again = await dave.get(`/artifacts/${end}`, { headers: { 'If-None-Match': tag } });
          expect(again.status).toBe(200);
        }
        expect(await seen(dave)).toEqual(expected);
      }
    });

    test('by nobody but the author and administrators', async () => {
      const { id: changeset } = await say(bob, 'Mine');
      for (const caller of [carol, dave])
        await refused(store, () => caller.put(addressOf(changeset), text('Yours')), 403, 'author');
      await refused(store, () => atelier.anonymous.put(addressOf(changeset), text('x')), 401, 'Unauthorized');
    });

    test('only where there is a comment', async () => {
      const [creation] = await history(bob);
      await refused(store, () => alice.put(addressOf(creation?.id ?? 0), text('x')), 404, 'no comment');
      await refused(store, () => alice.put(addressOf(999_999), text('x')), 404, 'changeset');
      const other = await submit(alice, tracker, [{ field_id: title, value: 'Other' }]);
      const { id: changeset } = await say(bob, 'Here');
      const elsewhere = `/artifacts/${other}/changesets/${changeset}/comment`;
      await refused(store, () => alice.put(elsewhere, text('x')), 404, 'changeset');
      expect(messageOf(await alice.get(`${elsewhere}_versions`))).toMatch('changeset');
      expect((await alice.get(versionsOf(creation?.id ?? 0))).status).toBe(404);
    });

    test('make what was remembered of the artifact old when they refer to something else than before', async () => {
      const { id: changeset } = await say(bob, 'Remembered');
      const counters = async () => {
        const rows = ((await store.traces())['artifact'] ?? []).map((row) => JSON.parse(row));
        const { version, related_version } = rows.find((row) => row.id === id);
        return [version, related_version];
      };
      const other = await submit(alice, tracker, [{ field_id: title, value: 'Referred to' }]);
      const [version, relatedVersion] = await counters();
      await edit(bob, changeset, 'Forgotten');
      expect(await counters()).toEqual([version, relatedVersion]);
      await edit(bob, changeset, `Forgotten, see art #${other}`);
      expect(await counters()).toEqual([version, relatedVersion + 1]);
    });

    test('to the same text nothing is written', async () => {
      const { id: changeset } = await say(bob, 'Same');
      const before = await store.traces();
      await edit(bob, changeset, ' Same ');
      expect(await store.traces()).toEqual(before);
    });
  });

  test('are no field: whoever reads none of them still reads comments', async () => {
    await setFieldPermissions(alice, title, { can_submit: ['4'], can_update: ['4'] });
    const made = await say(bob, 'Blind');
    expect((await seenBy(bob, made.id))?.values).toEqual([expect.objectContaining({ type: 'cross' })]);
  });
});
