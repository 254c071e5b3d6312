import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const web = join(root, 'web');

/** What starts a build, in a process of its own. */
export const buildScript = join(web, 'bin', 'build.mjs');

/** Where builds are kept, each in a folder that is named after the sources it was made of. */
export const buildsFolder = join(web, '.cache');

export const folderOf = (digest: string) => join(buildsFolder, digest);

const folders = [
  ...['src', 'public', 'bin'].map((name) => join(web, name)),
  ...['client', 'contract'].map((name) => join(root, name, 'src')),
  // The help shows them.
  join(root, 'docs'),
];

function filesIn(folder: string, { recursive }: { readonly recursive: boolean }): string[] {
  const entries = readdirSync(folder, { recursive, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

const besides = ['package-lock.json', 'README.md', 'SECURITY.md'];

/** All that a build is made of: what lies beside the sources tells how they are built. */
function sources(): string[] {
  const below = folders.flatMap((folder) => filesIn(folder, { recursive: true }));
  return [...filesIn(web, { recursive: false }), ...besides.map((name) => join(root, name)), ...below].sort();
}

/** Changes with every change of what the web application is made of, and with nothing else: a copied folder or an image of a container has the same. */
export function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const file of sources()) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 20);
}

/** Is in a build whose files are compressed as well as can be. */
export const compressedMark = 'compressed';

export const isBuilt = (digest: string) => existsSync(folderOf(digest));

/** Whether nothing of a build is left to be done. */
export const isCompressed = (digest: string) => existsSync(join(folderOf(digest), compressedMark));
