import { recordPlatformEvent } from '../identity/index.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import { preferredFirst, type QuickSearch } from '../kernel/quick-search.ts';
import { compareTexts, fold, foldedWords } from '../kernel/text.ts';
import { delegation, holds, isAnonymous, type Viewer } from '../kernel/viewer.ts';
import {
  type Expression,
  type Reader,
  type SqlBool,
  type SqlBuilder,
  statement,
  type Transaction,
} from '../storage/index.ts';
import { projectChanged } from './changed.ts';
import { markDeleted } from './deletion.ts';
import type { ProjectExtension } from './extension.ts';
import { readFigures } from './figures.ts';
import { isHidden, lastBuiltInProjectId, type Project, type ProjectStatus, shortnameKey } from './model.ts';
import { requireStatusChange } from './policy.ts';
import {
  accessibleTo,
  findProject,
  isActive,
  isAdministered,
  isListed,
  isOwn,
  isPeoples,
  lockProject,
  projectColumns,
  projectsWithOwn,
  toProject,
} from './store.ts';

/** Which projects a list shows, of those that the viewer may access. */
export type ProjectCriterion =
  | { readonly kind: 'listed' }
  | { readonly kind: 'shortname'; readonly shortname: string }
  | { readonly kind: 'tracker-administrator' }
  | { readonly kind: 'status'; readonly status: ProjectStatus }
  | { readonly kind: 'member' }
  | { readonly kind: 'administrator' };

export interface ProjectListing extends Page {
  readonly criterion: ProjectCriterion;
}

/** Orders beside that of the ids: by name, or what happened last first. */
export type ProjectOrder = 'name' | 'activity';

export interface SortedProjectListing extends ProjectListing {
  /** All of them must be in the label, the short name or the description. */
  readonly words: string;
  readonly order: 'id' | ProjectOrder;
}

type ProjectQuery = ReturnType<typeof projectsWithOwn>;

const all = (query: ProjectQuery, ...conditions: readonly Expression<SqlBool>[]) =>
  conditions.reduce((narrowed, condition) => narrowed.where(condition), query);

/** Whoever administers every tracker reaches those of private projects, too. */
function withAdministeredTracker(
  reader: Reader,
  viewer: Viewer,
  query: ProjectQuery,
  extensions: readonly ProjectExtension[],
): ProjectQuery {
  const isGlobal = holds(viewer, delegation.trackerAdministration);
  const base = isGlobal
    ? all(query, isActive, isPeoples)
    : all(query, accessibleTo(viewer), isListed(viewer));
  const sources = extensions.flatMap(
    (extension) => extension.projectsWithAdministeredTracker?.(reader.sql, viewer) ?? [],
  );
  return base.where((project) => project.or(sources.map((source) => project('project.id', 'in', source))));
}

function matching(
  reader: Reader,
  viewer: Viewer,
  criterion: Exclude<ProjectCriterion, { kind: 'listed' }>,
  extensions: readonly ProjectExtension[],
): ProjectQuery {
  const query = projectsWithOwn(reader.sql, viewer.userId);
  const accessible = all(query, accessibleTo(viewer));
  switch (criterion.kind) {
    case 'shortname':
      return all(accessible, isListed(viewer)).where(
        'project.shortname_key',
        '=',
        shortnameKey(criterion.shortname),
      );
    case 'tracker-administrator':
      return withAdministeredTracker(reader, viewer, query, extensions);
    case 'status':
      return all(approves(viewer, criterion) ? query : accessible, isPeoples).where(
        'project.status',
        '=',
        criterion.status,
      );
    case 'member':
      return all(accessible, isPeoples, isActive, isOwn);
    case 'administrator':
      return all(accessible, isActive, isAdministered);
  }
}

interface PageParameters extends Page {
  readonly userId: number;
}

const sizeOf = (query: ProjectQuery) => query.select((project) => project.fn.countAll<number>().as('size'));
const pageOf = (query: ProjectQuery, { limit, offset }: Page) =>
  query.select(projectColumns).orderBy('project.id').limit(limit).offset(offset);

/** The list that everybody asks for, as statements that stay prepared: one pair for each kind of viewer. */
function listedStatements(viewer: Viewer) {
  const listed = (sql: SqlBuilder, { userId }: { userId: number }) =>
    all(projectsWithOwn(sql, userId), accessibleTo(viewer), isListed(viewer));
  return {
    size: statement((sql, p: { userId: number }) => sizeOf(listed(sql, p))),
    page: statement((sql, p: PageParameters) => pageOf(listed(sql, p), p)),
  };
}

const listedByKind = new Map<string, ReturnType<typeof listedStatements>>();

/** All that the conditions of `listedStatements` look at. */
const kindOf = (viewer: Viewer) =>
  [isAnonymous(viewer), viewer.accessMode, viewer.isSiteAdmin, viewer.isRestricted].join(' ');

async function listUsual(reader: Reader, viewer: Viewer, page: Page): Promise<Slice<Project>> {
  const kind = kindOf(viewer);
  const statements = listedByKind.get(kind) ?? listedStatements(viewer);
  listedByKind.set(kind, statements);
  const { userId } = viewer;
  const count = await reader.first(statements.size, { userId });
  const rows = await reader.all(statements.page, { userId, limit: page.limit, offset: page.offset });
  return { items: rows.map(toProject), size: count?.size ?? 0 };
}

/** Whoever approves projects sees those that wait for it. */
const approves = (viewer: Viewer, criterion: ProjectCriterion) =>
  criterion.kind === 'status' && criterion.status === 'pending' && holds(viewer, delegation.projectApproval);

function requireListing(viewer: Viewer, criterion: ProjectCriterion): void {
  if (approves(viewer, criterion)) return;
  if (criterion.kind === 'status' && !holds(viewer, delegation.projectManagement))
    throw forbidden('You may not list projects by their status.');
}

/** A page of projects, by id. */
export async function listProjects(
  reader: Reader,
  viewer: Viewer,
  { criterion, ...page }: ProjectListing,
  extensions: readonly ProjectExtension[],
): Promise<Slice<Project>> {
  if (criterion.kind === 'listed') return listUsual(reader, viewer, page);
  requireListing(viewer, criterion);
  const query = matching(reader, viewer, criterion, extensions);
  const count = await reader.first(sizeOf(query));
  return { items: (await reader.all(pageOf(query, page))).map(toProject), size: count?.size ?? 0 };
}

/** Whether all words are in what a project says of itself. */
function saysAll({ label, shortname, description }: Project, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = fold(`${label}\n${shortname}\n${description}`);
  return words.every((word) => text.includes(word));
}

/** The projects in the order that is asked for; what is alike comes by id. */
async function inOrder(
  reader: Reader,
  viewer: Viewer,
  projects: readonly Project[],
  order: SortedProjectListing['order'],
  extensions: readonly ProjectExtension[],
): Promise<readonly Project[]> {
  if (order === 'id') return projects;
  if (order === 'name') {
    const keys = new Map(projects.map((project) => [project, fold(project.label)]));
    const keyOf = (project: Project) => keys.get(project) ?? '';
    return projects.toSorted((left, right) => compareTexts(keyOf(left), keyOf(right)));
  }
  const figures = await readFigures(reader, viewer, projects, extensions);
  const activityOf = ({ id }: Project) => figures.get(id)?.lastActivityAt ?? 0;
  return projects.toSorted((left, right) => activityOf(right) - activityOf(left));
}

/**
 * A page of projects by words that they say of themselves, or in another order. No index knows either, so all projects that
 * the viewer may see are looked at: to be run off the event loop.
 */
export async function listSortedProjects(
  reader: Reader,
  viewer: Viewer,
  { criterion, words, order, limit, offset }: SortedProjectListing,
  extensions: readonly ProjectExtension[],
): Promise<Slice<Project>> {
  requireListing(viewer, criterion);
  const query =
    criterion.kind === 'listed'
      ? all(projectsWithOwn(reader.sql, viewer.userId), accessibleTo(viewer), isListed(viewer))
      : matching(reader, viewer, criterion, extensions);
  const rows = await reader.all(query.select(projectColumns).orderBy('project.id'));
  const sought = foldedWords(words);
  const found = rows.map(toProject).filter((project) => saysAll(project, sought));
  const sorted = await inOrder(reader, viewer, found, order, extensions);
  return { items: sorted.slice(offset, offset + limit), size: found.length };
}

/** A few projects whose names have all words: preferred ones first, then one's own, each by name. */
export async function searchProjects(
  reader: Reader,
  viewer: Viewer,
  { words, projectId, preferred, limit }: QuickSearch,
): Promise<Project[]> {
  const listed = all(projectsWithOwn(reader.sql, viewer.userId), accessibleTo(viewer), isListed(viewer));
  const query = projectId === undefined ? listed : listed.where('project.id', '=', projectId);
  const rows = await reader.all(query.select(projectColumns));
  const named = rows
    .map((row) => ({ project: toProject(row), name: fold(`${row.label}\n${row.shortname}`) }))
    .filter(({ name }) => words.every((word) => name.includes(word)));
  const isOwn = ({ project: { membership } }: (typeof named)[number]) => (membership === 'none' ? 1 : 0);
  const sorted = named.toSorted(
    (left, right) => isOwn(left) - isOwn(right) || compareTexts(left.name, right.name),
  );
  return preferredFirst(
    sorted.map(({ project }) => project),
    preferred,
  ).slice(0, limit);
}

/** Activates or suspends a project, for those who manage projects. */
export async function changeProjectStatus(
  tx: Transaction,
  viewer: Viewer,
  { id, status }: { id: number; status: 'active' | 'suspended' },
): Promise<void> {
  if (!holds(viewer, delegation.projectManagement)) throw forbidden('You may not manage projects.');
  await lockProject(tx, id);
  const project = await findProject(tx, viewer, id);
  if (project === undefined || isHidden(project.status)) throw notFound('Project does not exist');
  if (id <= lastBuiltInProjectId) throw forbidden('The status of a built-in project cannot be changed.');
  await storeStatus(tx, viewer, project, status);
}

/** Stores a status that the viewer may give, and tells everybody. */
export async function storeStatus(
  tx: Transaction,
  viewer: Viewer,
  project: Pick<Project, 'id' | 'status' | 'shortname'>,
  status: ProjectStatus,
): Promise<void> {
  requireStatusChange(viewer, project, status);
  if (status === project.status) return;
  if (status === 'deleted') return markDeleted(tx, viewer, project);
  await tx.run(tx.sql.updateTable('project').set({ status }).where('id', '=', project.id));
  const details = { before: project.status, after: status };
  const event = { kind: 'project_status', subject: project.shortname, details } as const;
  await recordPlatformEvent(tx, viewer.userId, event);
  await projectChanged(tx, viewer, project.id);
}
