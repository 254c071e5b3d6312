import type { Project } from '../../projects/index.ts';
import type { Reader } from '../../storage/index.ts';
import type { ExportedRepository } from '../../svn/index.ts';

const inWords = new Intl.ListFormat('en');

const counted = (count: number, one: string, several = `${one}s`): string[] =>
  count === 0 ? [] : [count === 1 ? `one ${one}` : `${count} ${several}`];

async function keptQueries(reader: Reader, projectId: number): Promise<number> {
  const query = reader.sql
    .selectFrom('search_query')
    .innerJoin('search_widget', 'search_widget.id', 'search_query.widget_id')
    .select('search_query.id')
    .where('search_widget.project_id', '=', projectId);
  return (await reader.all(query)).length;
}

async function personalReports(reader: Reader, projectId: number): Promise<number> {
  const query = reader.sql
    .selectFrom('report')
    .innerJoin('tracker', 'tracker.id', 'report.tracker_id')
    .select('report.id')
    .where('tracker.project_id', '=', projectId)
    .where('tracker.deleted_at', 'is', null)
    .where('report.owner_id', 'is not', null);
  return (await reader.all(query)).length;
}

async function hasFieldValues(reader: Reader, projectId: number): Promise<boolean> {
  const query = reader.sql.selectFrom('project').select('field_values').where('id', '=', projectId);
  const values = JSON.parse((await reader.first(query))?.field_values ?? '{}');
  return Object.values(values).some((value) => value !== '');
}

/** What a project has that archives have no form for, in words. */
export async function projectLosses(reader: Reader, { id, shortname }: Project): Promise<string[]> {
  const countOf = async (table: 'dashboard' | 'webhook' | 'label') =>
    (await reader.all(reader.sql.selectFrom(table).select('id').where('project_id', '=', id))).length;
  const lost = [
    ...counted(await countOf('dashboard'), 'dashboard'),
    ...counted(await keptQueries(reader, id), 'kept query', 'kept queries'),
    ...counted(await countOf('webhook'), 'webhook'),
    ...counted(await countOf('label'), 'label'),
    ...counted(await personalReports(reader, id), 'personal report'),
    ...((await hasFieldValues(reader, id)) ? ['values of project fields'] : []),
  ];
  return lost.length === 0
    ? []
    : [`Archives have no form for ${inWords.format(lost)} of the project ${shortname}: left out.`];
}

/** And what its repositories have. */
export const repositoryLosses = (repositories: readonly ExportedRepository[]): string[] =>
  repositories
    .filter(({ losses }) => losses.length > 0)
    .map(
      ({ name, losses }) =>
        `Archives have no form for ${inWords.format(losses)} of the repository ${name}: left out.`,
    );
