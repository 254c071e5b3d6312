import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefusalKind } from '../../src/kernel/errors.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { type AccessMode, anonymousViewer, commandLineViewer, type Viewer } from '../../src/kernel/viewer.ts';
import {
  type AccessTarget,
  groupsOf,
  listProjects,
  requireProjectAccess,
  requireProjectWritable,
} from '../../src/projects/index.ts';
import type { Database } from '../../src/storage/index.ts';
import {
  createGroup,
  createProject,
  databaseOf,
  forceProject,
  idsOf,
  query,
  setMembers,
  sizeOf,
} from '../fixtures/project.ts';
import { type Atelier, engines, type Person, startAtelier } from '../harness/atelier.ts';

const accesses = ['public', 'unrestricted', 'private', 'private-wo-restr'] as const;

describe.each(engines)('access to projects on %s', (engine) => {
  let atelier: Atelier;
  let database: Database;
  let owner: Person;
  let member: Person;
  let stranger: Person;
  let restrictedMember: Person;
  let restrictedStranger: Person;
  const projects = new Map<string, number>();
  const idOf = (name: string) => projects.get(name) ?? 0;

  async function createWithMembers(shortname: string, isPublic: boolean, allowRestricted: boolean) {
    const more = { is_public: isPublic, allow_restricted: allowRestricted };
    const { id } = await createProject(owner, shortname, more);
    await setMembers(owner, `${id}_3`, [owner, member, restrictedMember]);
    return id;
  }

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    await atelier.configure({ access_mode: 'restricted' });
    database = await databaseOf(atelier);
    owner = await atelier.createUser('owner');
    member = await atelier.createUser('member');
    stranger = await atelier.createUser('stranger');
    restrictedMember = await atelier.createUser('rmember', { status: 'R' });
    restrictedStranger = await atelier.createUser('rstranger', { status: 'R' });
    projects.set('public', await createWithMembers('p-public', true, false));
    projects.set('unrestricted', await createWithMembers('p-unrestricted', true, true));
    projects.set('private', await createWithMembers('p-private', false, true));
    projects.set('private-wo-restr', await createWithMembers('p-private-wo', false, true));
    await owner.patch(`/projects/${idOf('private-wo-restr')}/settings`, { access: 'private-wo-restr' });
    for (const status of ['suspended', 'deleted']) {
      projects.set(status, await createWithMembers(`p-${status}`, true, false));
      await atelier.admin.patch(`/projects/${idOf(status)}/settings`, { status });
    }
    await atelier.configure({ project_approval: true });
    projects.set('pending', (await createProject(owner, 'p-pending')).id);
    await atelier.configure({ project_approval: false });
    projects.set('importing', await createWithMembers('p-importing', true, false));
    await forceProject(atelier, idOf('importing'), { status: 'importing' });
    projects.set('system', 100);
    projects.set('unknown', 99_999);
  });
  afterAll(async () => {
    await database.close();
    await atelier.stop();
  });

  describe('over HTTP', () => {
    const people = {
      member: () => member,
      stranger: () => stranger,
      rmember: () => restrictedMember,
      rstranger: () => restrictedStranger,
      admin: () => atelier.admin,
    };

    /** `project`, then `by-id`; in a platform with restricted users. */
    test.each<[string, keyof typeof people, number, number]>([
      ['public', 'member', 200, 200],
      ['public', 'stranger', 200, 200],
      ['public', 'rmember', 200, 200],
      ['public', 'rstranger', 403, 404],
      ['public', 'admin', 200, 200],
      ['unrestricted', 'stranger', 200, 200],
      ['unrestricted', 'rmember', 200, 200],
      ['unrestricted', 'rstranger', 200, 200],
      ['private', 'member', 200, 200],
      ['private', 'stranger', 403, 404],
      ['private', 'rmember', 200, 200],
      ['private', 'rstranger', 403, 404],
      ['private', 'admin', 200, 200],
      ['private-wo-restr', 'member', 200, 200],
      ['private-wo-restr', 'stranger', 403, 404],
      ['private-wo-restr', 'rmember', 404, 404],
      ['private-wo-restr', 'rstranger', 403, 404],
      ['suspended', 'member', 403, 403],
      ['suspended', 'stranger', 403, 403],
      ['suspended', 'admin', 200, 200],
      ['deleted', 'member', 403, 404],
      ['deleted', 'admin', 200, 200],
      ['pending', 'stranger', 404, 404],
      ['pending', 'admin', 200, 200],
      ['importing', 'member', 404, 404],
      ['importing', 'admin', 404, 404],
      ['system', 'stranger', 404, 404],
      ['system', 'admin', 200, 200],
      ['unknown', 'stranger', 404, 404],
      ['unknown', 'admin', 404, 404],
    ])(
      '%s project, %s: project routes answer %i, user groups by id %i',
      async (name, who, familyA, familyB) => {
        const id = idOf(name);
        const caller = people[who]();
        for (const path of [
          '',
          '/user_groups',
          '/project_services',
          '/heartbeats',
          '/labels',
          '/3rd_party_integration_data',
        ]) {
          expect((await caller.get(`/projects/${id}${path}`)).status, path).toBe(familyA);
        }
        const extraction = await caller.post(`/projects/${id}/extract_references`, { text: 'art #1' });
        expect(extraction.status).toBe(familyA);
        expect((await caller.get(`/user_groups/${id}_3`)).status).toBe(familyB);
        if (familyB !== 200) expect((await caller.get(`/user_groups/${id}_3/users`)).status).toBe(familyB);
        if (familyA !== 200) {
          const write = await caller.put(`/user_groups/${id}_3/users`, []);
          expect(write.status, 'write').toBe(familyA);
        }
      },
    );

    test.each(['member', 'stranger', 'rmember', 'rstranger', 'admin'] as const)(
      'lists show to %s exactly the active projects that can be read, and count them right',
      async (who) => {
        const caller = people[who]();
        const reply = await caller.get('/projects?limit=50');
        for (const access of accesses) {
          const canRead = (await caller.get(`/projects/${idOf(access)}`)).status === 200;
          expect(idsOf(reply).includes(idOf(access)), access).toBe(canRead);
          const byName = { shortname: `p-${access === 'private-wo-restr' ? 'private-wo' : access}` };
          const found = await caller.get(`/projects?query=${query(byName)}`);
          expect([idsOf(found), sizeOf(found)]).toEqual(canRead ? [[idOf(access)], 1] : [[], 0]);
        }
        expect(sizeOf(reply)).toBe(reply.body.length);
      },
    );

    test('is_member_of leaves out a project that excludes its restricted member', async () => {
      const own = idsOf(await restrictedMember.get(`/projects?query=${query({ is_member_of: true })}`));
      expect(own).toEqual([idOf('public'), idOf('unrestricted'), idOf('private')]);
    });

    test('in other modes a restricted account reaches its own projects only, and private ones again', async () => {
      await atelier.configure({ access_mode: 'regular' });
      try {
        expect((await restrictedStranger.get(`/projects/${idOf('unrestricted')}`)).status).toBe(403);
        expect((await restrictedStranger.get('/projects')).body).toEqual([]);
        for (const access of accesses) {
          expect((await restrictedMember.get(`/projects/${idOf(access)}`)).status, access).toBe(200);
        }
      } finally {
        await atelier.configure({ access_mode: 'restricted' });
      }
    });

    test('an anonymous reader of an open platform gets 403 and 404, not 401', async () => {
      await atelier.configure({ access_mode: 'anonymous' });
      try {
        const { anonymous } = atelier;
        expect((await anonymous.get(`/projects/${idOf('public')}`)).status).toBe(200);
        expect((await anonymous.get(`/projects/${idOf('private')}`)).status).toBe(403);
        expect((await anonymous.get(`/projects/${idOf('suspended')}`)).status).toBe(403);
        expect((await anonymous.get(`/projects/${idOf('pending')}`)).status).toBe(404);
        expect((await anonymous.get(`/user_groups/${idOf('private')}_3`)).status).toBe(404);
        const ids = idsOf(await anonymous.get('/projects?limit=50'));
        expect(ids).toEqual([idOf('public'), idOf('unrestricted')]);
      } finally {
        await atelier.configure({ access_mode: 'restricted' });
      }
    });
  });

  describe('as other rooms ask for it', () => {
    const viewerOf = (userId: number, more: Partial<Viewer> = {}): Viewer => ({
      ...anonymousViewer('restricted'),
      userId,
      credential: { kind: 'basic' },
      ...more,
    });

    async function outcome(
      viewer: Viewer,
      name: string,
      accessTarget: AccessTarget,
    ): Promise<RefusalKind | 'granted'> {
      try {
        await requireProjectAccess(database, viewer, idOf(name), accessTarget);
        return 'granted';
      } catch (error) {
        if (error instanceof Refusal) return error.kind;
        throw error;
      }
    }

    test.each<[string, RefusalKind, RefusalKind, RefusalKind]>([
      ['private', 'forbidden', 'not-found', 'forbidden'],
      ['suspended', 'forbidden', 'forbidden', 'forbidden'],
      ['deleted', 'forbidden', 'not-found', 'forbidden'],
      ['pending', 'not-found', 'not-found', 'forbidden'],
      ['system', 'not-found', 'not-found', 'forbidden'],
      ['importing', 'not-found', 'not-found', 'forbidden'],
      ['unknown', 'not-found', 'not-found', 'forbidden'],
    ])('a stranger to a %s project is told %s in askedFor A, %s in B and %s in C', async (name, a, b, c) => {
      const viewer = viewerOf(stranger.id);
      expect(await outcome(viewer, name, 'project')).toBe(a);
      expect(await outcome(viewer, name, 'by-id')).toBe(b);
      expect(await outcome(viewer, name, 'artifact')).toBe(c);
    });

    test('a closed platform asks anonymous callers to log in, whatever the askedFor', async () => {
      for (const accessTarget of ['project', 'by-id', 'artifact'] as const) {
        expect(await outcome(anonymousViewer('regular'), 'public', accessTarget)).toBe('unauthenticated');
      }
    });

    test('the rule in SQL and the rule about one project agree for every viewer, project and mode', async () => {
      const modes: AccessMode[] = ['anonymous', 'regular', 'restricted'];
      const viewers = modes.flatMap((accessMode): Viewer[] => [
        anonymousViewer(accessMode),
        commandLineViewer(accessMode),
        viewerOf(owner.id, { accessMode }),
        viewerOf(member.id, { accessMode }),
        viewerOf(stranger.id, { accessMode }),
        viewerOf(stranger.id, { accessMode, isSiteAdmin: true }),
        viewerOf(restrictedMember.id, { accessMode, isRestricted: true }),
        viewerOf(restrictedStranger.id, { accessMode, isRestricted: true }),
      ]);
      for (const viewer of viewers) {
        const criterion = { kind: 'listed' } as const;
        const { items } = await listProjects(database, viewer, { criterion, limit: 50, offset: 0 }, []);
        const listed = new Set(items.map(({ id }) => id));
        for (const access of accesses) {
          const isGranted = (await outcome(viewer, access, 'project')) === 'granted';
          expect(listed.has(idOf(access)), `${JSON.stringify(viewer)} ${access}`).toBe(isGranted);
        }
      }
    });

    test('facts count site administrators as members and administrators', async () => {
      const facts = (viewer: Viewer) => requireProjectAccess(database, viewer, idOf('private'), 'project');
      const id = idOf('private');
      const common = { id, status: 'active', access: 'private' };
      expect(await facts(viewerOf(owner.id))).toEqual({ ...common, isMember: true, isAdmin: true });
      expect(await facts(viewerOf(member.id))).toEqual({ ...common, isMember: true, isAdmin: false });
      expect(await facts(viewerOf(stranger.id, { isSiteAdmin: true }))).toEqual({
        ...common,
        isMember: true,
        isAdmin: true,
      });
    });

    test.each([
      ['active', false],
      ['pending', false],
      ['system', false],
      ['suspended', true],
      ['deleted', true],
    ] as const)('writing into a project that is %s is refused: %s', (status, isRefused) => {
      const write = () => requireProjectWritable({ status });
      if (isRefused) expect(write).toThrow(Refusal);
      else expect(write).not.toThrow();
    });

    test('groups of a viewer follow the rules of permissions', async () => {
      const projectId = idOf('unrestricted');
      const group = Number(await createGroup(owner, projectId, 'testers'));
      await setMembers(owner, String(group), [stranger]);
      const groups = async (viewer: Viewer) =>
        (await groupsOf(database, viewer, projectId)).sort((a, b) => a - b);
      expect(await groups(anonymousViewer('anonymous'))).toEqual([1]);
      expect(await groups(viewerOf(owner.id))).toEqual([1, 2, 3, 4, 5]);
      expect(await groups(viewerOf(member.id))).toEqual([1, 2, 3, 5]);
      expect(await groups(viewerOf(stranger.id))).toEqual([1, 2, 5, group]);
      expect(await groups(viewerOf(stranger.id, { isSiteAdmin: true }))).toEqual([1, 2, 3, 4, 5, group]);
      expect(await groups(viewerOf(restrictedMember.id, { isRestricted: true }))).toEqual([1, 2, 3, 5]);
      expect(await groups(viewerOf(restrictedStranger.id, { isRestricted: true }))).toEqual([1, 5]);
      expect(await groups(commandLineViewer('regular'))).toEqual([1, 2, 3, 4, 5]);
      expect(await groupsOf(database, viewerOf(stranger.id), idOf('public'))).toEqual([1, 5, 2]);
    });
  });
});
