import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { artifactColumns } from '../../src/artifacts/index.ts';
import type { Database } from '../../src/storage/index.ts';
import { entryOf, readArtifact, submit, versionIn } from '../fixtures/artifact.ts';
import { createProject, databaseOf, setMembers } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

describe.each(engines)('links and the hierarchy of trackers on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let bob: Person;
  let project: number;
  let database: Database;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    bob = await atelier.createUser('bob');
    project = (await createProject(alice, 'families')).id;
    await setMembers(alice, `${project}_3`, [alice, bob]);
    await atelier.admin.post('/link_types', {
      shortname: 'blocks',
      forward_label: 'blocks',
      reverse_label: 'is blocked by',
    });
    database = await databaseOf(atelier);
  });
  afterAll(async () => {
    await database?.close();
    await atelier?.stop();
  });

  const family = async () => {
    const { id } = await createTracker(alice, project);
    const links = (await addField(alice, id, { type: 'art_link', name: 'links' })).field_id;
    const make = (...targets: object[]) => submit(alice, id, [{ field_id: links, links: targets }]);
    const typesOf = async (artifact: number) =>
      entryOf(await readArtifact(alice, artifact), links).links.map(
        ({ type }: { type: string | null }) => type,
      );
    const setParent = (parent_id: number | null, caller: Person = alice) =>
      caller.patch(`/trackers/${id}/settings`, { parent_id });
    return { id, links, make, typesOf, setParent };
  };

  test('links to a new child tracker become those to children, and go back when it is one no more', async () => {
    const [parent, child, other] = [await family(), await family(), await family()];
    const [one, two, stranger] = [await child.make(), await child.make(), await other.make()];
    const epic = await parent.make({ id: one }, { id: two, type: 'blocks' }, { id: stranger });
    const back = await child.make({ id: epic });
    const before = await alice.get(`/artifacts/${one}`);
    const history = (await alice.get(`/artifacts/${epic}/changesets`)).body;
    expect((await child.setParent(parent.id)).status).toBe(200);
    expect(await parent.typesOf(epic)).toEqual(['_is_child', '_is_child', null]);
    expect(await child.typesOf(back)).toEqual([null]);
    const after = await alice.get(`/artifacts/${one}`);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(versionIn(after)).toBe(versionIn(before));
    expect(entryOf(after.body, child.links).reverse_links).toMatchObject([{ id: epic, type: '_is_child' }]);
    expect((await alice.get(`/artifacts/${epic}/changesets`)).body).toHaveLength(history.length);
    expect((await child.setParent(other.id)).status).toBe(200);
    expect(await parent.typesOf(epic)).toEqual([null, null, null]);
    expect((await child.setParent(null)).status).toBe(200);
    expect(await parent.typesOf(epic)).toEqual([null, null, null]);
  });

  test('what is refused retypes nothing', async () => {
    const [parent, child] = [await family(), await family()];
    const epic = await parent.make({ id: await child.make() });
    expect((await child.setParent(parent.id, bob)).status).toBe(403);
    expect((await child.setParent(999_999)).status).toBe(400);
    const both = await alice.patch(`/trackers/${child.id}/settings`, { parent_id: parent.id, label: '' });
    expect(both.status).toBe(400);
    expect(await parent.typesOf(epic)).toEqual([null]);
  });

  test('many links are retyped in parts, the newest wish last', async () => {
    const [parent, child] = [await family(), await family()];
    const target = await child.make();
    const count = 650;
    await database.transaction(async (tx) => {
      const ids = await tx.newIds('artifact', count);
      await tx.insertMany(
        'artifact',
        artifactColumns,
        ids.map((id, index) => [id, parent.id, index + 1, alice.id, 0, 1, alice.id, 0, 0, 0, '{}'] as const),
      );
      await tx.insertMany(
        'artifact_link',
        ['source_id', 'target_id', 'type'],
        ids.map((id) => [id, target, ''] as const),
      );
    });
    const typed = async (type: string) =>
      (
        await database.all(
          database.sql
            .selectFrom('artifact_link')
            .select('source_id')
            .where('target_id', '=', target)
            .where('type', '=', type),
        )
      ).length;
    await child.setParent(parent.id);
    expect(await typed('_is_child')).toBeGreaterThan(0);
    while ((await typed('_is_child')) < count) await pause(50);
    await child.setParent(null);
    await child.setParent(parent.id);
    await child.setParent(null);
    const pending = database.sql.selectFrom('link_retyping').select('id');
    while ((await database.all(pending)).length > 0) await pause(50);
    expect(await typed('')).toBe(count);
  });
});
