import { recordTasks, taskTypes } from '../../identity/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Project } from '../../projects/index.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import { findAccessFault, membersGroup } from '../access/index.ts';
import type { SvnDeps } from '../deps.ts';
import { defaultSettings, type RepositorySettings } from '../model.ts';
import { findAnyRow, settingsOf } from '../store.ts';
import { build } from './create.ts';
import { removeRepository } from './disk.ts';
import { lastCommitIn, loadDump } from './dumps.ts';

/** A repository as an archive tells of it. */
export interface ArchivedRepository {
  readonly name: string;
  /** The file with its dump; null for one without history. */
  readonly dump: string | null;
  readonly accessText: string;
  readonly notifications: readonly { readonly path: string; readonly emails: readonly string[] }[];
}

export interface ImportedRepository {
  readonly id: number;
  /** What Subversion says against its access file; until that is corrected only members get in, to read. */
  readonly fault: string | undefined;
}

/** All groups of a project, as if somebody were in each: whoever they are comes later than the access file. */
async function groupsToCome(
  reader: Reader,
  projectId: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const query = reader.sql.selectFrom('user_group').select('name').where('project_id', '=', projectId);
  const names = (await reader.all(query)).map(({ name }) => name);
  return new Map([membersGroup, ...names].map((name) => [name, ['somebody']]));
}

/** Makes a repository from an archive, with all its history. Nobody sees it before `showRepositories`. */
export async function importRepository(
  svnDeps: SvnDeps,
  viewer: Viewer,
  project: Pick<Project, 'id' | 'access'>,
  { name, dump, accessText: input, notifications }: ArchivedRepository,
): Promise<ImportedRepository> {
  // As access files that come by the API.
  const accessText = input.trim();
  const { database, operations, svnWorkspace } = svnDeps;
  await svnWorkspace.makeFolder(svnWorkspace.folder);
  const groups = await groupsToCome(database, project.id);
  const generated = { groups, isPublic: true, hasDefaultPermissions: true };
  const fault = accessText === '' ? undefined : await findAccessFault(svnWorkspace, generated, accessText);
  const told = notifications.map(({ path, emails }) => ({ path, emails, users: [], groups: [] }));
  const id = await operations.insertImportedRepository(viewer, {
    ...{ projectId: project.id, name, hasFaultyAccess: fault !== undefined },
    settings: { ...defaultSettings, accessText, notifications: told },
  });
  await build(svnDeps, viewer, project, id, async (place) => {
    if (dump !== null) await loadDump(svnWorkspace, place, dump);
  });
  const last = await lastCommitIn(svnWorkspace, { projectId: project.id, name });
  await operations.noteLastCommit(viewer, { id, ...last });
  return { id, fault: fault && `line ${fault.line}: ${fault.words}` };
}

/** Lets imported repositories be seen. */
export async function showRepositories(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(tx.sql.updateTable('svn_repository').set({ state: 'live' }).where('id', 'in', ids));
  const rows = tx.sql.selectFrom('svn_repository').select(['name', 'project_id']).where('id', 'in', ids);
  const there = (await tx.all(rows.orderBy('id'))).map(
    ({ name, project_id }) => `${name} of project ${project_id} is there`,
  );
  await recordTasks(tx, taskTypes.repositoryCreated, there);
}

/** Removes repositories of an import that came to nothing. */
export async function discardRepositories(
  svnDeps: SvnDeps,
  viewer: Viewer,
  ids: readonly number[],
): Promise<void> {
  for (const id of ids) {
    const row = await findAnyRow(svnDeps.database, id);
    if (row?.state !== 'creating') continue;
    await removeRepository(svnDeps.svnWorkspace, { projectId: row.project_id, name: row.name });
    await svnDeps.operations.abandonRepository(viewer, { id });
  }
}

/** A repository as archives tell of it. */
export interface ExportedRepository extends Omit<ArchivedRepository, 'dump'> {
  /** What archives have no form for. */
  readonly losses: readonly string[];
}

/** Elsewhere the platform lets people in by itself, as it does not here: so the project says that it does not. */
const closedToAll = '# Nobody gets in but those who are named below.\n[/]\n* =\n@members =\n\n';

const lossesOf = (
  { commitRules, immutableTags, notifications }: RepositorySettings,
  subjectHeader: string,
): string[] => {
  const { isReferenceMandatory, isMessageChangeAllowed } = commitRules;
  const toNames = notifications.filter(({ users, groups }) => users.length + groups.length > 0);
  return [
    ...(isReferenceMandatory || isMessageChangeAllowed ? ['commit rules'] : []),
    ...(immutableTags.paths.length > 0 ? ['immutable tags'] : []),
    ...(toNames.length > 0 ? ['mails to people and groups'] : []),
    ...(subjectHeader === '' ? [] : ['the beginning of subjects']),
  ];
};

/** All repositories of a project, for whoever exports it. */
export async function exportedRepositories(reader: Reader, projectId: number): Promise<ExportedRepository[]> {
  const query = reader.sql.selectFrom('svn_repository').selectAll().where('project_id', '=', projectId);
  const rows = await reader.all(query.where('state', '=', 'live').orderBy('id'));
  return Array.fromAsync(rows, async (row) => {
    const settings = await settingsOf(reader, row);
    const { accessText: own, notifications, hasDefaultPermissions } = settings;
    const accessText = hasDefaultPermissions ? own : `${closedToAll}${own}`;
    return { name: row.name, accessText, notifications, losses: lossesOf(settings, row.subject_header) };
  });
}
