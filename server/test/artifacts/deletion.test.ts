import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openArchive } from '../../src/archive/index.ts';
import { change, entryOf, refused, Store } from '../fixtures/artifact.ts';
import { limitsIn, Yard } from '../fixtures/deletion.ts';
import { someBytes, uploadInChunks } from '../fixtures/file.ts';
import { databaseOf, delegate, idsOf, query, sizeOf } from '../fixtures/project.ts';
import { addField } from '../fixtures/tracker.ts';
import {
  type Atelier,
  type Caller,
  type EngineName,
  type Person,
  startAtelier,
  usuallyOn,
} from '../harness/atelier.ts';

/** The platform permission to administer the trackers of every project. */
const trackerAdministration = 2;

describe.each(usuallyOn('SQLite'))('deleting artifacts on %s', (engine: EngineName) => {
  let atelier: Atelier;
  let store: Store;
  let yard: Yard;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    await atelier.configure({ artifact_deletion_limit: 1000 });
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    yard = await Yard.create(atelier, 'shop', alice, bob);
    store = await Store.of(atelier);
  });
  afterAll(async () => {
    await store.close();
    await atelier.stop();
  });

  /** Somebody who administers all trackers and has not deleted anything yet. */
  async function newAdministrator(name: string): Promise<Person> {
    const person = await atelier.createUser(name);
    await delegate(atelier, person, [trackerAdministration]);
    return person;
  }

  test('only administrators of the tracker may, and nobody without an account', async () => {
    const id = await yard.submit('mine');
    const refusal = (caller: Caller, status: number, target: number | string = id) =>
      refused(store, () => caller.delete(`/artifacts/${target}`), status, '');
    const replies = [
      await refusal(atelier.anonymous, 401),
      await refusal(alice, 404, 999_999),
      await refusal(alice, 400, 'abc'),
      await refusal(bob, 403),
    ];
    for (const reply of replies) expect(limitsIn(reply)).toEqual([null, null]);
    const carol = await newAdministrator('carol');
    expect((await yard.delete(id, carol)).status).toBe(200);
    expect((await yard.delete(id, carol)).status).toBe(404);
  });

  test('nobody deletes in a suspended project', async () => {
    const frozen = await Yard.create(atelier, 'frozen', alice, bob);
    const id = await frozen.submit('ice');
    expect((await atelier.admin.patch(`/projects/${frozen.projectId}`, { status: 'suspended' })).status).toBe(
      200,
    );
    expect((await frozen.delete(id)).status).toBe(403);
    expect((await frozen.delete(id, atelier.admin)).status).toBe(403);
  });

  test('a deleted artifact is gone from everywhere, with its files, links, references and sums', async () => {
    const { ids, statuses, trackerId, projectId, itemName } = yard;
    const file = await uploadInChunks(alice, someBytes(5000));
    const id = await yard.submit('child', [
      { field_id: ids['effort_sum'], manual_value: 5 },
      { field_id: ids['file'], value: [file] },
      { field_id: ids['status'], bind_value_ids: [statuses['open']] },
    ]);
    const parent = await yard.submit('parent', [
      { field_id: ids['links'], links: [{ id, type: '_is_child' }] },
      { field_id: ids['text'], value: `about ${itemName} #${id}` },
    ]);
    await change(alice, id, [{ field_id: ids['links'], links: [{ id: parent, type: '' }] }]);
    const before = await alice.get(`/artifacts/${parent}`);
    const size = sizeOf(await alice.get(`/trackers/${trackerId}/artifacts`));
    const reply = await yard.deleted(id);
    expect(reply.text).toBe('');
    expect(limitsIn(reply)).toEqual(['1000', String(1000 - (await yard.countedOf(alice)))]);

    for (const path of ['', '/changesets', '/links', '/linked_artifacts?direction=forward'])
      expect((await alice.get(`/artifacts/${id}${path}`)).status, path).toBe(404);
    expect((await alice.get(`/artifact_files/${file}`)).status).toBe(404);
    expect((await alice.put(`/artifacts/${id}`, { values: [] })).status).toBe(404);
    expect((await alice.get(`/artifacts?query=${query({ id: [id] })}`)).body.collection).toEqual([]);
    expect(sizeOf(await alice.get(`/trackers/${trackerId}/artifacts`))).toBe(size - 1);
    const criteria = query({ status: { operator: 'contains', value: statuses['open'] } });
    expect(idsOf(await alice.get(`/trackers/${trackerId}/artifacts?query=${criteria}`))).not.toContain(id);

    const after = await alice.get(`/artifacts/${parent}`);
    expect(after.headers.get('last-modified')).toBe(before.headers.get('last-modified'));
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(entryOf(after.body, ids['links'])).toMatchObject({ links: [], reverse_links: [] });
    expect(entryOf(before.body, ids['cross']).value).not.toEqual([]);
    expect(entryOf(after.body, ids['cross']).value).toEqual([]);
    expect(entryOf(before.body, ids['effort_sum']).value).toBe(5);
    expect(entryOf(after.body, ids['effort_sum']).value).toBeNull();
    const link = [{ field_id: ids['links'], links: [{ id, type: '' }] }];
    expect((await alice.put(`/artifacts/${parent}`, { values: link })).status).toBe(400);

    const { body: happened } = await atelier.admin.get(`/projects/${projectId}/history`);
    expect(happened[0]).toMatchObject({ event: 'tracker_artifact_delete', user: { id: alice.id } });
    expect(happened[0].subject).toContain(`artifact ${id} of tracker ${trackerId}`);
    expect((await alice.get(`/projects/${projectId}/history`)).status).toBe(403);
  });

  test('a deleted artifact leaves nothing in the index, also of files in fields that were removed', async () => {
    const { field_id } = await addField(alice, yard.trackerId, { type: 'file', name: 'former' });
    const file = await uploadInChunks(alice, someBytes(10), { name: 'former.txt' });
    const id = await yard.submit('indexed', [{ field_id, value: [file] }]);
    expect((await alice.delete(`/tracker_fields/${field_id}`)).status).toBe(204);
    const database = await databaseOf(atelier);
    const textsOf = () => {
      database.renew();
      const rows = database.sql.selectFrom('artifact_text').select(['field_id', 'text']);
      return database.all(rows.where('artifact_id', '=', id));
    };
    expect(await textsOf()).toContainEqual({ field_id, text: expect.stringContaining('former.txt') });
    await yard.deleted(id);
    expect(await textsOf()).toEqual([]);
    await database.close();
  });

  test('the archive has the tracker, the artifact and its files', async () => {
    const { ids, folder } = yard;
    const bytes = someBytes(3120);
    const file = await uploadInChunks(alice, bytes, { name: 'run log.txt', description: 'console' });
    const part = await yard.submit('part', [{ field_id: ids['effort_sum'], manual_value: 7 }]);
    const id = await yard.submit('archived', [
      { field_id: ids['file'], value: [file] },
      { field_id: ids['status'], bind_value_ids: [yard.statuses['closed']] },
      { field_id: ids['links'], links: [{ id: part, type: '_is_child' }] },
    ]);
    const comment = { body: 'see log', format: 'text' };
    await change(alice, id, [{ field_id: ids['title'], value: 'archived later' }], { comment });
    await yard.deleted(id);
    const [name = ''] = yard.archivesOf(id);
    expect(name).toMatch(/^deleted_artifact_\d+_\d{10}\.zip$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o640);
    const archive = await openArchive(join(folder, name));
    const read = async (path: string) => Buffer.concat(await Array.fromAsync(await archive.open(path)));
    expect([...archive.paths].sort()).toEqual(['artifact.xml', `data/Artifact${file}`]);
    expect((await read(`data/Artifact${file}`)).equals(bytes)).toBe(true);
    const xml = (await read('artifact.xml')).toString('utf8');
    await archive.close();
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<trackers>/);
    for (const words of [
      '<tracker ',
      '<formElements>',
      '<artifacts>',
      `<artifact id="${id}"`,
      '<submitted_by format="username">alice</submitted_by>',
      'archived later',
      'see log',
      `<file id="fileinfo_${file}"`,
      '<filename>run log.txt</filename>',
      `<path>data/Artifact${file}</path>`,
      `<value format="id">${yard.statuses['closed']}</value>`,
      `<value nature="_is_child">${part}</value>`,
      '<manual_value>7</manual_value>',
    ])
      expect(xml).toContain(words);
  });

  test('the limit holds for each person over the last 24 hours', async () => {
    const dora = await newAdministrator('dora');
    const artifacts = [await yard.submit('1'), await yard.submit('2'), await yard.submit('3')] as const;
    await atelier.configure({ artifact_deletion_limit: 2 });
    expect(limitsIn(await yard.delete(artifacts[0], dora))).toEqual(['2', '1']);
    expect(limitsIn(await yard.delete(artifacts[1], dora))).toEqual(['2', '0']);
    const words = 'The limit of artifacts deletions has been reached for the previous 24 hours.';
    const stopped = await refused(store, () => yard.delete(artifacts[2], dora), 429, words);
    expect(limitsIn(stopped)).toEqual(['2', '0']);
    expect(yard.archivesOf(artifacts[2])).toEqual([]);
    await atelier.configure({ artifact_deletion_limit: 0 });
    const no = 'Deletion of artifacts is not allowed';
    const off = await refused(store, () => yard.delete(artifacts[2], dora), 403, no);
    expect(limitsIn(off)).toEqual(['0', '0']);
    await atelier.configure({ artifact_deletion_limit: 2 });
    const dayAgo = Date.now() - 24 * 3600 * 1000 - 1;
    const first = `select min(id) from artifact_deletion where account_id = ${dora.id}`;
    await atelier.sql(`update artifact_deletion set deleted_at = ${dayAgo} where id = (${first})`);
    expect(limitsIn(await yard.delete(artifacts[2], dora))).toEqual(['2', '0']);
    await atelier.configure({ artifact_deletion_limit: 1000 });
  });

  test('of 32 deletions at once exactly as many succeed as the limit says', async () => {
    const emil = await newAdministrator('emil');
    const ids: number[] = [];
    for (let count = 0; count < 32; count++) ids.push(await yard.submit(`many ${count}`));
    await atelier.configure({ artifact_deletion_limit: 5 });
    const replies = await Promise.all(ids.map((id) => yard.delete(id, emil)));
    const statuses = Map.groupBy(replies, ({ status }) => status);
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([5, 27]);
    expect(await yard.countedOf(emil)).toBe(5);
    expect((await alice.get(`/artifacts?query=${query({ id: ids })}`)).body.collection).toHaveLength(27);
    expect(ids.flatMap((id) => yard.archivesOf(id))).toHaveLength(5);
    await atelier.configure({ artifact_deletion_limit: 1000 });
  });

  test('of 16 deletions of one artifact one succeeds, and one archive is left', async () => {
    const id = await yard.submit('once');
    const counted = await yard.countedOf(alice);
    const replies = await Promise.all(Array.from({ length: 16 }, () => yard.delete(id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 15 }, () => 404),
    ]);
    expect(yard.archivesOf(id)).toHaveLength(1);
    expect(await yard.countedOf(alice)).toBe(counted + 1);
  });

  test('artifacts that are all linked to each other can be deleted at once', async () => {
    const { ids } = yard;
    const artifacts: number[] = [];
    for (let count = 0; count < 10; count++) {
      const links = artifacts.map((id) => ({ id, type: '' }));
      artifacts.push(await yard.submit(`ring ${count}`, [{ field_id: ids['links'], links }]));
    }
    const replies = await Promise.all(artifacts.map((id) => yard.delete(id)));
    expect(replies.map(({ status, text }) => `${status} ${text}`)).toEqual(artifacts.map(() => '200 '));
  });

  test('nothing is deleted when its archive cannot be written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-archives-'));
    const id = await yard.submit('kept');
    const counted = await yard.countedOf(alice);
    await atelier.configure({ archive_deleted_items_path: join(folder, 'missing') });
    const reply = await refused(store, () => yard.delete(id), 503, 'Nothing was deleted');
    expect(limitsIn(reply)).toEqual([null, null]);
    expect(await yard.countedOf(alice)).toBe(counted);
    await atelier.configure({ archive_deleted_items_path: folder });
    await yard.deleted(id);
    expect(yard.archivesOf(id, folder)).toHaveLength(1);
    await yard.restored(id);
    await atelier.configure({ archive_deleted_items_path: '' });
    rmSync(folder, { recursive: true });
    const relative = { archive_deleted_items_path: 'somewhere' };
    expect((await atelier.admin.patch('/platform/settings', relative)).status).toBe(400);
  });

  test('without the archive an artifact is gone for good', async () => {
    const id = await yard.submit('for good');
    await atelier.configure({ archive_deleted_items: false });
    await yard.deleted(id);
    await atelier.configure({ archive_deleted_items: true });
    expect(yard.archivesOf(id)).toEqual([]);
    expect((await yard.restore(id)).status).toBe(404);
    expect(idsOf(await alice.get('/deleted_artifacts?limit=50'))).not.toContain(id);
  });
});
