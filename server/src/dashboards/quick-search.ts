import { preferredFirst, type QuickSearch } from '../kernel/quick-search.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { accessibleTo, projectsWithOwn } from '../projects/index.ts';
import { contains, type Reader, sql } from '../storage/index.ts';

/** A dashboard as a look by words finds it. */
export interface NamedDashboard {
  readonly id: number;
  readonly title: string;
  /** Null for one's own. */
  readonly projectLabel: string | null;
}

/** Found ones of which the best are chosen. */
const mostFound = 200;

const ownFirst = sql<number>`case when own.account_id is null then 1 else 0 end`;

async function inProjects(reader: Reader, viewer: Viewer, { words, projectId }: QuickSearch) {
  let found = projectsWithOwn(reader.sql, viewer.userId)
    .innerJoin('dashboard', 'dashboard.project_id', 'project.id')
    .where('project.status', '=', 'active')
    .where(accessibleTo(viewer));
  if (projectId !== undefined) found = found.where('project.id', '=', projectId);
  for (const word of words) found = found.where(contains('dashboard.title_key', word));
  return reader.all(
    found
      .select(['dashboard.id', 'dashboard.title', 'project.label as projectLabel'])
      .orderBy(ownFirst)
      .orderBy('dashboard.title_key')
      .orderBy('dashboard.id')
      .limit(mostFound),
  );
}

async function ofViewer(reader: Reader, viewer: Viewer, { words, projectId }: QuickSearch) {
  if (isAnonymous(viewer) || projectId !== undefined) return [];
  let found = reader.sql.selectFrom('dashboard').where('owner_id', '=', viewer.userId);
  for (const word of words) found = found.where(contains('dashboard.title_key', word));
  const rows = await reader.all(found.select(['id', 'title']).orderBy('title_key').orderBy('id'));
  return rows.map((row) => ({ ...row, projectLabel: null }));
}

/** A few dashboards that the viewer sees and whose titles have all words, their own first. */
export async function searchDashboards(
  reader: Reader,
  viewer: Viewer,
  search: QuickSearch,
): Promise<NamedDashboard[]> {
  const found = [...(await ofViewer(reader, viewer, search)), ...(await inProjects(reader, viewer, search))];
  return preferredFirst(found, search.preferred).slice(0, search.limit);
}
