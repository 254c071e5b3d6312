import { type ArchiveUpload, reserveArchiveUpload } from '../../files/index.ts';
import { findAccountByName, isSiteAdministrator, requireSiteAdministrator } from '../../identity/index.ts';
import { invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  checkImportedShortname,
  createProject,
  findProject,
  findProjectByShortname,
  type NewProject,
  type Project,
  requireFreeShortname,
  statusOfNew,
} from '../../projects/index.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import { demoName, insertImport, requireNoOpenImport } from './records.ts';
import { parseAutomap, parseUserMap, type UserMap } from './user-map.ts';

/** What whoever imports an archive wants of it. */
export interface ImportOptions {
  /** `no-email,create:A` and the like. */
  readonly automap?: string | undefined;
  /** CSV. */
  readonly userMap?: string | undefined;
  /** Short name or id of a project to import into. */
  readonly into?: string | undefined;
  /** Another short name for the new project. */
  readonly name?: string | undefined;
  readonly isTemplate?: boolean | undefined;
  readonly isDryRun?: boolean | undefined;
  /** A project that waits hidden for its content, which must hold no data; its own settings stay. */
  readonly reserved?: { readonly projectId: number; readonly status: 'active' | 'pending' } | undefined;
  /** Asked for by somebody who is no site administrator: the small limits hold. */
  readonly isByUser?: boolean | undefined;
  /** One password for every account that is made, hashed: for test data only. */
  readonly passwordHash?: string | undefined;
  /** The newest moment in the archive becomes now. */
  readonly isFresh?: boolean | undefined;
}

/** The mapping that the options give; undefined: that of the archive. */
export function userMapOf({ automap, userMap }: ImportOptions): UserMap | undefined {
  if (automap !== undefined && userMap !== undefined)
    throw invalidMember('automap', 'There is a mapping of users already.');
  if (automap !== undefined) return parseAutomap(automap);
  return userMap === undefined ? undefined : parseUserMap(userMap);
}

export async function projectCalled(
  reader: Reader,
  viewer: Viewer,
  name: string,
): Promise<Project | undefined> {
  const byName = await findProjectByShortname(reader, viewer, name);
  if (byName !== undefined) return byName;
  return /^\d{1,15}$/.test(name) ? findProject(reader, viewer, Number(name)) : undefined;
}

/** Refuses what can never succeed before anything is sent. */
async function checkOptions(reader: Reader, viewer: Viewer, options: ImportOptions): Promise<void> {
  userMapOf(options);
  if (options.into !== undefined && options.name !== undefined)
    throw invalidMember('name', 'A project that is there has its name already.');
  if (options.into !== undefined && (await projectCalled(reader, viewer, options.into)) === undefined)
    throw invalidMember('project', `There is no project ${options.into}.`);
  if (options.name === undefined) return;
  checkImportedShortname(options.name);
  await requireFreeShortname(reader, options.name);
}

/** Lets a site administrator upload an archive that is then imported; gives the id of the import. */
export async function requestImport(
  tx: Transaction,
  viewer: Viewer,
  { upload, options }: { upload: ArchiveUpload; options: ImportOptions },
): Promise<number> {
  requireSiteAdministrator(viewer);
  await requireNoOpenImport(tx, viewer);
  await checkOptions(tx, viewer, options);
  return insertImport(tx, {
    requestedBy: viewer.userId,
    fileName: upload.name,
    options: JSON.stringify(options),
    state: 'uploading',
    projectId: null,
    uploadId: await reserveArchiveUpload(tx, viewer, upload),
  });
}

/** Makes a project that stays hidden until the archive that its maker uploads is in it. */
export async function createProjectFromArchive(
  tx: Transaction,
  viewer: Viewer,
  { project, upload }: { project: NewProject; upload: ArchiveUpload },
): Promise<{ readonly projectId: number; readonly importId: number }> {
  await requireNoOpenImport(tx, viewer);
  const { id: projectId } = await createProject(tx, viewer, project, []);
  const reserved = { projectId, status: await statusOfNew(tx, viewer) };
  const options: ImportOptions = { reserved, isByUser: !viewer.isSiteAdmin };
  const importId = await insertImport(tx, {
    requestedBy: viewer.userId,
    fileName: upload.name,
    options: JSON.stringify(options),
    state: 'uploading',
    projectId,
    uploadId: await reserveArchiveUpload(tx, viewer, upload),
  });
  return { projectId, importId };
}

async function administers(reader: Reader, accountId: number, { id }: Project): Promise<boolean> {
  const query = reader.sql.selectFrom('project_member').select('is_admin').where('project_id', '=', id);
  return (await reader.first(query.where('account_id', '=', accountId)))?.is_admin === 1;
}

/** An account that may import for the command line: who gets a new project, or has the one that is imported into. */
export async function importerNamed(
  reader: Reader,
  viewer: Viewer,
  name: string,
  { into }: ImportOptions,
): Promise<number> {
  const account = await findAccountByName(reader, name);
  if (account === undefined) throw invalidMember('user', `There is no user ${name}.`);
  if (await isSiteAdministrator(reader, account.id)) return account.id;
  if (into === undefined)
    throw invalidMember(
      'user',
      `${name} is no administrator of the platform: only those import new projects.`,
    );
  const project = await projectCalled(reader, viewer, into);
  if (project === undefined) throw invalidMember('project', `There is no project ${into}.`);
  if (await administers(reader, account.id, project)) return account.id;
  throw invalidMember('user', `${name} administers neither the platform nor the project ${into}.`);
}

/** Writes down that the demo project is to be loaded, by whoever is there to do it. */
export async function requestDemo(tx: Transaction, _: Viewer, _input: undefined): Promise<void> {
  const options: ImportOptions = { automap: 'no-email,create:A', isFresh: true };
  await insertImport(tx, {
    requestedBy: 0,
    fileName: demoName,
    options: JSON.stringify(options),
    state: 'waiting',
    projectId: null,
    uploadId: null,
  });
}
