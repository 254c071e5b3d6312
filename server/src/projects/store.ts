import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import {
  type Expression,
  expressionBuilder,
  type Reader,
  type SqlBool,
  type SqlBuilder,
  statement,
  type Tables,
  type Transaction,
} from '../storage/index.ts';
import { lastBuiltInProjectId, type Membership, type Project, shortnameKey } from './model.ts';
import { openAccesses } from './policy.ts';

/** Projects, each with the membership of one account beside it. */
export function projectsWithOwn(sql: SqlBuilder, userId: number) {
  return sql
    .selectFrom('project')
    .leftJoin('project_member as own', (join) =>
      join.onRef('own.project_id', '=', 'project.id').on('own.account_id', '=', userId),
    );
}

export const projectColumns = [
  'project.id',
  'project.label',
  'project.shortname',
  'project.description',
  'project.status',
  'project.access',
  'project.icon',
  'project.is_template',
  'project.field_values',
  'project.header_background',
  'project.banner',
  'own.is_admin',
] as const;

export type ProjectRow = Pick<
  Tables['project'],
  | 'label'
  | 'shortname'
  | 'description'
  | 'status'
  | 'access'
  | 'icon'
  | 'is_template'
  | 'field_values'
  | 'header_background'
  | 'banner'
> & { id: number; is_admin: Tables['project_member']['is_admin'] | null };

const memberships: readonly Membership[] = ['member', 'administrator'];

export function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    label: row.label,
    shortname: row.shortname,
    description: row.description,
    status: row.status,
    access: row.access,
    icon: row.icon,
    isTemplate: row.is_template === 1,
    fieldValues: row.field_values,
    headerBackground: row.header_background,
    banner: row.banner,
    membership: row.is_admin === null ? 'none' : (memberships[row.is_admin] ?? 'none'),
  };
}

const projectById = statement((sql, p: { id: number; userId: number }) =>
  projectsWithOwn(sql, p.userId).select(projectColumns).where('project.id', '=', p.id),
);

const projectByShortname = statement((sql, p: { key: string; userId: number }) =>
  projectsWithOwn(sql, p.userId).select(projectColumns).where('project.shortname_key', '=', p.key),
);

const projectAndRevision = statement((sql, p: { id: number; userId: number }) =>
  projectsWithOwn(sql, p.userId)
    .select(projectColumns)
    .select((row) => row.selectFrom('revision').select('value').where('name', '=', 'identity').as('revision'))
    .where('project.id', '=', p.id),
);

/** As `findProject`, with the revision that tells whether what is remembered beside it still holds. */
export async function findProjectAndRevision(
  reader: Reader,
  viewer: Viewer,
  id: number,
): Promise<{ project: Project; revision: number } | undefined> {
  const row = await reader.first(projectAndRevision, { id, userId: viewer.userId });
  return row && { project: toProject(row), revision: row.revision ?? 0 };
}

/** Whatever its state and whoever asks: callers decide what the viewer may see of it. */
export async function findProject(reader: Reader, viewer: Viewer, id: number): Promise<Project | undefined> {
  const row = await reader.first(projectById, { id, userId: viewer.userId });
  return row && toProject(row);
}

export async function findProjectByShortname(
  reader: Reader,
  viewer: Viewer,
  shortname: string,
): Promise<Project | undefined> {
  const key = shortnameKey(shortname);
  const row = await reader.first(projectByShortname, { key, userId: viewer.userId });
  return row && toProject(row);
}

const namesAtOnce = 400;

/** The projects that have one of these as id or short name, by what they were called. An id beats a short name. */
export async function findProjectsNamed(
  reader: Reader,
  viewer: Viewer,
  names: readonly string[],
): Promise<ReadonlyMap<string, Project>> {
  const found = new Map<string, Project>();
  for (let start = 0; start < names.length; start += namesAtOnce) {
    const some = names.slice(start, start + namesAtOnce);
    const projects = (await reader.all(projectsCalled(reader, viewer, some))).map(toProject);
    const byId = new Map(projects.map((project) => [String(project.id), project]));
    const byKey = new Map(projects.map((project) => [shortnameKey(project.shortname), project]));
    for (const name of some) {
      const project = byId.get(name) ?? byKey.get(shortnameKey(name));
      if (project !== undefined) found.set(name, project);
    }
  }
  return found;
}

function projectsCalled(reader: Reader, viewer: Viewer, names: readonly string[]) {
  const ids = names.filter((name) => /^\d{1,15}$/.test(name)).map(Number);
  return projectsWithOwn(reader.sql, viewer.userId)
    .select(projectColumns)
    .where((row) =>
      row.or([
        row('project.shortname_key', 'in', names.map(shortnameKey)),
        ...(ids.length === 0 ? [] : [row('project.id', 'in', ids)]),
      ]),
    );
}

type WithOwn = Tables & { own: Tables['project_member'] };
const on = expressionBuilder<WithOwn, 'project' | 'own'>();

export const isActive = on('project.status', '=', 'active');
export const isPeoples = on('project.id', '>', lastBuiltInProjectId);
export const isOwn = on('own.account_id', 'is not', null);
export const isAdministered = on('own.is_admin', '=', 1);

/**
 * True for the projects that the viewer may access, in a query over `project` left joined with the viewer's
 * `project_member` as `own`. `verdictOn` in the policy says the same about one project.
 */
export function accessibleTo(viewer: Viewer): Expression<SqlBool> {
  if (isAnonymous(viewer) && viewer.accessMode !== 'anonymous') return on.lit(false);
  if (viewer.isSiteAdmin) return on('project.status', 'not in', ['importing', 'purging']);
  const isShutOut = viewer.isRestricted && viewer.accessMode === 'restricted';
  const open = openAccesses(viewer);
  return on.and([
    isActive,
    on.or([
      isShutOut ? on.and([isOwn, on('project.access', '<>', 'private-wo-restr')]) : isOwn,
      ...(open.length === 0 ? [] : [on('project.access', 'in', open)]),
    ]),
  ]);
}

const hasMembers = on.exists(
  on.selectFrom('project_member').select('account_id').whereRef('project_id', '=', 'project.id'),
);

/** The projects that lists show without being asked for more; those without any member only administrators. */
export function isListed(viewer: Viewer): Expression<SqlBool> {
  return on.and([isPeoples, isActive, ...(viewer.isSiteAdmin ? [] : [hasMembers])]);
}

/** Keeps other transactions from changing the project and who is in it until this one ends. */
export async function lockProject(tx: Transaction, id: number): Promise<void> {
  await tx.lock(tx.sql.selectFrom('project').select('id').where('id', '=', id));
}
