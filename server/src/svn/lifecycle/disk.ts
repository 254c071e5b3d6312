import { appendFile, chmod, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workFileName } from '../../kernel/work-files.ts';
import {
  clientFolder,
  hookNames,
  hookScript,
  type RepositoryPlace,
  type SvnWorkspace,
} from '../workspace/index.ts';

/**
 * Equal files are not shared inside a repository: the index for that is kept in a database which cannot be opened in a
 * folder that was handed over.
 */
const withoutSharing = '\n[rep-sharing]\nenable-rep-sharing = false\n';

async function configure(svnWorkspace: SvnWorkspace, place: RepositoryPlace): Promise<void> {
  const path = svnWorkspace.pathOf(place, 'db', 'fsfs.conf');
  const text = (await readFile(path, 'utf8')).replace(/^\[rep-sharing\]$/m, '');
  await svnWorkspace.write(path, text);
  await appendFile(path, withoutSharing);
}

/** Writes the hooks; those that are there already are written anew. */
export async function installHooks(svnWorkspace: SvnWorkspace, place: RepositoryPlace): Promise<void> {
  const folder = svnWorkspace.pathOf(place, 'hooks');
  await svnWorkspace.makeFolder(folder);
  for (const file of await readdir(folder)) if (file.endsWith('.tmpl')) await rm(join(folder, file));
  for (const name of hookNames) {
    const path = join(folder, name);
    await svnWorkspace.write(path, hookScript(name), 0o700);
    await chmod(path, 0o700);
  }
}

/** Whether the hooks are as they should be. */
export async function hasHooks(svnWorkspace: SvnWorkspace, place: RepositoryPlace): Promise<boolean> {
  for (const name of hookNames) {
    const text = await readFile(svnWorkspace.pathOf(place, 'hooks', name), 'utf8').catch(() => '');
    if (text !== hookScript(name)) return false;
  }
  return true;
}

/** Makes an empty repository, without hooks, so that what is put into it next passes by the rules. */
export async function makeRepository(svnWorkspace: SvnWorkspace, place: RepositoryPlace): Promise<void> {
  await svnWorkspace.makeFolder(dirname(svnWorkspace.pathOf(place)));
  // What a creation that was cut off left behind.
  await rm(svnWorkspace.pathOf(place), { recursive: true, force: true });
  await svnWorkspace.mustRun('svnadmin', ['create', svnWorkspace.seenAt(place)]);
  await configure(svnWorkspace, place);
}

/** Makes folders in one commit. */
export async function makeLayout(
  svnWorkspace: SvnWorkspace,
  place: RepositoryPlace,
  folders: readonly string[],
  author: string,
): Promise<void> {
  if (folders.length === 0) return;
  const url = svnWorkspace.urlOf(place);
  const actions = folders.flatMap((folder) => ['mkdir', folder.split('/').map(encodeURIComponent).join('/')]);
  await svnWorkspace.makeFolder(join(svnWorkspace.folder, '.server', 'client'));
  const options = ['--non-interactive', '--no-auth-cache', '--config-dir', clientFolder(svnWorkspace)];
  await svnWorkspace.mustRun(
    'svnmucc',
    [...options, '-u', author, '-m', 'Initial layout creation', '-U', url, '-X', '-'],
    `${actions.join('\n')}\n`,
  );
}

export async function removeRepository(svnWorkspace: SvnWorkspace, place: RepositoryPlace): Promise<void> {
  const path = svnWorkspace.pathOf(place);
  const grave = join(dirname(path), workFileName('.removed'));
  await rename(path, grave).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rm(grave, { recursive: true, force: true });
}
