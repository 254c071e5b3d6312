import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../kernel/config.ts';
import { type Missing, SvnParts, type SvnPlaces } from './parts.ts';

type PackageConfig = SvnPlaces & Pick<Config, 'mayInstallPackages'>;

/** Packages are installed by root on Debian, and where nobody forbids it. */
function installerFor({ mayInstallPackages, searchPath }: PackageConfig): string | undefined {
  if (!mayInstallPackages || process.getuid?.() !== 0) return undefined;
  const folders = [...searchPath, '/usr/bin'];
  return folders.map((folder) => join(folder, 'apt-get')).find((path) => existsSync(path));
}

/** The installer asks nothing, and talks the same whatever the language of the machine. */
const quietly = ['DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C'];

async function runInstaller(installer: string, ...args: string[]): Promise<boolean> {
  const options = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  // Packages are for everybody on the machine, whatever the service keeps to itself.
  const shell = ['-c', 'umask 022 && exec "$@"', 'sh', 'env', ...quietly, installer, ...options, ...args];
  const child = spawn('/bin/sh', shell, { stdio: 'ignore' });
  const [code] = await once(child, 'close').catch(() => [1]);
  return code === 0;
}

/** Lists of packages that are old or not there are fetched before the second try. */
async function install(installer: string, { packages }: Missing): Promise<boolean> {
  if (await runInstaller(installer, 'install', ...packages)) return true;
  await runInstaller(installer, 'update');
  return runInstaller(installer, 'install', ...packages);
}

const byHand = ({ packages }: Missing) => `on Debian: apt install ${packages.join(' ')}`;

/** Installs what Subversion lacks where that can be done, and says in one line what it does or what is to be done. */
export async function providePackages(
  config: PackageConfig,
  say: (line: string) => void,
): Promise<'there' | 'installed' | 'missing'> {
  const parts = new SvnParts(config);
  const missing = await parts.missing();
  if (missing === undefined) return 'there';
  const installer = installerFor(config);
  if (installer === undefined) {
    say(`Subversion is not installed, so there are no repositories (${byHand(missing)}).`);
    return 'missing';
  }
  say(`Subversion is not installed: apt-get installs ${missing.packages.join(', ')} now.`);
  if ((await install(installer, missing)) && (await parts.missing()) === undefined) {
    say('Subversion is installed: repositories can be made and used now.');
    return 'installed';
  }
  say(`The packages of Subversion could not be installed. Install them by hand (${byHand(missing)}).`);
  return 'missing';
}
