import { recordTask, taskTypes } from '../identity/index.ts';
import { invalid, invalidMember, notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { projectChanged } from './changed.ts';
import { type ProjectExtension, tellChange } from './extension.ts';
import {
  builtInGroups,
  dynamicGroups,
  formatGroupId,
  groupIds,
  isBuiltInGroupName,
  parseGroupAddress,
} from './groups.ts';
import { recordInHistory } from './history.ts';
import { isPrivate, longestText, type Project } from './model.ts';
import { type AccessTarget, requireAdministrator } from './policy.ts';
import { requireProject, requireProjectForWriting } from './require-access.ts';

/** A group of users: of the platform, built into every project, or `static`: made by one project. */
export interface UserGroup {
  readonly id: number;
  readonly kind: 'system' | 'dynamic' | 'static';
  /** Short name. */
  readonly name: string;
  /** Of a group that a project defined. */
  readonly description?: string;
  /** Null for groups of the platform. */
  readonly project: Project | null;
}

export const restIdOf = ({ id, project }: UserGroup) => formatGroupId(id, project?.id ?? null);

const longestName = 100;
const nameKey = (name: string) => name.toLowerCase();

const staticGroup = (
  { id, name, description }: { id: number; name: string; description: string },
  project: Project,
): UserGroup => ({ id, kind: 'static', name, description, project });

/** Finds the group that an id of the API names, in a project that the viewer may access. */
export async function requireUserGroup(
  reader: Reader,
  viewer: Viewer,
  text: string,
  accessTarget: AccessTarget,
): Promise<UserGroup> {
  const { groupId: id, projectId } = parseGroupAddress(text);
  const builtIn = builtInGroups.get(id);
  if (builtIn?.kind === 'system') return { id, kind: 'system', name: builtIn.name, project: null };
  if (builtIn !== undefined && projectId !== undefined) {
    const project = await requireProject(reader, viewer, projectId, accessTarget);
    return { id, kind: 'dynamic', name: builtIn.name, project };
  }
  const query = reader.sql
    .selectFrom('user_group')
    .select(['id', 'name', 'description', 'project_id'])
    .where('id', '=', id);
  const row = await reader.first(query);
  if (row === undefined || (projectId !== undefined && projectId !== row.project_id))
    throw notFound('There is no such user group.');
  const project = await requireProject(reader, viewer, row.project_id, accessTarget);
  return staticGroup(row, project);
}

/** Groups of the platform that make sense for a project: nobody would be in the others who is not in these. */
function systemGroupsFor({ access }: Project, viewer: Viewer): number[] {
  if (isPrivate(access)) return [];
  const isForRestricted = viewer.accessMode === 'restricted' && access === 'unrestricted';
  return [
    ...(viewer.accessMode === 'anonymous' ? [groupIds.everybody] : []),
    groupIds.registered,
    ...(isForRestricted ? [groupIds.authenticated] : []),
  ];
}

/** The groups of a project by their numeric ids. */
export async function listUserGroups(
  reader: Reader,
  viewer: Viewer,
  { projectId, withSystemGroups }: { projectId: number; withSystemGroups: boolean },
): Promise<UserGroup[]> {
  const project = await requireProject(reader, viewer, projectId, 'project');
  const query = reader.sql.selectFrom('user_group').select(['id', 'name', 'description']).orderBy('id');
  const rows = await reader.all(query.where('project_id', '=', projectId));
  const system = withSystemGroups ? systemGroupsFor(project, viewer) : [];
  const groups: UserGroup[] = [
    ...system.map((id) => ({
      id,
      kind: 'system' as const,
      name: builtInGroups.get(id)?.name ?? '',
      project: null,
    })),
    ...dynamicGroups.map(({ id, name }) => ({ id, kind: 'dynamic' as const, name, project })),
    ...rows.map((row) => staticGroup(row, project)),
  ];
  return groups.sort((a, b) => a.id - b.id);
}

async function checkName(tx: Transaction, project_id: number, name: string, ownId?: number): Promise<void> {
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    throw invalidMember('short_name', 'Only letters, digits, "-" and "_" are allowed.');
  if (name.length > longestName)
    throw invalidMember('short_name', `It must have at most ${longestName} characters.`);
  const query = tx.sql.selectFrom('user_group').select('id').where('project_id', '=', project_id);
  const taken = await tx.first(query.where('name_key', '=', nameKey(name)));
  if (isBuiltInGroupName(name) || (taken !== undefined && taken.id !== ownId))
    throw invalidMember('short_name', 'This name is already used in the project.');
}

function checkDescription(description: string): void {
  if (description.length > longestText)
    throw invalidMember('description', `It must have at most ${longestText} characters.`);
}

export interface NewUserGroup {
  readonly projectId: number;
  readonly name: string;
  readonly description: string;
}

export async function createUserGroup(
  tx: Transaction,
  viewer: Viewer,
  { projectId: project_id, name, description }: NewUserGroup,
): Promise<UserGroup> {
  const project = await requireProjectForWriting(tx, viewer, project_id);
  requireAdministrator(viewer, project);
  await checkName(tx, project_id, name);
  checkDescription(description);
  const row = { project_id, name, name_key: nameKey(name), description };
  const [stored] = await tx.all(tx.sql.insertInto('user_group').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new user group has no id.');
  await recordTask(tx, taskTypes.groupChanged, `${name} of ${project.shortname} is created`);
  await recordInHistory(tx, viewer, project_id, { event: 'group_create', subject: name });
  await projectChanged(tx, viewer, project.id);
  return staticGroup({ id: stored.id, name, description }, project);
}

async function requireStaticGroup(tx: Transaction, viewer: Viewer, text: string) {
  const { id, kind, name, description = '', project } = await requireUserGroup(tx, viewer, text, 'project');
  if (kind !== 'static' || project === null)
    throw invalid('Only groups that the project defined can be changed or deleted.');
  await requireProjectForWriting(tx, viewer, project.id);
  requireAdministrator(viewer, project);
  return { id, name, description, project };
}

export async function changeUserGroup(
  tx: Transaction,
  viewer: Viewer,
  { id: text, name, description }: { id: string; name?: string; description?: string },
  extensions: readonly ProjectExtension[],
): Promise<UserGroup> {
  const {
    id,
    name: oldName,
    description: oldDescription,
    project,
  } = await requireStaticGroup(tx, viewer, text);
  if (name !== undefined && name !== oldName) {
    await checkName(tx, project.id, name, id);
    const rename = tx.sql.updateTable('user_group').set({ name, name_key: nameKey(name) });
    await tx.run(rename.where('id', '=', id));
    await recordTask(tx, taskTypes.groupChanged, `${oldName} of ${project.shortname} is now ${name}`);
    const details = { before: oldName, after: name };
    await recordInHistory(tx, viewer, project.id, { event: 'group_rename', subject: oldName, details });
    const change = { kind: 'group-renamed', projectId: project.id, from: oldName, to: name } as const;
    await tellChange(tx, viewer, extensions, change);
  }
  if (description !== undefined) {
    checkDescription(description);
    await tx.run(tx.sql.updateTable('user_group').set({ description }).where('id', '=', id));
  }
  await projectChanged(tx, viewer, project.id);
  return staticGroup({ id, name: name ?? oldName, description: description ?? oldDescription }, project);
}

/** Deletes a group; what was granted to it is granted no more. */
export async function deleteUserGroup(
  tx: Transaction,
  viewer: Viewer,
  { id: text }: { id: string },
  extensions: readonly ProjectExtension[],
): Promise<void> {
  const { id, name, project } = await requireStaticGroup(tx, viewer, text);
  await tx.run(tx.sql.deleteFrom('user_group').where('id', '=', id));
  await recordTask(tx, taskTypes.groupChanged, `${name} of ${project.shortname} is deleted`);
  await recordInHistory(tx, viewer, project.id, { event: 'group_delete', subject: name });
  await tellChange(tx, viewer, extensions, { kind: 'group-deleted', projectId: project.id, groupId: id });
  await projectChanged(tx, viewer, project.id);
}
