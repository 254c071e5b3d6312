import { forbidden, invalid, notFound } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  countsAsAdministrator,
  groupIds,
  requireProject,
  requireProjectWritable,
  requireUserGroup,
  type UserGroup,
} from '../../projects/index.ts';
import type { Reader, Transaction } from '../../storage/index.ts';

/** Project administrators choose who else administers repositories. */
async function requireChooser(reader: Reader, viewer: Viewer, projectId: number) {
  const project = await requireProject(reader, viewer, projectId, 'project');
  if (!countsAsAdministrator(viewer, project)) throw forbidden('Only project administrators may do this.');
  return project;
}

const idsOf = async (reader: Reader, projectId: number) => {
  const query = reader.sql.selectFrom('svn_administrator').select('group_id').orderBy('group_id');
  return (await reader.all(query.where('project_id', '=', projectId))).map(({ group_id }) => group_id);
};

const endlessOrNobody: readonly number[] = [groupIds.everybody, groupIds.nobody];

/** The groups whose members administer the repositories of a project; its administrators always do. */
export async function readSvnAdministrators(
  reader: Reader,
  viewer: Viewer,
  projectId: number,
): Promise<UserGroup[]> {
  const project = await requireChooser(reader, viewer, projectId);
  const ids = await idsOf(reader, projectId);
  const chosen = ids.length === 0 ? [groupIds.projectAdmins] : ids;
  const dynamic: readonly number[] = [
    groupIds.projectMembers,
    groupIds.projectAdmins,
    groupIds.wikiAdmins,
    groupIds.fileManagerAdmins,
  ];
  return Array.fromAsync(chosen, (id) =>
    requireUserGroup(reader, viewer, dynamic.includes(id) ? `${project.id}_${id}` : String(id), 'project'),
  );
}

/** Chooses those groups anew. An empty list leaves the project administrators. */
export async function setSvnAdministrators(
  tx: Transaction,
  viewer: Viewer,
  { projectId, groups }: { readonly projectId: number; readonly groups: readonly string[] },
): Promise<void> {
  const project = await requireChooser(tx, viewer, projectId);
  requireProjectWritable(project);
  const chosen = new Set<number>();
  for (const text of groups) {
    const group = await requireUserGroup(tx, viewer, text, 'project').catch(() => undefined);
    if (group === undefined) throw notFound(`There is no user group ${text}.`);
    if (endlessOrNobody.includes(group.id))
      throw invalid(`The group ${text} cannot administer repositories.`);
    if (group.project !== null && group.project.id !== projectId)
      throw invalid(`The group ${text} belongs to another project.`);
    chosen.add(group.id);
  }
  await tx.run(tx.sql.deleteFrom('svn_administrator').where('project_id', '=', projectId));
  for (const group_id of chosen)
    await tx.run(tx.sql.insertInto('svn_administrator').values({ project_id: projectId, group_id }));
}
