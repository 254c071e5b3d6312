import { forbidden, invalid, invalidMember, notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  countsAsAdministrator,
  findProject,
  groupsOf,
  isHidden,
  type Project,
  requireProject,
  requireProjectWritable,
  usesService,
} from '../projects/index.ts';
import { type Reader, statement } from '../storage/index.ts';
import { svnService } from './model.ts';
import { findRow, type RepositoryRow } from './store.ts';

const administratorsOf = statement((sql, p: { projectId: number }) =>
  sql.selectFrom('svn_administrator').select('group_id').where('project_id', '=', p.projectId),
);

/** Project administrators, and the members of the groups that the project chose. */
export async function isSvnAdministrator(reader: Reader, viewer: Viewer, project: Project): Promise<boolean> {
  if (countsAsAdministrator(viewer, project)) return true;
  const chosen = await reader.all(administratorsOf, { projectId: project.id });
  if (chosen.length === 0) return false;
  const groups = await groupsOf(reader, viewer, project.id);
  return viewer.userId !== 0 && chosen.some(({ group_id }) => groups.includes(group_id));
}

export async function requireSvnAdministrator(
  reader: Reader,
  viewer: Viewer,
  project: Project,
): Promise<void> {
  if (!(await isSvnAdministrator(reader, viewer, project)))
    throw forbidden('Only those who administer the repositories of the project may do this.');
}

/** The project in which somebody wants a repository. Refusals come in the order that clients know. */
export async function requireProjectWithSvn(reader: Reader, viewer: Viewer, id: number): Promise<Project> {
  const project = await findProject(reader, viewer, id);
  if (project === undefined || isHidden(project.status))
    throw invalidMember('project_id', 'There is no such project.');
  if (project.status === 'suspended') requireProjectWritable(project);
  if (!(await usesService(reader, id, svnService)))
    throw invalid('The project does not use the Subversion service.');
  const accessible = await requireProject(reader, viewer, id, 'project');
  requireProjectWritable(accessible);
  return accessible;
}

async function requireRow(reader: Reader, id: number): Promise<RepositoryRow> {
  const row = await findRow(reader, id);
  if (row === undefined) throw notFound('There is no such repository.');
  return row;
}

/** A repository that the viewer may know of. */
export async function requireRepository(
  reader: Reader,
  viewer: Viewer,
  id: number,
): Promise<{ row: RepositoryRow; project: Project }> {
  const row = await requireRow(reader, id);
  return { row, project: await requireProject(reader, viewer, row.project_id, 'by-id') };
}

/** A repository that the viewer administers, in a project that can be written to. */
export async function requireOwnRepository(
  reader: Reader,
  viewer: Viewer,
  id: number,
): Promise<{ row: RepositoryRow; project: Project }> {
  const row = await requireRow(reader, id);
  const project = await requireProject(reader, viewer, row.project_id, 'project');
  requireProjectWritable(project);
  await requireSvnAdministrator(reader, viewer, project);
  return { row, project };
}
