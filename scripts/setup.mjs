// Prepares a clone so that every npm script finds Node 26 and the locked dependencies: `node scripts/setup.mjs` installs all of them,
// `node scripts/setup.mjs service` what the service needs. It runs before every script, and does nothing when all is there.
// Scripts call it in a subshell: a shell that has looked for `node` once would not see the one that is installed by then.
// Plain JavaScript for the Node that the machine came with (20 or later): it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  environmentOfNode,
  isNewEnough,
  libraries,
  packageOfNode,
  pinnedNode,
  whereToGetNode,
} from '../server/bin/pinned-node.mjs';
import { install, SetUpFailure } from './install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const marker = join(modules, '.atelier-setup');
const lock = join(modules, '.atelier-setup-runs');

const isForServiceOnly = process.argv[2] === 'service';

/** Changes with what is installed, where, and how it is prepared. */
function stateToReach() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['package-lock.json', 'scripts/setup.mjs', 'scripts/install.mjs', 'scripts/bundle.mjs'])
    hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** What the last set-up reached: the state, and whether with the tools of development. */
function stateReached() {
  const [state, packages] = (contentOf(marker) ?? '').split(' ');
  return { state, withDevelopment: packages === 'all' };
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isDone() {
  const { state, withDevelopment } = stateReached();
  return state === stateToReach() && (withDevelopment || isForServiceOnly);
}

function setUp() {
  if (packageOfNode === undefined && !isNewEnough) throw new SetUpFailure(whereToGetNode());
  const withDevelopment = !isForServiceOnly || stateReached().withDevelopment;
  console.log(
    `Installing ${withDevelopment ? 'all' : 'the'} locked dependencies (once per change of package-lock.json) …`,
  );
  install(root, { withDevelopment });
  linkNode();
  bundleLibraries();
  writeFileSync(marker, `${stateToReach()} ${withDevelopment ? 'all' : 'service'}`);
}

/** Puts Node in front of the path of every npm script; npm 9 and 10 do not. */
function linkNode() {
  const link = join(modules, '.bin', 'node');
  rmSync(link, { force: true });
  const node = pinnedNode();
  if (node === undefined && packageOfNode !== undefined)
    throw new SetUpFailure(
      `npm did not install ${packageOfNode}, which brings Node. Does the registry have it?`,
    );
  rmSync(libraries, { recursive: true, force: true });
  if (node !== undefined && canRun(node)) symlinkSync(relative(dirname(link), node), link);
  else if (node !== undefined && canRunWithOwnLibraries(node))
    writeFileSync(link, startWithLibraries(relative(dirname(link), node)), { mode: 0o755 });
  else if (!isNewEnough) throw new SetUpFailure(whereToGetNode());
}

/** A binary that was made for another C library cannot. */
const canRun = (node) =>
  spawnSync(node, ['--version'], { stdio: 'ignore', env: environmentOfNode() }).status === 0;

/** It asks for libatomic, which comes with a compiler: machines without one get the little of it that Node calls. */
function canRunWithOwnLibraries(node) {
  const kind = join(root, 'scripts', 'libatomic', `${process.platform}-${process.arch}`);
  if (!existsSync(kind)) return false;
  cpSync(kind, libraries, { recursive: true });
  if (canRun(node)) return true;
  rmSync(libraries, { recursive: true, force: true });
  return false;
}

/** In place of a link: whatever Node starts itself finds them, too. */
const startWithLibraries = (node) => `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH="$here/../${basename(libraries)}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/${node}" "$@"
`;

/** By the Node that was just installed. */
function bundleLibraries() {
  const node = pinnedNode();
  const { status } = spawnSync(
    node !== undefined && canRun(node) ? node : process.execPath,
    [join(root, 'scripts', 'bundle.mjs')],
    { stdio: 'inherit', env: environmentOfNode() },
  );
  if (status !== 0) throw new SetUpFailure('The libraries could not be bundled.');
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryToLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Two scripts that are started at once in a fresh clone install one after the other. */
function whileNobodyElse(work) {
  mkdirSync(modules, { recursive: true });
  while (!tryToLock()) {
    const owner = Number(contentOf(lock));
    if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

try {
  if (!isDone())
    whileNobodyElse(() => {
      if (!isDone()) setUp();
    });
} catch (error) {
  if (!(error instanceof SetUpFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
