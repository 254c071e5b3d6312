// The code of the server as a few files, made anew whenever a source file has changed. Every thread of every process loads the
// code: from hundreds of files that takes a start more than twice the processor time, and a quarter more memory.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const server = dirname(import.meta.dirname);
const root = dirname(server);
const maker = join(import.meta.dirname, 'make-bundle.mjs');
const sources = [join(server, 'src'), join(root, 'contract', 'src')];

/** What tells which libraries are installed: npm's own list, and the two that the set-up makes. */
const libraries = [
  '.package-lock.json',
  ...['kysely', 'typebox'].map((name) => join('@bundled', name, 'index.js')),
].map((file) => join(root, 'node_modules', file));

/** Where bundles are kept, each in a folder that is named after the sources it was made of. */
export const bundles = join(server, '.cache', 'code');

/** Folder by folder: Node takes four times as long for all of them at once, which every start would wait for. */
const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });

const watched = () => [maker, ...libraries, ...sources.flatMap(filesBelow)].sort();

/** Changes with every change of the code and of its libraries, and where the code is moved: a bundle names the places of its sources. */
export function stampOfSources() {
  const hash = createHash('sha256');
  for (const file of watched()) {
    const { size, ctimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    hash.update(`${file} ${size} ${ctimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 20);
}

/** The file of a bundle that tells what it was made of, whenever its sources were written. */
export const contentsFile = 'contents';

/** As the stamp, by the bytes themselves: slower, and the same in a copy of the folder. */
export function contentsOfSources() {
  const hash = createHash('sha256');
  for (const file of watched()) hash.update(`${file}\n`).update(bytesOf(file) ?? '');
  return hash.digest('hex');
}

function bytesOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const isThere = (folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined;

/** A bundle of the same sources that was made before they were copied here, as into an image of a container. */
function bundleOfSameContents() {
  if (!isThere(bundles)) return undefined;
  const contents = contentsOfSources();
  return readdirSync(bundles)
    .map((name) => join(bundles, name))
    .find((folder) => bytesOf(join(folder, contentsFile))?.toString() === contents);
}

/**
 * The address of the folder with a bundle of the code as it is now. Undefined where there can be none, for want of a bundler for the platform
 * or of the right to write: then the sources themselves serve as well.
 */
export function bundleOfCode() {
  const stamp = stampOfSources();
  const folder = join(bundles, stamp);
  if (isThere(folder)) return pathToFileURL(folder).href;
  const same = bundleOfSameContents();
  if (same !== undefined) return pathToFileURL(same).href;
  // In a process of its own: the bundler takes more memory than the whole server.
  spawnSync(process.execPath, [maker, stamp], { stdio: 'ignore' });
  return isThere(folder) ? pathToFileURL(folder).href : undefined;
}
