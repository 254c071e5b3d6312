import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SvnParts, type SvnPlaces, svnUserFault } from '../svn/index.ts';
import type { HealthFinding } from './finding.ts';

async function versionOfSvn(): Promise<string> {
  const run = promisify(execFile);
  return run('svn', ['--version', '--quiet'], { timeout: 5000 }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}

/** Without Subversion everything else works, so that it is missing is no problem of the instance. */
export const checkSubversion = (places: SvnPlaces, svnUser: string | undefined) =>
  checkParts(new SvnParts(places), svnUser);

export async function checkParts(parts: SvnParts, svnUser: string | undefined): Promise<HealthFinding> {
  const about = 'Subversion';
  const missing = await parts.missing();
  const userFault = svnUser === undefined ? undefined : svnUserFault({ svnUser });
  if (missing === undefined && svnUser !== undefined && userFault !== undefined)
    return {
      about,
      state: 'problem',
      says: `${userFault} Repositories cannot be used; all else can.`,
      code: 'svn-user',
      facts: { user: svnUser },
      advice: 'Name a user that there is, and start the service again.',
    };
  if (missing === undefined) {
    const version = await versionOfSvn();
    const says = `svn ${version}, Apache and its modules are there.`;
    return { about, state: 'ok', says, code: 'svn-there', facts: { version } };
  }
  return {
    about,
    state: 'warning',
    says: `Not found: ${missing.names.join(', ')}. Repositories cannot be used; all else can.`,
    code: 'svn-missing',
    facts: { names: missing.names.join(', '), packages: missing.packages.join(' ') },
    advice: `Install them, on Debian with: apt install ${missing.packages.join(' ')}`,
  };
}
