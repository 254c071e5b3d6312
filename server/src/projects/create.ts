import {
  findAccount,
  findAccountByName,
  isUsable,
  readSettings,
  recordPlatformEvent,
  recordTask,
  type Settings,
  taskTypes,
} from '../identity/index.ts';
import { invalid, invalidMember, Refusal, tooMany } from '../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { logEvent, type Reader, type Transaction } from '../storage/index.ts';
import { projectChanged } from './changed.ts';
import type { ProjectExtension } from './extension.ts';
import {
  type AccessLevel,
  accessOf,
  descriptionFault,
  labelFault,
  type Project,
  shortnameFault,
  shortnameKey,
} from './model.ts';
import { creationFault } from './policy.ts';
import {
  allProjectFields,
  fieldValueFaults,
  type ProjectFieldValue,
  toFieldValues,
} from './project-fields.ts';
import { findProjectByShortname, toProject } from './store.ts';
import {
  chosenTemplateFault,
  comesFromArchive,
  fillProject,
  type TemplateChoice,
  templateChoiceFault,
} from './templates.ts';

export interface NewProject extends TemplateChoice {
  readonly shortname: string;
  readonly label: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly allowRestricted: boolean | null;
  /** There are no categories yet, so any entry is an unknown one. */
  readonly categories: number;
  readonly fields: readonly ProjectFieldValue[];
  /** Who administers it first, when the command line creates it. */
  readonly administratorId?: number | undefined;
}

/** The account that administers what the command line creates for nobody in particular. */
export const firstAdministratorId = 101;

interface Proposal {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly settings: Settings;
  readonly project: NewProject;
}

type Faults = readonly (Refusal | undefined)[];

/** Everything that must be right about a new project; refusals come in this order. */
const checks: readonly ((proposal: Proposal) => Promise<Faults> | Faults)[] = [
  ({ viewer, settings }) => [creationFault(viewer, settings)],
  async (proposal) => [await quotaFault(proposal)],
  async ({ reader, viewer, project }) => [await projectNameFault(reader, viewer, project.shortname)],
  ({ project }) => [labelFault(project.label)],
  ({ project, settings }) => [
    project.description === '' && settings.project_description_mandatory
      ? invalid('`description` is required.')
      : descriptionFault(project.description),
  ],
  (proposal) => [accessFault(proposal)],
  async ({ reader, viewer, project }) => [
    templateChoiceFault(project),
    await chosenTemplateFault(reader, viewer, project),
  ],
  ({ project }) => [
    project.categories > 0
      ? invalidMember('categories', 'There are no categories on this platform.')
      : undefined,
  ],
  async ({ reader, project }) => fieldValueFaults(await allProjectFields(reader), project.fields),
  async ({ reader, project }) => [await administratorFault(reader, project)],
];

async function faultsOf(reader: Reader, viewer: Viewer, project: NewProject): Promise<Refusal[]> {
  const proposal = { reader, viewer, project, settings: await readSettings(reader) };
  const found: Refusal[] = [];
  for (const check of checks) {
    for (const fault of await check(proposal)) if (fault !== undefined) found.push(fault);
  }
  return found;
}

/** Too many projects wait for approval already, on the platform or of this person. */
async function quotaFault({ reader, viewer, settings }: Proposal): Promise<Refusal | undefined> {
  if (!settings.project_approval || viewer.credential.kind === 'command-line') return undefined;
  const { pending_projects_limit: limit, pending_projects_limit_per_user: limitPerUser } = settings;
  const pending = reader.sql.selectFrom('project').where('status', '=', 'pending');
  const own = pending
    .innerJoin('project_member', 'project_member.project_id', 'project.id')
    .where('account_id', '=', viewer.userId)
    .where('is_admin', '=', 1);
  const onPlatform = await reader.first(pending.select((row) => row.fn.countAll<number>().as('count')));
  if (limit > 0 && (onPlatform?.count ?? 0) >= limit)
    return tooMany('Too many projects wait for approval on this platform.');
  const ofViewer = await reader.first(own.select((row) => row.fn.countAll<number>().as('count')));
  if (limitPerUser > 0 && (ofViewer?.count ?? 0) >= limitPerUser)
    return tooMany('Too many of your projects wait for approval.');
  return undefined;
}

/** Names of projects and of users share one space. */
export async function projectNameFault(
  reader: Reader,
  viewer: Viewer,
  shortname: string,
  ownId?: number,
): Promise<Refusal | undefined> {
  const fault = shortnameFault(shortname);
  if (fault !== undefined) return fault;
  const project = await findProjectByShortname(reader, viewer, shortname);
  if (project !== undefined && project.id !== ownId)
    return invalidMember('shortname', 'This name is already used by a project.');
  if ((await findAccountByName(reader, shortname)) !== undefined)
    return invalidMember('shortname', 'This name is already used by a user.');
  return undefined;
}

export function restrictedAccessFault(access: AccessLevel, settings: Settings): Refusal | undefined {
  if (settings.access_mode === 'restricted' || access === 'public' || access === 'private') return undefined;
  return invalidMember('allow_restricted', `"${access}" needs a platform that has restricted users.`);
}

function accessFault({ viewer, settings, project }: Proposal): Refusal | undefined {
  const access = accessOf(project.isPublic, project.allowRestricted);
  if (viewer.isRestricted && access === 'private-wo-restr')
    return invalidMember('allow_restricted', 'You would be shut out of the project yourself.');
  const { project_visibility_choice, project_default_access } = settings;
  if (!project_visibility_choice && access !== project_default_access)
    return invalidMember('is_public', `New projects are always ${project_default_access} on this platform.`);
  return restrictedAccessFault(access, settings);
}

async function administratorFault(reader: Reader, project: NewProject): Promise<Refusal | undefined> {
  if (project.administratorId === undefined) return undefined;
  const account = await findAccount(reader, project.administratorId);
  return account !== undefined && isUsable(account.status)
    ? undefined
    : invalidMember('administrator', 'There is no such account in use.');
}

/** Refuses with every problem that creating the project would meet. */
export async function checkNewProject(reader: Reader, viewer: Viewer, project: NewProject): Promise<void> {
  if (comesFromArchive(project)) throw invalid('`dry_run` is not available with `from_archive`.');
  const faults = await faultsOf(reader, viewer, project);
  if (faults.length === 0) return;
  throw new Refusal('invalid', '', { userMessages: faults.map(({ detail }) => detail) });
}

/** What a project is when it is made, or when its archive is in it. */
export async function statusOfNew(reader: Reader, viewer: Viewer): Promise<'active' | 'pending'> {
  const { project_approval } = await readSettings(reader);
  return project_approval && viewer.credential.kind !== 'command-line' ? 'pending' : 'active';
}

function administratorOf(viewer: Viewer, { administratorId }: NewProject): number {
  if (viewer.credential.kind !== 'command-line') return viewer.userId;
  return administratorId ?? firstAdministratorId;
}

async function insertProject(tx: Transaction, viewer: Viewer, project: NewProject): Promise<Project> {
  const isHidden = comesFromArchive(project);
  const row = {
    label: project.label,
    shortname: project.shortname,
    shortname_key: shortnameKey(project.shortname),
    description: project.description,
    status: isHidden ? 'importing' : await statusOfNew(tx, viewer),
    access: accessOf(project.isPublic, project.allowRestricted),
    icon: '',
    is_template: 0,
    field_values: toFieldValues(project.fields),
    has_synchronised_membership: 0,
    banner: null,
    header_background: null,
    created_at: Date.now(),
  } as const;
  const [stored] = await tx.all(tx.sql.insertInto('project').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new project has no id.');
  const account_id = administratorOf(viewer, project);
  const administrator = { project_id: stored.id, account_id, is_admin: 1 } as const;
  // Nobody is in a project that nobody sees.
  if (!isHidden) await tx.run(tx.sql.insertInto('project_member').values(administrator));
  return toProject({ ...row, id: stored.id, is_admin: account_id === viewer.userId ? 1 : null });
}

/** Creates a project; who creates it administers it. */
export async function createProject(
  tx: Transaction,
  viewer: Viewer,
  input: NewProject,
  extensions: readonly ProjectExtension[],
): Promise<Project> {
  if (isAnonymous(viewer)) throw new Refusal('unauthenticated');
  // Names and the number of waiting projects are looked at by one creation at a time.
  await tx.alone('names');
  const [fault] = await faultsOf(tx, viewer, input);
  if (fault !== undefined) throw fault;
  const project = await insertProject(tx, viewer, input);
  await recordPlatformEvent(tx, viewer.userId, { kind: 'project_create', subject: project.shortname });
  if (comesFromArchive(input)) return project;
  await fillProject(tx, viewer, project.id, input, extensions);
  await recordTask(tx, taskTypes.memberAdded, `${project.shortname} has its first administrator`);
  await projectChanged(tx, viewer, project.id, 'created');
  await logEvent(tx, 'standing.changed', { accountIds: [viewer.userId] });
  return project;
}
