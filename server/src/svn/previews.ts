import { invalidMember } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type AccessTrial, readGeneratedAccess, tryAccessText } from './access/index.ts';
import { browsedPath, openRepository } from './browse/index.ts';
import type { SvnDeps } from './deps.ts';
import { type ImmutableTags, protectionOf } from './immutable-tags.ts';
import { checkImmutableTags, trimmedTags } from './model.ts';
import { requireOwnRepository } from './policy.ts';

type Deps = Pick<SvnDeps, 'database' | 'svnWorkspace' | 'parts'>;

/** What an access file would mean, for those who administer the repository. */
export async function tryAccessFile(
  svnDeps: Deps,
  viewer: Viewer,
  wish: {
    readonly id: number;
    readonly text: string;
    readonly hasDefaultPermissions: boolean | undefined;
    /** Of whom and where the outcome is wanted. */
    readonly login: string | undefined;
    readonly path: string | undefined;
  },
): Promise<AccessTrial> {
  const { database } = svnDeps;
  const { row, project } = await requireOwnRepository(database, viewer, wish.id);
  await svnDeps.parts.require();
  if (wish.login === undefined && wish.path !== undefined)
    throw invalidMember('username', 'Whoever asks what may be done at a path names a person.');
  const generated = await readGeneratedAccess(
    database,
    project,
    wish.hasDefaultPermissions ?? row.has_default_permissions === 1,
  );
  const asked =
    wish.login === undefined ? undefined : { login: wish.login, path: browsedPath(wish.path ?? '/') };
  return tryAccessText(svnDeps.svnWorkspace, generated, { text: wish.text, repository: row.name, asked });
}

/** Folders that are looked at. */
const mostFolders = 10_000;

/** What immutable tags would mean for the folders there are, for those who administer the repository. */
export async function previewTags(
  svnDeps: Deps,
  viewer: Viewer,
  { id, tags: input }: { readonly id: number; readonly tags: ImmutableTags },
): Promise<{ sealed: string[]; open: string[] }> {
  await requireOwnRepository(svnDeps.database, viewer, id);
  checkImmutableTags(input);
  const tags = trimmedTags(input);
  const view = await openRepository(svnDeps, viewer, id);
  const folders = await view.folders((folder) => protectionOf(folder, tags) !== undefined, mostFolders);
  return {
    sealed: folders.filter((folder) => protectionOf(folder, tags) === 'sealed'),
    open: folders.filter((folder) => protectionOf(folder, tags) === 'open'),
  };
}
