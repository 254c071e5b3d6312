import { preferredFirst, type QuickSearch } from '../kernel/quick-search.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { accessibleTo, projectsWithOwn } from '../projects/index.ts';
import { contains, type Reader, sql } from '../storage/index.ts';

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
