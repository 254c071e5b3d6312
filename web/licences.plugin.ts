import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A package that is installed with the product. */
export interface Library {
  readonly name: string;
  readonly version: string;
  /** As its authors name it, for example `MIT`; empty if nowhere. */
  readonly licence: string;
  /** What they want to be read with it; empty if it comes with no such words. */
  readonly text: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Where a package finds another one; undefined: it is not installed, because it is for other systems or nobody needs it. */
function folderOf(name: string, from: string): string | undefined {
  for (let at = from; at.startsWith(root) || `${at}/` === root; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return realpathSync(folder);
  }
  return undefined;
}

/** The words below the heading of a README that is about the licence. */
function inReadme(folder: string): string {
  const file = readdirSync(folder).find((name) => /^readme(\.\w+)?$/i.test(name));
  const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').split('\n');
  const start = lines.findIndex((line) => /^#+ *licen[cs]/i.test(line));
  if (start < 0) return '';
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}

function textIn(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
  return files.length === 0 ? inReadme(folder) : files.join('\n\n');
}

function libraryOf(folder: string, manifest: Manifest): Library {
  const { name, version, license } = manifest;
  const text = textIn(folder);
  const named = typeof license === 'string' ? license : license?.type;
  // Some say it in their README alone, in one word.
  return { name, version, licence: named ?? (/^[\w.-]+$/.test(text) ? text : ''), text };
}

/** What a package asks for; what it only gets on with is there if somebody else asks for it. */
function neededBy({
  dependencies,
  optionalDependencies,
  peerDependencies = {},
  peerDependenciesMeta,
}: Manifest): string[] {
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** All packages that come with the service and with the pages, whatever asks for them; none that only builds or tests the product need. */
export function readLibraries(): Library[] {
  const found = new Map<string, Library>();
  const follow = (folder: string) => {
    for (const name of neededBy(manifestIn(folder))) {
      const needed = folderOf(name, folder);
      if (needed === undefined || found.has(needed)) continue;
      const manifest = manifestIn(needed);
      // Packages of this repository are the product itself, and all of them are begun with.
      if (manifest.private === true) continue;
      found.set(needed, libraryOf(needed, manifest));
      follow(needed);
    }
  };
  for (const place of ['', 'server', 'contract', 'client', 'web']) follow(join(root, place));
  return [...found.values()].sort(
    (one, other) => one.name.localeCompare(other.name, 'en') || one.version.localeCompare(other.version),
  );
}

const listId = 'virtual:licences';
const textId = 'virtual:licence-texts';
const resolved = (id: string) => `\0${id}`;

/** Most texts differ in the line that names the authors alone: each paragraph is there once. */
function textsModule(libraries: readonly Library[]): string {
  const paragraphs = [...new Set(libraries.flatMap(({ text }) => text.split('\n\n')))];
  const places = new Map(paragraphs.map((paragraph, place) => [paragraph, place]));
  const texts = libraries.map(({ text }) => text.split('\n\n').map((paragraph) => places.get(paragraph)));
  return `export const paragraphs = ${JSON.stringify(paragraphs)};\nexport const texts = ${JSON.stringify(texts)};`;
}

/** Gives the help the libraries in the product with their licences, and the texts of these as a part of its own. */
export function licences(): Plugin {
  let known: Library[] | undefined;
  const all = () => {
    known ??= readLibraries();
    return known;
  };
  return {
    name: 'atelier-licences',
    buildStart() {
      known = undefined;
    },
    resolveId: (id) => (id === listId || id === textId ? resolved(id) : undefined),
    load(id) {
      if (id === resolved(textId)) return textsModule(all());
      if (id !== resolved(listId)) return undefined;
      const list = all().map(({ name, version, licence }) => [name, version, licence]);
      return `export const libraries = ${JSON.stringify(list)};`;
    },
  };
}
