import type { Page, Slice } from '../kernel/paging.ts';
import { preferredFirst, type QuickSearch } from '../kernel/quick-search.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { accessibleTo, projectsWithOwn, requireProject } from '../projects/index.ts';
import { contains, type Reader, sql } from '../storage/index.ts';
import { type Repository, type RepositorySettings, repositoryNameKey } from './model.ts';
import { isSvnAdministrator, requireRepository } from './policy.ts';
import { settingsOf } from './store.ts';

/** A repository, with its settings for those who administer it. */
export interface SeenRepository extends Repository {
  readonly settings: (RepositorySettings & { readonly subjectHeader: string }) | undefined;
}

export async function readRepository(reader: Reader, viewer: Viewer, id: number): Promise<SeenRepository> {
  const { row, project } = await requireRepository(reader, viewer, id);
  const isAdministrator = await isSvnAdministrator(reader, viewer, project);
  return {
    ...{ id: row.id, project, name: row.name },
    lastCommitAt: row.last_commit_at,
    deletionDueAt: row.deletion_due_at,
    settings: isAdministrator
      ? { ...(await settingsOf(reader, row)), subjectHeader: row.subject_header }
      : undefined,
  };
}

export interface RepositoryListing extends Page {
  readonly projectId: number;
  /** The whole name, in any letter case. */
  readonly name: string | undefined;
}

/** The repositories of a project by name. */
export async function listRepositories(
  reader: Reader,
  viewer: Viewer,
  { projectId, name, limit, offset }: RepositoryListing,
): Promise<Slice<Repository>> {
  const project = await requireProject(reader, viewer, projectId, 'project');
  let matching = reader.sql
    .selectFrom('svn_repository')
    .where('project_id', '=', projectId)
    .where('state', '=', 'live');
  if (name !== undefined) matching = matching.where('name_key', '=', repositoryNameKey(name));
  const counted = await reader.first(matching.select((row) => row.fn.countAll<number>().as('size')));
  const columns = ['id', 'name', 'last_commit_at', 'deletion_due_at'] as const;
  const rows = await reader.all(matching.select(columns).orderBy('name_key').limit(limit).offset(offset));
  const items = rows.map((row) => ({
    ...{ id: row.id, project, name: row.name },
    lastCommitAt: row.last_commit_at,
    deletionDueAt: row.deletion_due_at,
  }));
  return { items, size: counted?.size ?? 0 };
}

/** A repository as a look by words finds it. */
export interface NamedRepository {
  readonly id: number;
  readonly name: string;
  readonly projectLabel: string;
}

/** A few repositories of projects that the viewer sees, whose names have all words; those of their own projects first. */
export async function searchRepositories(
  reader: Reader,
  viewer: Viewer,
  { words, projectId, preferred, limit }: QuickSearch,
): Promise<NamedRepository[]> {
  let found = projectsWithOwn(reader.sql, viewer.userId)
    .innerJoin('svn_repository as repository', 'repository.project_id', 'project.id')
    .where('repository.state', '=', 'live')
    .where('project.status', '=', 'active')
    .where(accessibleTo(viewer));
  if (projectId !== undefined) found = found.where('project.id', '=', projectId);
  for (const word of words) found = found.where(contains('repository.name_key', word));
  const ownFirst = sql<number>`case when own.account_id is null then 1 else 0 end`;
  const rows = await reader.all(
    found
      .select(['repository.id', 'repository.name', 'project.label as projectLabel'])
      .orderBy(ownFirst)
      .orderBy('repository.name_key')
      .orderBy('repository.id')
      .limit(mostFound),
  );
  return preferredFirst(rows, preferred).slice(0, limit);
}

/** Found ones of which the best are chosen. */
const mostFound = 200;
