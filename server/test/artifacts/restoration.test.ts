import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFirstRow } from '../../src/archive/deleted/rows.ts';
import { asListed, change, entryOf, messageOf, readArtifact, Store } from '../fixtures/artifact.ts';
import { Yard } from '../fixtures/deletion.ts';
import { readInChunks, someBytes, uploadInChunks } from '../fixtures/file.ts';
import { idsOf, query, sizeOf } from '../fixtures/project.ts';
import { type Atelier, type EngineName, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';

test('an archive of an earlier version is read, in which one column had another name', async () => {
  const artifact = { id: 7, tracker_id: 1, version: 2, surroundings: 3 };
  const xml = `<?xml version="1.0"?><a><?atelier-row ${JSON.stringify({ format: 1, artifact, links: [] })}?></a>`;
  const { artifact: row } = await readFirstRow(Readable.from([Buffer.from(xml)]), 7);
  expect(row).toEqual({ id: 7, tracker_id: 1, version: 2, related_version: 3 });
});

const engines = oneEngine(
  'PostgreSQL',
  'what is put back is the same rows as in deletion.test.ts, on both; two at once are harder here',
);

describe.each(engines)('bringing deleted artifacts back on %s', (engine: EngineName) => {
  let atelier: Atelier;
  let yard: Yard;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    await atelier.configure({ artifact_deletion_limit: 1000 });
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    yard = await Yard.create(atelier, 'shop', alice, bob);
  });
  afterAll(() => atelier.stop());

  /** All that anybody can see of an artifact. */
  async function wholeOf(id: number) {
    const { body: history } = await yard.alice.get(`/artifacts/${id}/changesets?limit=50`);
    return { artifact: asListed(await readArtifact(yard.alice, id)), history };
  }

  const foundByStatus = async (label: string) => {
    const criteria = query({ status: { operator: 'contains', value: yard.statuses[label] } });
    return idsOf(await alice.get(`/trackers/${yard.trackerId}/artifacts?query=${criteria}`));
  };

  test('those who can do so see what there is, the last one first', async () => {
    const shelf = await Yard.create(atelier, 'shelf', alice, bob);
    const [first, second] = [await shelf.submit('first'), await shelf.submit('second')];
    await shelf.deleted(first);
    await shelf.deleted(second);
    const path = `/deleted_artifacts?query=${query({ tracker_id: shelf.trackerId })}`;
    const list = await alice.get(path);
    expect(list.status, list.text).toBe(200);
    expect(sizeOf(list)).toBe(2);
    expect(list.body).toMatchObject([
      { id: second, title: 'second' },
      {
        id: first,
        uri: `deleted_artifacts/${first}`,
        xref: `${shelf.itemName} #${first}`,
        title: 'first',
        tracker: { id: shelf.trackerId, project: { id: shelf.projectId } },
        deleted_by: { id: alice.id, username: 'alice' },
      },
    ]);
    expect(Date.parse(list.body[0].deleted_on)).toBeGreaterThan(Date.now() - 60_000);
    expect(idsOf(await alice.get(`${path}&limit=1&offset=1`))).toEqual([first]);
    expect(idsOf(await atelier.admin.get(path))).toEqual([second, first]);
    expect((await bob.get('/deleted_artifacts')).body).toEqual([]);
    expect((await atelier.anonymous.get('/deleted_artifacts')).status).toBe(401);
    expect((await alice.get('/deleted_artifacts?limit=51')).status).toBe(400);
    expect((await alice.get(`/deleted_artifacts?query=${query({ tracker_id: 'x' })}`)).status).toBe(400);
    expect((await alice.get('/deleted_artifacts?query=x')).status).toBe(400);
  });

  test('an artifact has its id, history, comments, files and links again, and its deletion stays counted', async () => {
    const { ids, statuses, group } = yard;
    const bytes = someBytes(1_500_000);
    const gone = await uploadInChunks(alice, someBytes(100), { name: 'gone.txt' });
    const file = await uploadInChunks(alice, bytes, { name: 'kept.bin' });
    const other = await yard.submit('other');
    const id = await yard.submit('returns', [
      { field_id: ids['file'], value: [gone, file] },
      { field_id: ids['links'], links: [{ id: other, type: '_is_child' }] },
      { field_id: ids['perm'], value: { granted_groups: [group] } },
      { field_id: ids['status'], bind_value_ids: [statuses['closed']] },
    ]);
    await change(alice, other, [
      { field_id: ids['links'], links: [{ id, type: '' }] },
      { field_id: ids['text'], value: `see art #${id}` },
    ]);
    const comment = { body: `as art #${other} says ?> ]]> <b>& \uffff`, format: 'commonmark' };
    await change(alice, id, [{ field_id: ids['file'], value: [file] }], { comment });
    const described = [{ id: file, description: 'Kept for good' }];
    await change(alice, id, [{ field_id: ids['file'], describe_files: described }]);
    const secret = { body: 'secret', format: 'text', ugroups: [group] };
    expect((await alice.post(`/artifacts/${id}/comments`, secret)).status).toBe(201);
    const edited = `/artifacts/${id}/changesets/${(await wholeOf(id)).history[1].id}`;
    expect((await alice.put(`${edited}/comment`, { body: 'edited', format: 'text' })).status).toBe(200);
    const [before, versions] = [await wholeOf(id), await alice.get(`${edited}/comment_versions`)];
    const neighbour = asListed(await readArtifact(alice, other));
    const counted = await yard.countedOf(alice);
    await yard.deleted(id);
    expect(await foundByStatus('closed')).not.toContain(id);
    expect((await yard.restore(id, bob)).status).toBe(404);
    expect((await yard.restore(999_999)).status).toBe(404);
    expect((await atelier.anonymous.post(`/deleted_artifacts/${id}/restore`)).status).toBe(401);
    await yard.restored(id);

    expect(await wholeOf(id)).toEqual(before);
    expect(versions.body).toHaveLength(2);
    expect((await alice.get(`${edited}/comment_versions`)).body).toEqual(versions.body);
    expect((await readInChunks(alice, file)).equals(bytes)).toBe(true);
    expect((await alice.get(`/artifact_files/${gone}`)).status).toBe(404);
    expect(asListed(await readArtifact(alice, other))).toEqual(neighbour);
    expect((await bob.get(`/artifacts/${id}`)).status).toBe(403);
    expect(await foundByStatus('closed')).toContain(id);
    expect(await yard.countedOf(alice)).toBe(counted + 1);
    expect((await yard.restore(id)).status).toBe(404);
    expect(idsOf(await alice.get('/deleted_artifacts?limit=50'))).not.toContain(id);
    await change(alice, id, [{ field_id: ids['title'], value: 'goes on' }]);
  });

  test('links and references whose other end is gone, or says something else, do not come back', async () => {
    const { ids, itemName } = yard;
    const linked = await yard.submit('linked');
    const id = await yard.submit('leaves', [{ field_id: ids['links'], links: [{ id: linked, type: '' }] }]);
    const named = await yard.submit('names', [{ field_id: ids['text'], value: `${itemName} #${id}` }]);
    await yard.deleted(linked);
    await yard.deleted(id);
    await change(alice, named, [{ field_id: ids['text'], value: 'nothing' }]);
    await yard.restored(id);
    const back = await readArtifact(alice, id);
    expect(entryOf(back, ids['links'])).toMatchObject({ links: [], reverse_links: [] });
    expect(entryOf(back, ids['cross']).value).toEqual([]);
    await yard.restored(linked);
    // Both ends are there again.
    const { reverse_links: links } = entryOf(await readArtifact(alice, linked), ids['links']);
    expect(links).toMatchObject([{ id }]);
  });

  test('what came back can go and come back again', async () => {
    const bytes = someBytes(2000);
    const file = await uploadInChunks(alice, bytes);
    const id = await yard.submit('again', [{ field_id: yard.ids['file'], value: [file] }]);
    const before = await wholeOf(id);
    for (let round = 0; round < 3; round++) {
      await yard.deleted(id);
      expect((await alice.get(`/artifacts/${id}`)).status).toBe(404);
      await yard.restored(id);
      expect(await wholeOf(id)).toEqual(before);
      expect((await readInChunks(alice, file)).equals(bytes)).toBe(true);
    }
    expect(yard.archivesOf(id)).toHaveLength(3);
  });

  test('an artifact whose rank another has now stands where it was made', async () => {
    const { ids } = yard;
    const [first, second, third] = [await yard.submit('1'), await yard.submit('2'), await yard.submit('3')];
    const order = { ids: [third], direction: 'before', compared_to: second };
    expect((await alice.patch('/artifact_ranks', order)).status).toBe(200);
    const rank = entryOf(await readArtifact(alice, third), ids['rank']).value;
    await yard.deleted(third);
    await atelier.sql(`update artifact set rank = ${rank} where id = ${first}`);
    await yard.restored(third);
    expect(entryOf(await readArtifact(alice, third), ids['rank']).value).toBeGreaterThan(rank);
  });

  test('an artifact whose tracker or archive is gone stays deleted', async () => {
    const lost = await Yard.create(atelier, 'lost', alice, bob);
    const id = await lost.submit('waits');
    await lost.deleted(id);
    expect((await atelier.admin.delete(`/trackers/${lost.trackerId}`)).status).toBe(200);
    expect(messageOf(await lost.restore(id))).toMatch(/The tracker of the artifact is deleted/);
    expect((await lost.restore(id, atelier.admin)).status).toBe(409);
    expect((await atelier.admin.post(`/deleted_trackers/${lost.trackerId}/restore`, {})).status).toBe(200);
    await lost.restored(id);
    await lost.deleted(id);
    for (const name of lost.archivesOf(id)) rmSync(join(lost.folder, name));
    expect((await lost.restore(id)).status).toBe(409);
    expect((await alice.get(`/artifacts/${id}`)).status).toBe(404);
  });

  test('an artifact that changes while it is deleted comes back as it was at the end', async () => {
    const id = await yard.submit('busy');
    const { body: made } = await alice.post(`/artifacts/${id}/comments`, { body: 'c', format: 'text' });
    const comment = `/artifacts/${id}/changesets/${made.id}/comment`;
    let last = { title: 'busy', comment: 'c' };
    let isDeleted = false;
    const work = async () => {
      for (let round = 0; !isDeleted; round++) {
        const title = `busy ${round}`;
        const values = [{ field_id: yard.ids['title'], value: title }];
        if ((await alice.put(`/artifacts/${id}`, { values })).status === 200) last = { ...last, title };
        const text = { body: `c ${round}`, format: 'text' };
        if ((await alice.put(comment, text)).status === 200) last = { ...last, comment: text.body };
        await pause(round * 5);
      }
    };
    const working = work();
    const reply = await yard.delete(id);
    isDeleted = true;
    await working;
    expect(reply.status, reply.text).toBe(200);
    await yard.restored(id);
    const { artifact, history } = await wholeOf(id);
    expect({ title: artifact.title, comment: history[1].last_comment.body }).toEqual(last);
  });

  test('two who bring the same artifact back at once leave one artifact', async () => {
    const id = await yard.submit('twice');
    await yard.lengthen(id, 600);
    await yard.deleted(id);
    const replies = await Promise.all([1, 2, 3].map(() => yard.restore(id)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    for (const status of statuses) expect([200, 404, 409]).toContain(status);
    expect(sizeOf(await alice.get(`/artifacts/${id}/changesets`))).toBe(601);
  });

  test('the command line does so too', async () => {
    const id = await yard.submit('by hand');
    await yard.deleted(id);
    const done = await atelier.cli('artifact', 'restore', String(id), '--json');
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout)).toEqual({ id, deleted: false });
    expect((await readArtifact(alice, id)).title).toBe('by hand');
    const again = await atelier.cli('artifact', 'restore', String(id));
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/no such deleted artifact/);
    expect((await atelier.cli('artifact', 'restore', 'x')).code).toBe(2);
  });

  test('a long history goes bit by bit, and comes back whole at any time', async () => {
    const many = 1200;
    const id = await yard.submit('long');
    await yard.lengthen(id, many);
    const store = await Store.of(atelier);
    await yard.deleted(id);
    expect(await store.changesetsOf(id)).toBe(many + 1);
    await yard.restored(id);
    expect(sizeOf(await alice.get(`/artifacts/${id}/changesets`))).toBe(many + 1);
    await yard.deleted(id);
    await atelier.sql('update job set due_at = 0');
    await atelier.restart();
    while ((await store.changesetsOf(id)) > 0) await pause(50);
    await yard.restored(id);
    expect(await store.changesetsOf(id)).toBe(many + 1);
    const { body } = await yard.alice.get(`/artifacts/${id}/changesets?limit=1&order=desc`);
    expect(entryOf(body[0], yard.ids['effort']).value).toBe(many - 1);
    await store.close();
  });
});
