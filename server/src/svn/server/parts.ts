import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { second } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';

/** Something Subversion needs: any of the files will do, in any of the folders. */
interface Part {
  readonly name: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The Debian package that brings it. */
  readonly debianPackage: string;
}

/** Other folders than the usual ones, for whoever has these programs elsewhere. */
const chosenFolders = process.env['ATELIER_SVN_PATH']?.split(delimiter).filter((folder) => folder !== '');

export const programFolders =
  chosenFolders ??
  [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ].filter((folder) => folder !== '');

const moduleFolders = chosenFolders ?? [
  '/usr/lib/apache2/modules',
  '/usr/lib64/httpd/modules',
  '/usr/lib/httpd/modules',
  '/usr/local/libexec/apache24',
  '/opt/homebrew/lib/httpd/modules',
];

const program = (name: string, debianPackage: string, files = [name]): Part => ({
  ...{ name, files, debianPackage },
  folders: programFolders,
});

const parts: readonly Part[] = [
  ...['svn', 'svnadmin', 'svnlook', 'svnauthz'].map((name) => program(name, 'subversion')),
  program('apache2', 'apache2-bin', ['apache2', 'httpd']),
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

async function find({ files, folders }: Pick<Part, 'files' | 'folders'>): Promise<string | undefined> {
  for (const folder of folders)
    for (const file of files) if (await isThere(join(folder, file))) return join(folder, file);
  return undefined;
}

/** What is not installed of what Subversion needs. */
export interface Missing {
  readonly names: readonly string[];
  /** The Debian packages that bring it. */
  readonly packages: readonly string[];
}

/** Undefined when everything is there. */
export async function missingParts(): Promise<Missing | undefined> {
  const found = await Promise.all(parts.map(find));
  const missing = parts.filter((_, index) => found[index] === undefined);
  if (missing.length === 0) return undefined;
  return {
    names: missing.map(({ name }) => name),
    packages: [...new Set(missing.map(({ debianPackage }) => debianPackage))],
  };
}

let isComplete = false;

/** What was there once is not looked for again. */
async function stillMissing(): Promise<Missing | undefined> {
  const missing = isComplete ? undefined : await missingParts();
  isComplete = missing === undefined;
  return missing;
}

/** Who only wants to know asks often: what is missing is looked for again after a while. */
const lookAgainAfter = 5 * second;
let looked = { at: 0, found: Promise.resolve(false) };

export async function hasSubversion(): Promise<boolean> {
  const isRecent = Math.abs(Date.now() - looked.at) < lookAgainAfter;
  if (!isComplete && !isRecent)
    looked = { at: Date.now(), found: stillMissing().then((missing) => missing === undefined) };
  return isComplete || looked.found;
}

/** Refuses where Subversion is not installed. */
export async function requireSubversion(): Promise<void> {
  const missing = await stillMissing();
  if (missing !== undefined)
    throw unavailable(
      `Subversion is not installed on this server. It needs the packages ${missing.packages.join(', ')}.`,
    );
}

/** Where Apache and its modules are. */
export async function findApache(): Promise<{ program: string; modules: string }> {
  const apache = await find({ files: ['apache2', 'httpd'], folders: programFolders });
  const dav = await find({ files: ['mod_dav_svn.so'], folders: moduleFolders });
  if (apache === undefined || dav === undefined)
    throw new Error('Apache or its module for Subversion is gone.');
  return { program: apache, modules: join(dav, '..') };
}
