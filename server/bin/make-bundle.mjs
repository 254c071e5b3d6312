// Makes the bundle that `bundle.mjs` asks for, and ends.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { bundles, contentsFile, contentsOfSources, stampOfSources } from './bundle.mjs';

/** A service that runs while its code is changed may still load a part of its own bundle; so a few are kept. */
const mostKept = 10;

const source = (name) => join(dirname(import.meta.dirname), 'src', `${name}.ts`);
const beginnings = [
  'main',
  ...['http', 'writer', 'searcher', 'long-searcher', 'background', 'importer', 'backup-maker'].map(
    (kind) => `threads/${kind}`,
  ),
  // Other threads load this room when they need it. As a part of the thread that answers requests, it would begin that thread too.
  'http/index',
  // These are loaded when the first text needs them; from their sources that would take half as long as a start.
  ...['markdown', 'sanitise', 'plain-text'].map((name) => `trackers/text/${name}`),
];

/** Other parts and libraries are given by the loader. Of Node is taken what is asked for: an import would load more, its fetch for some. */
const loading = (name) =>
  isBuiltin(name) ? `globalThis.process.getBuiltinModule("${name}")` : `$load("${name}")`;

/** The members of `a, b as c`. */
const membersIn = (list) =>
  list === undefined ? [] : list.split(', ').map((member) => member.split(' as '));

/** `import whole, { there as here } from "name"` with any of it left out. What a library gives as a whole is for its own loader to say. */
function withoutImport(line) {
  const form = /^import (?:([\w$]+)(?:, )?)?(?:\{ (.+) \})?(?: from )?"(.+)";$/;
  const [, whole, members, name] = form.exec(line) ?? [];
  if (name === undefined || (whole !== undefined && !isBuiltin(name))) return line;
  const given = loading(name);
  const taken = membersIn(members).map(([there, here = there]) => `${there}: ${here}`);
  if (whole === undefined && taken.length === 0) return `${given};`;
  return [
    ...(whole === undefined ? [] : [`const ${whole} = ${given};`]),
    ...(taken.length === 0 ? [] : [`const { ${taken.join(', ')} } = ${given};`]),
  ].join(' ');
}

/** `export { here as there }`, of the module itself or of another. */
function withoutExport(line) {
  const [isExport, members, name] = /^export \{(?: (.+) )?\}(?: from "(.+)")?;$/.exec(line) ?? [];
  if (isExport === undefined) return line;
  const given = membersIn(members).map(([here, there = here]) =>
    name === undefined ? `${there}: ${here}` : `${there}: $all.${here}`,
  );
  const all = name === undefined ? '' : `const $all = ${loading(name)}; `;
  return `${all}return { ${given.join(', ')} };`;
}

/**
 * A module of the bundler as a script: a function that gets what loads others, and gives what it exports. Imports come first and exports last,
 * and the lines stay as many as they are, for the source maps.
 */
function asScript(code, parts) {
  const lines = code.split('\n');
  const first = lines.findIndex((line) => !/^(import |\/\/|$)/.test(line));
  const last = lines.findLastIndex((line) => line.startsWith('export {'));
  const changed = lines.map((line, index) => {
    if (index === last) return withoutExport(line);
    return index < first ? withoutImport(line) : line;
  });
  const isGiven = (name) => !name.startsWith('.') || parts.has(basename(name));
  const body = changed
    .join('\n')
    .replaceAll(/\bimport\("([^"]+)"\)/g, (call, name) => (isGiven(name) ? `$import("${name}")` : call));
  const script = `(function ($load, $import) { 'use strict'; ${body}\n})`;
  // Whatever else only a module can say is a fault here, and now.
  new vm.Script(script);
  return script;
}

/** Libraries that every start loads, in as many files as they come; they bring along what they need themselves. */
const taken = ['@bundled/kysely', '@bundled/typebox', 'commander', 'fastify', 'pg', 'pino', 're2js', 'saxes'];
/** Parts of those that nobody here asks them for. */
const leftOut = [
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'],
  ...['pg-native', 'pg-cloudflare', 'thread-stream'],
];

/** Other libraries stay where they are, in files of their own. */
function isLibrary(id, importer) {
  if (/^[./\0]/.test(id) || id.startsWith('@atelier/')) return false;
  if (isBuiltin(id) || leftOut.includes(id)) return true;
  return !taken.includes(id) && !importer?.includes('/node_modules/');
}

/** What the bundler adds is in no file, and finds packages from here, whatever folder the service is started in. */
const placeOf = (id) => (id.startsWith('\0') ? import.meta.url : pathToFileURL(id).href);

/** Code that requires a part when it needs it is given it by the loader: from the folder of any other part, next to its own. */
const findParts = {
  name: 'find-parts',
  transform: {
    filter: { id: /\/trackers\/text\/index\.ts$/ },
    handler: (code) => ({
      code: code
        .replace('createRequire(import.meta.url)', '$load')
        .replace(/\('\.\/([\w-]+)\.ts'\)/g, "('../trackers/text/$1.js')"),
      map: null,
    }),
  },
};

/** Code that looks for a file beside itself must find it where it was. Filters are the bundler's own: it would wait for this thread at every file. */
const keepPlaces = {
  name: 'keep-places',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => ({
      code: code.replaceAll('import.meta.url', JSON.stringify(placeOf(id))),
      map: null,
    }),
  },
};

async function bundleInto(folder) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: Object.fromEntries(beginnings.map((name) => [name, source(name)])),
    platform: 'node',
    external: isLibrary,
    plugins: [findParts, keepPlaces],
  });
  const { output } = await build.generate({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
  });
  const parts = new Set(output.map(({ fileName }) => basename(fileName)));
  for (const part of output) {
    const file = join(folder, part.fileName);
    mkdirSync(dirname(file), { recursive: true });
    // On the disk before the folder gets its name: nothing would ever mend half a bundle.
    writeFileSync(file, part.type === 'chunk' ? asScript(part.code, parts) : part.source, { flush: true });
  }
}

/** Removes the oldest bundles, and what is left of builds that were cut off. */
function forgetOlder() {
  const ageOf = (name) => statSync(join(bundles, name)).mtimeMs;
  const byAge = readdirSync(bundles).sort((one, other) => ageOf(other) - ageOf(one));
  for (const name of byAge.slice(mostKept)) rmSync(join(bundles, name), { recursive: true, force: true });
}

const stamp = process.argv[2];
const unfinished = join(bundles, `${stamp}.${process.pid}`);
// First of all, because it fails at once where this account may not write.
mkdirSync(unfinished, { recursive: true });
try {
  await bundleInto(unfinished);
  writeFileSync(join(unfinished, contentsFile), contentsOfSources(), { flush: true });
  // Another process may have been faster; and sources that changed meanwhile make a bundle of nobody knows what.
  if (stampOfSources() === stamp) renameSync(unfinished, join(bundles, stamp));
  forgetOlder();
} finally {
  rmSync(unfinished, { recursive: true, force: true });
}
