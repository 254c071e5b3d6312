import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymousViewer, commandLineViewer, type Viewer } from '../../src/kernel/viewer.ts';
import {
  type ActivityEntry,
  extractReferences,
  groupIds,
  listProjects,
  type NewProject,
  type Project,
  type ProjectExtension,
  projectOperations,
  readActivity,
  requireProjectAccess,
  resourceTypes,
  type TemplateSource,
} from '../../src/projects/index.ts';
import { type Database, openDatabase } from '../../src/storage/index.ts';
import { createInstance, engines, type Instance } from '../harness/atelier.ts';

const machine = commandLineViewer('anonymous');

function newProject(shortname: string, more: Partial<NewProject> = {}): NewProject {
  return {
    shortname,
    label: `Project ${shortname}`,
    description: '',
    isPublic: true,
    allowRestricted: null,
    templateId: undefined,
    xmlTemplateName: 'issues',
    isFromArchive: false,
    categories: 0,
    fields: [],
    ...more,
  };
}

const entryAt = (at: number): ActivityEntry => ({
  at,
  deed: 'created',
  subject: { reference: 'bug #1', path: '/bugs/1', title: '' },
  iconName: '',
  userId: null,
});

describe.each(engines)('what rooms above projects add on %s', (engine) => {
  let instance: Instance;
  let database: Database;
  const filled: { projectId: number; source: TemplateSource }[] = [];
  const administered = new Set<number>();
  const extension: ProjectExtension = {
    resources: ['trackers'],
    fillFromTemplate: async (_tx, _viewer, projectId, source) => {
      filled.push({ projectId, source });
    },
    projectsWithAdministeredTracker: (sql) =>
      sql
        .selectFrom('project_member')
        .select('project_id')
        .where('project_id', 'in', [...administered]),
    referenceKeywords: async () => [
      { keyword: 'bug', description: 'Bugs', accepts: () => true },
      { keyword: 'svn', description: 'Only this repository', accepts: (value) => value === 'main/1' },
    ],
    activity: async () => ({
      entries: [entryAt(3000), entryAt(1000)],
      hasHidden: false,
    }),
  };
  const operations = projectOperations([extension]);
  const create = (project: NewProject, viewer: Viewer = machine): Promise<Project> =>
    database.transaction((tx) => operations.createProject(tx, viewer, project));

  beforeAll(async () => {
    instance = await createInstance(engine);
    const databaseUrl = instance.environment['ATELIER_DATABASE_URL'];
    database = await openDatabase({ folder: instance.folder, databaseUrl, connections: 2 });
  });
  afterAll(async () => {
    await database.close();
    await instance.remove();
  });

  test('its resources come before those of every project', () => {
    const own = ['project_services', 'user_groups', 'heartbeats', 'labels'];
    expect(resourceTypes([extension])).toEqual(['trackers', ...own]);
    expect(resourceTypes([])).toEqual(own);
  });

  test('it fills a project from a shipped template and from a project, told which groups became which', async () => {
    const pattern = await create(newProject('pattern'));
    expect(filled.at(-1)).toEqual({
      projectId: pattern.id,
      source: { kind: 'shipped', name: 'issues', content: undefined },
    });
    const group = { projectId: pattern.id, name: 'testers', description: '' };
    const testers = await database.transaction((tx) => operations.createUserGroup(tx, machine, group));
    const copy = await create(newProject('copy', { templateId: pattern.id }));
    const source = filled.at(-1)?.source;
    expect(source).toMatchObject({ kind: 'project', projectId: pattern.id });
    const [became] = source?.kind === 'project' ? [...source.groups] : [];
    expect(became?.[0]).toBe(testers.id);
    const owner = database.sql
      .selectFrom('user_group')
      .select('project_id')
      .where('id', '=', became?.[1] ?? 0);
    expect(await database.first(owner)).toEqual({ project_id: copy.id });
  });

  test('a project is not created when it cannot be filled', async () => {
    const broken = projectOperations([
      {
        fillFromTemplate: async () => {
          throw new Error('No trackers today.');
        },
      },
    ]);
    const attempt = database.transaction((tx) => broken.createProject(tx, machine, newProject('broken')));
    await expect(attempt).rejects.toThrow('No trackers today.');
    const query = database.sql.selectFrom('project').select('id').where('shortname_key', '=', 'broken');
    expect(await database.first(query)).toBeUndefined();
  });

  test('it says where the viewer administers a tracker', async () => {
    const first = await create(newProject('tracked'));
    const second = await create(newProject('tracked-too', { isPublic: false }));
    administered.add(first.id).add(second.id);
    const criterion = { kind: 'tracker-administrator' } as const;
    const idsFor = async (viewer: Viewer) => {
      const { items } = await listProjects(database, viewer, { criterion, limit: 50, offset: 0 }, [
        extension,
      ]);
      return items.map(({ id }) => id);
    };
    const ordinary: Viewer = { ...anonymousViewer('anonymous'), userId: 999, credential: { kind: 'basic' } };
    expect(await idsFor(machine)).toEqual([first.id, second.id]);
    expect(await idsFor(ordinary)).toEqual([first.id]);
    expect(await idsFor({ ...ordinary, delegations: [2] })).toEqual([first.id, second.id]);
  });

  test('it adds keywords of references and replaces known ones', async () => {
    const { id: projectId } = await create(newProject('referring'));
    const text = 'bug #7, svn #main/1, svn #other/1, art #2';
    const found = await extractReferences(database, machine, { projectId, text }, [extension]);
    expect(found.map((reference) => reference.text)).toEqual(['bug #7', 'svn #main/1', 'art #2']);
  });

  test('activities of several rooms are one list, newest first, at most 30 of each', async () => {
    const { id } = await create(newProject('busy'));
    const many = Array.from({ length: 40 }, () => entryAt(2000));
    const noisy: ProjectExtension = { activity: async () => ({ entries: many, hasHidden: true }) };
    const { entries, hasHidden } = await readActivity(database, machine, id, [extension, noisy]);
    expect(entries).toHaveLength(32);
    expect([entries[0]?.at, entries[1]?.at, entries.at(-1)?.at]).toEqual([3000, 2000, 1000]);
    expect(hasHidden).toBe(true);
  });

  test('what the command line creates is administered by the first administrator, or by whom it names', async () => {
    const admins = async (id: number) => {
      const members = database.sql.selectFrom('project_member').select(['account_id', 'is_admin']);
      return database.all(members.where('project_id', '=', id));
    };
    const byDefault = await create(newProject('by-default'));
    expect(byDefault.membership).toBe('none');
    expect(await admins(byDefault.id)).toEqual([{ account_id: 101, is_admin: 1 }]);
    const group = `${byDefault.id}_${groupIds.projectAdmins}`;
    const references = { id: group, references: [{ username: 'admin' }] };
    await database.transaction((tx) => operations.replaceGroupMembers(tx, machine, references));
    await expect(create(newProject('by-nobody', { administratorId: 4711 }))).rejects.toThrow(
      '`administrator`',
    );
    const named = await create(newProject('by-name', { administratorId: 101 }));
    expect(await admins(named.id)).toEqual([{ account_id: 101, is_admin: 1 }]);
    expect(await requireProjectAccess(database, machine, named.id, 'project')).toMatchObject({
      isAdmin: true,
    });
  });
});
