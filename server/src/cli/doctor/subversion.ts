import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from './finding.ts';

/** Something Subversion needs: any of the files will do, in any of the folders. */
interface Part {
  readonly name: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The Debian package that brings it. */
  readonly debianPackage: string;
}

const programFolders = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
];
const moduleFolders = [
  '/usr/lib/apache2/modules',
  '/usr/lib64/httpd/modules',
  '/usr/lib/httpd/modules',
  '/usr/local/libexec/apache24',
  '/opt/homebrew/lib/httpd/modules',
];

const parts: readonly Part[] = [
  ...['svn', 'svnadmin', 'svnlook'].map((name) => ({
    name,
    files: [name],
    folders: programFolders,
    debianPackage: 'subversion',
  })),
  { name: 'apache2', files: ['apache2', 'httpd'], folders: programFolders, debianPackage: 'apache2-bin' },
  ...['mod_dav_svn', 'mod_authz_svn'].map((name) => ({
    name,
    files: [`${name}.so`],
    folders: moduleFolders,
    debianPackage: 'libapache2-mod-svn',
  })),
];

const isThere = (path: string) =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

async function isMissing({ files, folders }: Part): Promise<boolean> {
  const paths = folders
    .filter((folder) => folder !== '')
    .flatMap((folder) => files.map((file) => join(folder, file)));
  return !(await Promise.all(paths.map(isThere))).includes(true);
}

async function versionOfSvn(): Promise<string> {
  const run = promisify(execFile);
  return run('svn', ['--version', '--quiet'], { timeout: 5000 }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}

/** Without Subversion everything else works, so that it is missing is no problem of the instance. */
export async function checkSubversion(): Promise<Finding> {
  const about = 'Subversion';
  const lacks = await Promise.all(parts.map(isMissing));
  const missing = parts.filter((_, index) => lacks[index]);
  if (missing.length === 0)
    return { about, state: 'ok', says: `svn ${await versionOfSvn()}, Apache and its modules are there.` };
  const packages = [...new Set(missing.map(({ debianPackage }) => debianPackage))].join(' ');
  return {
    about,
    state: 'warning',
    says: `Not found: ${missing.map(({ name }) => name).join(', ')}. Repositories cannot be used; all else can.`,
    advice: `Install them, on Debian with: apt install ${packages}`,
  };
}
