import type { Page, Slice } from '../../kernel/paging.ts';
import { fold } from '../../kernel/text.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import { accessibleTo, projectsWithOwn } from '../../projects/index.ts';
import { type Reader, sql } from '../../storage/index.ts';

/** A query that somebody keeps, with where that is. */
export interface KeptQuery {
  readonly id: string;
  readonly widgetId: number;
  readonly text: string;
  readonly title: string;
  readonly description: string;
  readonly isDefault: boolean;
  /** Null for one's own. */
  readonly project: { readonly id: number; readonly label: string; readonly shortname: string } | null;
  readonly mayChange: boolean;
}

const columns = [
  'search_query.id',
  'search_query.widget_id as widgetId',
  'search_query.tql_query as text',
  'search_query.title',
  'search_query.description',
  'search_query.is_default as isDefault',
] as const;

/** Those of one person at the most; a project has as many. */
const mostRead = 2000;

async function ofViewer(reader: Reader, viewer: Viewer): Promise<readonly KeptQuery[]> {
  if (isAnonymous(viewer)) return [];
  const own = reader.sql
    .selectFrom('search_widget')
    .innerJoin('search_query', 'search_query.widget_id', 'search_widget.id')
    .where('search_widget.owner_id', '=', viewer.userId);
  const rows = await reader.all(own.select(columns).orderBy('search_query.id').limit(mostRead));
  return rows.map((row) => ({ ...row, isDefault: row.isDefault === 1, project: null, mayChange: true }));
}

const ownFirst = sql<number>`case when own.account_id is null then 1 else 0 end`;

async function inProjects(
  reader: Reader,
  viewer: Viewer,
  projectId: number | undefined,
): Promise<readonly KeptQuery[]> {
  let found = projectsWithOwn(reader.sql, viewer.userId)
    .innerJoin('search_widget', 'search_widget.project_id', 'project.id')
    .innerJoin('search_query', 'search_query.widget_id', 'search_widget.id')
    .where('project.status', '=', 'active')
    .where(accessibleTo(viewer));
  if (projectId !== undefined) found = found.where('project.id', '=', projectId);
  const rows = await reader.all(
    found
      .select(columns)
      .select(['project.id as projectId', 'project.label', 'project.shortname', 'own.is_admin as isAdmin'])
      .orderBy(ownFirst)
      .orderBy('project.label')
      .orderBy('project.id')
      .orderBy('search_query.id')
      .limit(mostRead),
  );
  return rows.map(({ projectId: id, label, shortname, isAdmin, isDefault, ...row }) => ({
    ...{ ...row, isDefault: isDefault === 1, project: { id, label, shortname } },
    mayChange: viewer.isSiteAdmin || isAdmin === 1,
  }));
}

export interface KeptQuerySearch extends Page {
  /** As they are compared; all must be in the title. */
  readonly words: readonly string[];
  readonly projectId: number | undefined;
}

/** Queries that are kept where the viewer sees them: their own, those of their projects, then all others. */
export async function listKeptQueries(
  reader: Reader,
  viewer: Viewer,
  { words, projectId, limit, offset }: KeptQuerySearch,
): Promise<Slice<KeptQuery>> {
  const own = projectId === undefined ? await ofViewer(reader, viewer) : [];
  const all = [...own, ...(await inProjects(reader, viewer, projectId))];
  const found = all.filter(({ title }) => words.every((word) => fold(title).includes(word)));
  return { items: found.slice(offset, offset + limit), size: found.length };
}
