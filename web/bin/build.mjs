// Builds the web application as its sources are now, and ends: `node web/bin/build.mjs DIGEST`. The server starts it, and is told by a
// message when the build can be served; what comes after that makes it smaller.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  buildsFolder,
  compressedMark,
  digestOfSources,
  folderOf,
  isBuilt,
  isCompressed,
} from '../../server/src/web-build/sources.ts';

/** A page that was opened before an upgrade may still ask for a part of its own build; so a few are kept. */
const mostKept = 10;
/** Milliseconds after which nobody can still be at it. */
const longestBuild = 120_000;

// Pages are no secret: whoever built them, the account of the service reads them.
process.umask(0o022);

// Whatever the service was started with: React makes a slow build of itself for its own developers.
process.env.NODE_ENV = 'production';

const digest = process.argv[2] ?? digestOfSources();
const folder = folderOf(digest);
const lock = `${folder}.lock`;

/** Tests and several services of one folder may ask for the same build at the same time: one makes it, the others wait. */
function takeTurn() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isWorkedOn()) rmSync(lock, { force: true });
    return false;
  }
}

function isWorkedOn() {
  try {
    if (Date.now() - statSync(lock).mtimeMs > longestBuild) return false;
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    // Not ours to signal, but alive.
    return error.code === 'EPERM';
  }
}

/** A script that runs before anything is painted cannot be a module, so Vite leaves it alone: it gets its lasting name, and is made small, here. */
async function finishFirstScript(unfinished) {
  const { minify } = await import('vite');
  const document = join(unfinished, 'index.html');
  const script = join(unfinished, 'first.js');
  // It tells those who come with an old browser: nothing newer is made of it.
  const compress = { target: 'es2017' };
  const { code } = await minify(script, readFileSync(script, 'utf8'), { module: false, compress });
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
  writeFileSync(join(unfinished, 'assets', `first-${hash}.js`), code);
  rmSync(script);
  const html = readFileSync(document, 'utf8').replace('/first.js', `/assets/first-${hash}.js`);
  // Every page begins with it, and it is never kept: no byte for comments and indentation.
  writeFileSync(document, html.replace(/<!--.*?-->/gs, '').replace(/\n\s+/g, '\n'));
}

async function buildInto(unfinished) {
  const [{ build }, { default: config }] = await Promise.all([import('vite'), import('../vite.config.ts')]);
  await build({
    ...config,
    // Loaded above: Vite would write a copy of it beside the libraries, where this account may have no right to write.
    configFile: false,
    cacheDir: join(unfinished, '.vite'),
    mode: 'production',
    logLevel: 'error',
    build: { ...config.build, outDir: unfinished, emptyOutDir: false, reportCompressedSize: false },
  });
  await finishFirstScript(unfinished);
}

const isCompressible = (name) => /\.(js|css|svg|json|webmanifest|txt)$/.test(name);

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];
const quick = { brotli: 5, gzip: 6 };
const thorough = { brotli: constants.BROTLI_MAX_QUALITY, gzip: 9 };

async function compress(place, quality) {
  const names = readdirSync(place, { recursive: true }).filter(isCompressible);
  for (const name of names) {
    const file = join(place, name);
    const bytes = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality.brotli };
    put(`${file}.br`, await brotli(bytes, { params }));
    put(`${file}.gz`, await gzipped(bytes, { level: quality.gzip }));
  }
}

/** At once: whoever serves the build may be reading. */
function put(file, bytes) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, file);
}

async function make() {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await buildInto(unfinished);
    await compress(unfinished, quick);
    // Sources that changed meanwhile make a build of nobody knows what.
    if (digestOfSources() === digest) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Removes the oldest builds, and what is left of those that were cut off. */
function forgetOlder() {
  const ageOf = (name) => statSync(join(buildsFolder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const byAge = readdirSync(buildsFolder).sort((one, other) => ageOf(other) - ageOf(one));
  for (const name of byAge.slice(mostKept))
    rmSync(join(buildsFolder, name), { recursive: true, force: true });
}

async function buildOnce() {
  // First of all, because it fails at once where this account may not write.
  mkdirSync(dirname(folder), { recursive: true });
  let hasTurn = false;
  while (!isBuilt(digest) && !hasTurn) {
    hasTurn = takeTurn();
    if (!hasTurn) await pause(100);
  }
  try {
    if (!isBuilt(digest)) await make();
    if (!isBuilt(digest)) return;
    process.send?.('built');
    hasTurn ||= takeTurn();
    if (!isCompressed(digest) && hasTurn) await finish();
  } finally {
    if (hasTurn) rmSync(lock, { force: true });
  }
}

async function finish() {
  await compress(folder, thorough);
  writeFileSync(join(folder, compressedMark), '');
  forgetOlder();
}

const endWithStarter = () => process.exit(1);
process.on('disconnect', endWithStarter);
await buildOnce();
process.off('disconnect', endWithStarter);
// The way to whoever started this would keep the process alive.
process.disconnect?.();
