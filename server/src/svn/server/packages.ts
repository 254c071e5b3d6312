import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Missing, missingParts } from './parts.ts';

/** Packages are installed by root on Debian, and where nobody forbids it. */
function installerFor(isAllowed: boolean): string | undefined {
  if (!isAllowed || process.getuid?.() !== 0) return undefined;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return folders.map((folder) => join(folder, 'apt-get')).find((path) => existsSync(path));
}

async function runInstaller(installer: string, ...args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const options = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  // Packages are for everybody on the machine, whatever the service keeps to itself.
  const shell = ['-c', 'umask 022 && exec "$@"', 'sh', installer, ...options, ...args];
  const child = spawn('/bin/sh', shell, { env, stdio: 'ignore' });
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
  isAllowed: boolean,
  say: (line: string) => void,
): Promise<'there' | 'installed' | 'missing'> {
  const missing = await missingParts();
  if (missing === undefined) return 'there';
  const installer = installerFor(isAllowed);
  if (installer === undefined) {
    say(`Subversion is not installed, so there are no repositories (${byHand(missing)}).`);
    return 'missing';
  }
  say(`Subversion is not installed: apt-get installs ${missing.packages.join(', ')} now.`);
  if ((await install(installer, missing)) && (await missingParts()) === undefined) {
    say('Subversion is installed: repositories can be made and used now.');
    return 'installed';
  }
  say(`The packages of Subversion could not be installed. Install them by hand (${byHand(missing)}).`);
  return 'missing';
}
