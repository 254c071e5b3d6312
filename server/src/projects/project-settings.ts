import { readSettings, recordTask, taskTypes } from '../identity/index.ts';
import { forbidden, invalidMember } from '../kernel/errors.ts';
import { delegation, holds, type Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { toFlag } from '../storage/index.ts';
import { projectChanged } from './changed.ts';
import { projectNameFault, restrictedAccessFault } from './create.ts';
import { recordInHistory } from './history.ts';
import { storeStatus } from './list.ts';
import {
  type AccessLevel,
  descriptionFault,
  iconFault,
  isHidden,
  labelFault,
  lastBuiltInProjectId,
  type Project,
  type ProjectStatus,
  refuse,
  shortnameKey,
} from './model.ts';
import { requireAccess, requireAdministrator, requireWritable } from './policy.ts';
import {
  allProjectFields,
  fieldValueFaults,
  type ProjectFieldValue,
  parseFieldValues,
  toFieldValues,
} from './project-fields.ts';
import { findProject, lockProject } from './store.ts';

/** What administrators of a project decide about it. */
export interface EditableSettings {
  readonly label: string;
  readonly shortname: string;
  readonly description: string;
  readonly icon: string;
  readonly access: AccessLevel;
  readonly isTemplate: boolean;
  readonly hasSynchronisedMembership: boolean;
  /** Mails tell nothing but where to look. */
  readonly hasTruncatedMails: boolean;
  /** Static groups whose members may manage the members of the project, by the ids that the API gives them. */
  readonly membershipDelegation: readonly string[];
  readonly fields: readonly ProjectFieldValue[];
}

export interface ProjectSettings extends EditableSettings {
  readonly project: Project;
}

export interface ProjectSettingsChanges extends Partial<EditableSettings> {
  readonly id: number;
  readonly status?: ProjectStatus;
}

/** Administrators see the settings, and whoever may decide about the status of the project in its present state. */
async function requireSettings(reader: Reader, viewer: Viewer, id: number): Promise<Project> {
  const project = await findProject(reader, viewer, id);
  const isApprover = project?.status === 'pending' && holds(viewer, delegation.projectApproval);
  const isManager = holds(viewer, delegation.projectManagement);
  if (project !== undefined && !isHidden(project.status) && (isApprover || isManager)) return project;
  const accessible = requireAccess(viewer, project, 'project');
  requireAdministrator(viewer, accessible);
  return accessible;
}

async function settingsOf(reader: Reader, project: Project): Promise<ProjectSettings> {
  const { label, shortname, description, icon, access, isTemplate } = project;
  const query = reader.sql
    .selectFrom('project')
    .select(['has_synchronised_membership', 'has_truncated_mails']);
  const row = await reader.first(query.where('id', '=', project.id));
  const delegated = reader.sql.selectFrom('membership_delegation').select('group_id');
  const groups = await reader.all(delegated.where('project_id', '=', project.id).orderBy('group_id'));
  const values = parseFieldValues(project.fieldValues);
  const fields = await allProjectFields(reader);
  return {
    ...{ project, label, shortname, description, icon, access, isTemplate },
    hasSynchronisedMembership: row?.has_synchronised_membership === 1,
    hasTruncatedMails: row?.has_truncated_mails === 1,
    membershipDelegation: groups.map(({ group_id }) => String(group_id)),
    fields: fields.map(({ id }) => ({ fieldId: id, value: values[id] ?? '' })),
  };
}

export async function readProjectSettings(
  reader: Reader,
  viewer: Viewer,
  id: number,
): Promise<ProjectSettings> {
  return settingsOf(reader, await requireSettings(reader, viewer, id));
}

/** Whether mails about the project tell nothing but where to look. */
export async function isMailTruncated(reader: Reader, id: number): Promise<boolean> {
  const query = reader.sql.selectFrom('project').select('has_truncated_mails').where('id', '=', id);
  return (await reader.first(query))?.has_truncated_mails === 1;
}

/** What is sent back as it was read is no change: it needs no right and passes every check. */
function differences(current: EditableSettings, input: Partial<EditableSettings>): Partial<EditableSettings> {
  const asRead: Readonly<Record<string, unknown>> = { ...current };
  const isSameName = input.shortname === shortnameKey(current.shortname);
  const entries = Object.entries(input).filter(
    ([name, value]) =>
      value !== undefined &&
      JSON.stringify(value) !== JSON.stringify(asRead[name]) &&
      !(name === 'shortname' && isSameName),
  );
  return Object.fromEntries(entries) as Partial<EditableSettings>;
}

async function checkAccess(tx: Transaction, viewer: Viewer, project: Project, access: AccessLevel) {
  const settings = await readSettings(tx);
  if (project.id <= lastBuiltInProjectId)
    throw forbidden('The visibility of a built-in project cannot be changed.');
  if (!settings.project_visibility_choice && !viewer.isSiteAdmin)
    throw forbidden('Only site administrators choose the visibility of projects on this platform.');
  if (restrictedAccessFault(access, settings) !== undefined)
    throw invalidMember('access', `"${access}" needs a platform that has restricted users.`);
}

async function checkChanges(
  tx: Transaction,
  viewer: Viewer,
  project: Project,
  { label, shortname, description, icon, access, fields }: Partial<EditableSettings>,
): Promise<void> {
  if (label !== undefined) refuse(labelFault(label));
  if (description !== undefined) refuse(descriptionFault(description));
  if (icon !== undefined) refuse(iconFault(icon));
  if (access !== undefined) await checkAccess(tx, viewer, project, access);
  if (fields !== undefined) refuse(fieldValueFaults(await allProjectFields(tx), fields)[0]);
  if (shortname === undefined) return;
  if (project.id <= lastBuiltInProjectId) throw forbidden('A built-in project cannot be renamed.');
  await tx.alone('names');
  refuse(await projectNameFault(tx, viewer, shortname, project.id));
}

/** Static groups of this project; their ids may be written with the project in front. */
async function delegatedGroups(
  tx: Transaction,
  projectId: number,
  texts: readonly string[],
): Promise<Set<number>> {
  const known = await tx.all(
    tx.sql.selectFrom('user_group').select('id').where('project_id', '=', projectId),
  );
  const groups = texts.map((text) => {
    const group = known.find(({ id }) => text === String(id) || text === `${projectId}_${id}`);
    if (group !== undefined) return group.id;
    throw invalidMember('membership_delegation', `There is no user group ${text} defined by this project.`);
  });
  return new Set(groups);
}

async function storeDelegation(
  tx: Transaction,
  project_id: number,
  groups: ReadonlySet<number>,
): Promise<void> {
  await tx.run(tx.sql.deleteFrom('membership_delegation').where('project_id', '=', project_id));
  for (const group_id of groups)
    await tx.run(tx.sql.insertInto('membership_delegation').values({ project_id, group_id }));
}

async function storeChanges(
  tx: Transaction,
  viewer: Viewer,
  project: Project,
  { label, shortname, description, icon, access, isTemplate, ...others }: Partial<EditableSettings>,
): Promise<void> {
  const {
    hasSynchronisedMembership: isSynchronised,
    hasTruncatedMails,
    membershipDelegation,
    fields,
  } = others;
  const groups = membershipDelegation && (await delegatedGroups(tx, project.id, membershipDelegation));
  const columns = {
    ...(label === undefined ? {} : { label }),
    ...(shortname === undefined ? {} : { shortname, shortname_key: shortnameKey(shortname) }),
    ...(description === undefined ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
    ...(access === undefined ? {} : { access }),
    ...(isTemplate === undefined ? {} : { is_template: toFlag(isTemplate) }),
    ...(isSynchronised === undefined ? {} : { has_synchronised_membership: toFlag(isSynchronised) }),
    ...(hasTruncatedMails === undefined ? {} : { has_truncated_mails: toFlag(hasTruncatedMails) }),
    ...(fields === undefined ? {} : { field_values: toFieldValues(fields) }),
  };
  if (Object.keys(columns).length > 0)
    await tx.run(tx.sql.updateTable('project').set(columns).where('id', '=', project.id));
  if (groups !== undefined) await storeDelegation(tx, project.id, groups);
  if (shortname !== undefined)
    await recordTask(tx, taskTypes.projectRenamed, `${project.shortname} is now ${shortname}`);
  if (access !== undefined)
    await recordTask(tx, taskTypes.projectVisibility, `${project.shortname} is ${access}`);
  await projectChanged(tx, viewer, project.id);
}

/** The names that the API has for settings. */
const settingNames: Readonly<Record<keyof EditableSettings, string>> = {
  label: 'label',
  shortname: 'shortname',
  description: 'description',
  icon: 'icon',
  access: 'access',
  isTemplate: 'is_template',
  hasSynchronisedMembership: 'has_synchronised_membership',
  hasTruncatedMails: 'has_truncated_mails',
  membershipDelegation: 'membership_delegation',
  fields: 'fields',
};

const inWords = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Each setting that changed is told, with what it was. */
async function noteChanges(
  tx: Transaction,
  viewer: Viewer,
  before: ProjectSettings,
  changes: Partial<EditableSettings>,
): Promise<void> {
  for (const name of Object.keys(settingNames) as (keyof EditableSettings)[]) {
    if (changes[name] === undefined) continue;
    const details = { before: inWords(before[name]), after: inWords(changes[name]) };
    const entry = { event: 'settings_change', subject: settingNames[name], details };
    await recordInHistory(tx, viewer, before.project.id, entry);
  }
}

/** Changes settings, all or nothing. A suspended project can only be activated, a deleted one not be changed. */
export async function changeProjectSettings(
  tx: Transaction,
  viewer: Viewer,
  { id, status, ...input }: ProjectSettingsChanges,
): Promise<ProjectSettings> {
  await lockProject(tx, id);
  const project = await requireSettings(tx, viewer, id);
  const before = await settingsOf(tx, project);
  const changes = differences(before, input);
  if (Object.keys(changes).length > 0) {
    requireAdministrator(viewer, project);
    requireWritable(project);
    await checkChanges(tx, viewer, project, changes);
    await storeChanges(tx, viewer, project, changes);
    await noteChanges(tx, viewer, before, changes);
  }
  if (status !== undefined) await storeStatus(tx, viewer, project, status);
  const changed = await findProject(tx, viewer, id);
  return settingsOf(tx, changed ?? project);
}
