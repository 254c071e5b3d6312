import { findAccount } from '../../identity/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Project } from '../../projects/index.ts';
import { readSections, writeAccess } from '../access/index.ts';
import type { SvnDeps } from '../deps.ts';
import { layoutFolders, type RepositorySettings } from '../model.ts';
import { requireProjectWithSvn, requireSvnAdministrator } from '../policy.ts';
import { describeNotifications, describeRules, describeTags } from '../records/index.ts';
import { checkSettings, type SettingsInput } from '../settings/index.ts';
import { findAnyRow } from '../store.ts';
import type { RepositoryPlace } from '../workspace/index.ts';
import { installHooks, makeLayout, makeRepository, removeRepository } from './disk.ts';

/** Fills the folder of a repository that was written down; what fails leaves nothing. */
export async function build(
  { database, operations, svnWorkspace }: SvnDeps,
  viewer: Viewer,
  project: Pick<Project, 'id' | 'access'>,
  id: number,
  fill: (place: RepositoryPlace) => Promise<void>,
): Promise<void> {
  const row = await findAnyRow(database, id);
  if (row === undefined) throw new Error(`The repository ${id} is gone.`);
  const place = { projectId: row.project_id, name: row.name };
  try {
    await makeRepository(svnWorkspace, place);
    await fill(place);
    await installHooks(svnWorkspace, place);
    await writeAccess(svnWorkspace, place, await readSections(database, project, row));
  } catch (error) {
    await removeRepository(svnWorkspace, place);
    await operations.abandonRepository(viewer, { id });
    throw error;
  }
}

/** Creates a repository; it is on disk when this is done. Gives its id. */
export async function createRepository(
  svnDeps: SvnDeps,
  viewer: Viewer,
  input: {
    readonly projectId: number;
    readonly name: string;
    readonly settings: SettingsInput;
    readonly layout: readonly string[];
  },
): Promise<number> {
  const { database, operations, svnWorkspace } = svnDeps;
  const { projectId, name } = input;
  const project = await requireProjectWithSvn(database, viewer, projectId);
  await svnDeps.parts.require().catch(async (error: unknown) => {
    // Who may not have one is told that rather than what is missing.
    await requireSvnAdministrator(database, viewer, project);
    throw error;
  });
  await svnWorkspace.makeFolder(svnWorkspace.folder);
  const folders = layoutFolders(input.layout);
  const settings = await checkSettings(database, svnWorkspace, project, input.settings);
  const id = await operations.beginRepository(viewer, { projectId, name, settings });
  const { commitRules, immutableTags, notifications, accessText } = input.settings;
  const hasFullSettings = [commitRules, immutableTags, notifications, accessText].some(
    (part) => part !== undefined,
  );
  const subject = describeCreation(name, hasFullSettings ? settings : undefined);
  const author = (await findAccount(database, viewer.userId))?.name.toLowerCase() ?? 'admin';
  await build(svnDeps, viewer, project, id, (place) => makeLayout(svnWorkspace, place, folders, author));
  const revision = folders.length === 0 ? 0 : 1;
  await operations.publishRepository(viewer, { id, revision, subject, hasFullSettings });
  return id;
}

function describeCreation(name: string, settings: RepositorySettings | undefined): string {
  if (settings === undefined) return `Repository: ${name}`;
  return [
    `Repository: ${name}`,
    describeRules(settings),
    describeTags(settings),
    describeNotifications(settings),
    `Access file: ${settings.accessText}`,
  ].join('\n');
}
