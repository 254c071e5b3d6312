import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Project, requireProject } from '../projects/index.ts';
import type { Reader } from '../storage/index.ts';
import { type KnownCommit, lastCommitsOf } from './commits/index.ts';
import { type Repository, type RepositorySettings, repositoryNameKey } from './model.ts';
import { isSvnAdministrator, requireRepository } from './policy.ts';
import { type RepositoryRow, settingsOf } from './store.ts';

/** A repository as somebody sees it in a list. */
export interface ListedRepository extends Repository {
  /** The last one that they may know of. */
  readonly lastCommit: KnownCommit | null;
  readonly mayAdminister: boolean;
}

/** Commits among which the last one is looked for that somebody may know of. */
const mostLooked = 20;

async function listed(
  reader: Reader,
  viewer: Viewer,
  row: RepositoryRow,
  { project, mayAdminister }: { project: Project; mayAdminister: boolean },
): Promise<ListedRepository> {
  const { commits } = await lastCommitsOf(reader, viewer, row, { most: 1, looked: mostLooked });
  return {
    ...{ id: row.id, project, name: row.name },
    lastCommitAt: row.last_commit_at,
    deletionDueAt: row.deletion_due_at,
    lastCommit: commits[0] ?? null,
    mayAdminister,
  };
}

/** A repository, with its settings for those who administer it. */
export interface SeenRepository extends ListedRepository {
  readonly settings: (RepositorySettings & { readonly subjectHeader: string }) | undefined;
}

export async function readRepository(reader: Reader, viewer: Viewer, id: number): Promise<SeenRepository> {
  const { row, project } = await requireRepository(reader, viewer, id);
  const mayAdminister = await isSvnAdministrator(reader, viewer, project);
  return {
    ...(await listed(reader, viewer, row, { project, mayAdminister })),
    settings: mayAdminister
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
): Promise<Slice<ListedRepository>> {
  const project = await requireProject(reader, viewer, projectId, 'project');
  let matching = reader.sql
    .selectFrom('svn_repository')
    .where('project_id', '=', projectId)
    .where('state', '=', 'live');
  if (name !== undefined) matching = matching.where('name_key', '=', repositoryNameKey(name));
  const counted = await reader.first(matching.select((row) => row.fn.countAll<number>().as('size')));
  const rows = await reader.all(matching.selectAll().orderBy('name_key').limit(limit).offset(offset));
  const mayAdminister = await isSvnAdministrator(reader, viewer, project);
  const items: ListedRepository[] = [];
  for (const row of rows) items.push(await listed(reader, viewer, row, { project, mayAdminister }));
  return { items, size: counted?.size ?? 0 };
}
