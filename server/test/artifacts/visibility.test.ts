import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryOf, readArtifact, Store, submit } from '../fixtures/artifact.ts';
import {
  createGroup,
  createProject,
  delegate,
  idsOf,
  query,
  setMembers,
  sizeOf,
} from '../fixtures/project.ts';
import { addField, createTracker, setPermissions, setSemantics } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

interface Facts {
  readonly id: number;
  readonly by: string;
  readonly to: readonly string[];
  /** Groups that alone may see it. */
  readonly only?: readonly string[];
}

type Permissions = Readonly<Record<string, readonly string[]>>;

describe.each(usuallyOn('PostgreSQL'))('who sees which artifacts on %s', (engine) => {
  let atelier: Atelier;
  let store: Store;
  let project: number;
  let tracker: number;
  let team: string;
  let people: Record<string, Person>;
  let artifacts: Facts[];
  /** Linked to every artifact, and from every one, for everybody to look at. */
  let hub: { id: number; links: number };
  /** The groups that each person is in, by the model that the test checks against. */
  let groups: Record<string, string[]>;
  const callerOf = (name: string): Caller => people[name] ?? atelier.anonymous;
  const names = ['owner', 'member', 'mate', 'stranger', 'admin', 'anonymous'];

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    store = await Store.of(atelier);
    people = { admin: atelier.admin };
    for (const name of ['owner', 'member', 'mate', 'stranger', 'delegate'])
      people[name] = await atelier.createUser(name);
    const { owner, member, mate } = people as Record<string, Person>;
    project = (await createProject(owner!, 'sight')).id;
    await setMembers(owner!, `${project}_3`, [owner!, member!, mate!]);
    team = await createGroup(owner!, project, 'team');
    await setMembers(owner!, team, [mate!]);
    const [members, admins] = [`${project}_3`, `${project}_4`];
    groups = {
      owner: ['1', '2', members, admins],
      member: ['1', '2', members],
      mate: ['1', '2', members, team],
      stranger: ['1', '2'],
      admin: ['1', '2', members, admins],
      anonymous: ['1'],
    };
    tracker = (await createTracker(owner!, project)).id;
    const field = async (type: string, more: object = {}) =>
      (await addField(owner!, tracker, { type, name: type, ...more })).field_id;
    const [title, perm, links] = [await field('string'), await field('perm'), await field('art_link')];
    const assigned = await field('msb', { bind: { type: 'users', groups: ['2'] } });
    await setSemantics(owner!, tracker, { contributor: { field_id: assigned }, title: { field_id: title } });
    const place = await createTracker(owner!, project);
    const spokes = (await addField(owner!, place.id, { type: 'art_link', name: 'spokes' })).field_id;
    const centre = await submit(owner!, place.id, [{ field_id: spokes, links: [] }]);
    const wanted: Omit<Facts, 'id'>[] = [
      { by: 'owner', to: [] },
      { by: 'member', to: ['mate'] },
      { by: 'mate', to: ['member', 'stranger'] },
      { by: 'stranger', to: ['stranger'] },
      { by: 'mate', to: [], only: [team] },
      { by: 'member', to: ['mate'], only: [admins, '2'] },
      { by: 'stranger', to: ['owner'], only: ['1'] },
    ];
    artifacts = [];
    for (const { by, to, only } of wanted) {
      const id = await submit(people[by]!, tracker, [
        { field_id: title, value: by },
        { field_id: assigned, bind_value_ids: to.map((name) => people[name]!.id) },
        { field_id: links, links: [{ id: centre }] },
        ...(only === undefined ? [] : [{ field_id: perm, value: { granted_groups: only } }]),
      ]);
      artifacts.push({ id, by, to, ...(only === undefined ? {} : { only }) });
    }
    const all = artifacts.map(({ id }) => ({ id }));
    hub = { id: centre, links: spokes };
    const { status } = await owner!.put(`/artifacts/${centre}`, {
      values: [{ field_id: spokes, links: all }],
    });
    expect(status).toBe(200);
  });
  afterAll(async () => {
    await store?.close();
    await atelier?.stop();
  });

  const shares = (name: string, other: string, granted: readonly string[] = []) =>
    granted.some((group) => groups[name]?.includes(group) && groups[other]?.includes(group));
  const holds = (name: string, granted: readonly string[] = []) => shares(name, name, granted);

  /** What the specification says, without any SQL. */
  function sees(name: string, permissions: Permissions, { by, to, only }: Facts): boolean {
    if (name === 'admin' || name === 'owner' || holds(name, permissions['can_admin'])) return true;
    if (only !== undefined && !holds(name, only)) return false;
    return (
      holds(name, permissions['can_access']) ||
      shares(name, by, permissions['can_access_submitted_by_group']) ||
      to.some((other) => shares(name, other, permissions['can_access_assigned_to_group'])) ||
      (holds(name, permissions['can_access_submitted_by_user']) && name === by)
    );
  }

  /** All pages of a list, each of which but the last must be full. */
  async function pagesOf(caller: Caller, path: string, limit: number) {
    const ids: number[] = [];
    let size = 0;
    for (let offset = 0; ; offset += limit) {
      const reply = await caller.get(`${path}limit=${limit}&offset=${offset}`);
      if (reply.status !== 200) return { status: reply.status, ids, size };
      ids.push(...idsOf(reply));
      size = sizeOf(reply);
      if (offset + limit < size) expect(reply.body).toHaveLength(limit);
      if (reply.body.length < limit) return { status: 200, ids, size };
    }
  }

  const scenarios: readonly ((team: string, project: number) => Permissions)[] = [
    () => ({}),
    () => ({ can_access: ['1'] }),
    () => ({ can_access: ['2'] }),
    (_, id) => ({ can_access: [`${id}_3`] }),
    (group) => ({ can_access: [group] }),
    (group) => ({ can_access_submitted_by_group: [group] }),
    (_, id) => ({ can_access_submitted_by_group: [`${id}_3`] }),
    (group, id) => ({ can_access_submitted_by_group: [group, `${id}_4`, '2'] }),
    () => ({ can_access_submitted_by_group: ['1'] }),
    (group) => ({ can_access_assigned_to_group: [group] }),
    (_, id) => ({ can_access_assigned_to_group: [`${id}_3`] }),
    () => ({ can_access_assigned_to_group: ['2'] }),
    () => ({ can_access_assigned_to_group: ['1'] }),
    () => ({ can_access_submitted_by_user: ['2'] }),
    () => ({ can_access_submitted_by_user: ['1'] }),
    (group) => ({ can_admin: [group] }),
    (group, id) => ({
      can_access_submitted_by_group: [group],
      can_access_assigned_to_group: [`${id}_3`],
      can_access_submitted_by_user: ['2'],
    }),
  ];

  test.each(scenarios.map((scenario) => [JSON.stringify(scenario('TEAM', 7)), scenario] as const))(
    'with the permissions %s',
    async (_, scenario) => {
      const permissions = scenario(team, project);
      await setPermissions(people['owner']!, tracker, permissions);
      for (const name of names) {
        const caller = callerOf(name);
        const expected = artifacts.filter((facts) => sees(name, permissions, facts)).map(({ id }) => id);
        const statuses: Record<number, number> = {};
        for (const { id } of artifacts) statuses[id] = (await caller.get(`/artifacts/${id}`)).status;
        const visible = artifacts.filter(({ id }) => statuses[id] === 200).map(({ id }) => id);
        expect([name, visible]).toEqual([name, expected]);
        expect(Object.values(statuses).filter((status) => status !== 200 && status !== 403)).toEqual([]);
        const mayView = Object.values(permissions).some((granted) => holds(name, granted));
        const mayList = name === 'admin' || name === 'owner' || mayView;
        for (const limit of [2, 1000]) {
          const list = await pagesOf(caller, `/trackers/${tracker}/artifacts?`, limit);
          const ids = mayList ? expected : [];
          expect([name, list]).toEqual([name, { status: mayList ? 200 : 404, ids, size: ids.length }]);
        }
        const { links, reverse_links: reverse } = entryOf(
          await readArtifact(caller as Person, hub.id),
          hub.links,
        );
        for (const found of [links, reverse])
          expect([name, found.map((link: { id: number }) => link.id)]).toEqual([name, expected]);
        if (name === 'anonymous') continue;
        const own = artifacts.filter(({ by, to }) => by === name || to.includes(name)).map(({ id }) => id);
        const mine = expected.filter((id) => own.includes(id));
        const both = query({ submitted_by: true, assigned_to: true });
        const found = await pagesOf(caller, `/users/self/artifacts?query=${both}&`, 2);
        const outside = name === 'owner' ? [hub.id] : [];
        const all = [...mine, ...outside].sort((left, right) => left - right);
        expect([name, found]).toEqual([name, { status: 200, ids: all, size: all.length }]);
      }
    },
  );

  test('whoever administers all trackers sees all artifacts, in private projects too', async () => {
    const manager = people['delegate']!;
    const { owner } = people as Record<string, Person>;
    await setPermissions(owner!, tracker, {});
    const all = artifacts.map(({ id }) => id);
    expect((await manager.get(`/trackers/${tracker}/artifacts`)).status).toBe(404);
    await delegate(atelier, manager, [2]);
    for (const access of ['public', 'private']) {
      expect((await owner!.patch(`/projects/${project}/settings`, { access })).status).toBe(200);
      const list = await pagesOf(manager, `/trackers/${tracker}/artifacts?`, 2);
      expect(list).toEqual({ status: 200, ids: all, size: all.length });
      for (const id of all) expect((await manager.get(`/artifacts/${id}`)).status).toBe(200);
    }
    expect((await owner!.patch(`/projects/${project}/settings`, { access: 'public' })).status).toBe(200);
  });
});
