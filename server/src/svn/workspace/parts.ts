import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { second } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { unavailable } from '../../kernel/errors.ts';

/** Something Subversion needs: any of the files will do, in any of the folders. */
interface Part {
  readonly name: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The Debian package that brings it. */
  readonly debianPackage: string;
}

const usualPrograms = ['/usr/bin', '/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

const usualModules = [
  '/usr/lib/apache2/modules',
  '/usr/lib64/httpd/modules',
  '/usr/lib/httpd/modules',
  '/usr/local/libexec/apache24',
  '/opt/homebrew/lib/httpd/modules',
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

/** Where Subversion and Apache are looked for. */
export type SvnPlaces = Pick<Config, 'svnPath' | 'searchPath'>;

const lookAgainAfter = 5 * second;

/** The programs and modules of Subversion and Apache on this machine. */
export class SvnParts {
  readonly #programFolders: readonly string[];
  readonly #moduleFolders: readonly string[];
  #isComplete = false;
  #looked = { at: 0, found: Promise.resolve(false) };

  constructor({ svnPath, searchPath }: SvnPlaces) {
    this.#programFolders = svnPath ?? [...searchPath, ...usualPrograms];
    this.#moduleFolders = svnPath ?? usualModules;
  }

  /** Programs of Subversion talk the same whatever the language of the machine, and take every name. */
  get environment() {
    return { LC_ALL: 'C.UTF-8', PATH: [...this.#programFolders, '/usr/bin', '/bin'].join(delimiter) };
  }

  #all(): Part[] {
    const program = (name: string, debianPackage: string, files = [name]): Part => ({
      ...{ name, files, debianPackage },
      folders: this.#programFolders,
    });
    return [
      ...['svn', 'svnadmin', 'svnlook', 'svnauthz'].map((name) => program(name, 'subversion')),
      program('apache2', 'apache2-bin', ['apache2', 'httpd']),
      ...['mod_dav_svn', 'mod_authz_svn'].map((name) => ({
        name,
        files: [`${name}.so`],
        folders: this.#moduleFolders,
        debianPackage: 'libapache2-mod-svn',
      })),
    ];
  }

  /** Undefined when everything is there. */
  async missing(): Promise<Missing | undefined> {
    const parts = this.#all();
    const found = await Promise.all(parts.map(find));
    const missing = parts.filter((_, index) => found[index] === undefined);
    if (missing.length === 0) return undefined;
    return {
      names: missing.map(({ name }) => name),
      packages: [...new Set(missing.map(({ debianPackage }) => debianPackage))],
    };
  }

  /** What was there once is not looked for again. */
  async #stillMissing(): Promise<Missing | undefined> {
    const missing = this.#isComplete ? undefined : await this.missing();
    this.#isComplete = missing === undefined;
    return missing;
  }

  /** For those who only want to know, and ask often: what is missing is looked for again after a while. */
  async areThere(): Promise<boolean> {
    const isRecent = Math.abs(Date.now() - this.#looked.at) < lookAgainAfter;
    if (!this.#isComplete && !isRecent)
      this.#looked = {
        at: Date.now(),
        found: this.#stillMissing().then((missing) => missing === undefined),
      };
    return this.#isComplete || this.#looked.found;
  }

  /** Refuses where Subversion is not installed. */
  async require(): Promise<void> {
    const missing = await this.#stillMissing();
    if (missing !== undefined)
      throw unavailable(
        `Subversion is not installed on this server. It needs the packages ${missing.packages.join(', ')}.`,
      );
  }

  /** Where Apache and its modules are. */
  async findApache(): Promise<{ program: string; modules: string }> {
    const apache = await find({ files: ['apache2', 'httpd'], folders: this.#programFolders });
    const dav = await find({ files: ['mod_dav_svn.so'], folders: this.#moduleFolders });
    if (apache === undefined || dav === undefined)
      throw new Error('Apache or its module for Subversion is gone.');
    return { program: apache, modules: join(dav, '..') };
  }
}
