import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { second } from '../../kernel/clock.ts';
import type { PlaceLimits } from '../../kernel/places.ts';

/** The header in which the platform proves that a request comes from it. */
export const secretHeader = 'x-atelier-secret';

const modules = [
  'mpm_event',
  'unixd',
  'authn_core',
  'authz_core',
  'authz_user',
  'auth_basic',
  'authn_anon',
  'dav',
  'dav_svn',
  'authz_svn',
] as const;

/** Requests that Apache works on at once. */
const workers = { processes: 8, ofOne: 32 };
/** Of these, those that are for one caller at the most. */
const workersOfCaller = 48;

/** What requests one of so many threads lets through to Apache at once: those of one caller leave most of it to others. */
export const placesOf = (threads: number): PlaceLimits => ({
  // Some are left for those that have been answered and are still ending.
  all: Math.max(8, Math.floor((workers.processes * workers.ofOne * 0.9) / threads)),
  // A client works with several connections at once.
  ofOne: Math.max(4, Math.floor(workersOfCaller / threads)),
  waitingOfOne: 200,
  patience: 30 * second,
});

/** A project under one of the ways in which clients spell its name. */
export interface Location {
  readonly spelling: string;
  readonly projectId: number;
}

export interface ApacheSetting {
  readonly port: number;
  readonly secret: string;
  /** Where the modules of this Apache are. */
  readonly moduleFolder: string;
  /** The folder of repositories, as Apache sees it. */
  readonly folder: string;
  /** The folder for what Apache itself writes, as it sees it. */
  readonly ownFolder: string;
  readonly locations: readonly Location[];
}

/**
 * Whoever has the secret says by the user name of Basic authentication who acts; any password does. The access file of
 * each repository, which lies in it, decides about paths.
 */
function locationBlock({ spelling, projectId }: Location, { folder, secret }: ApacheSetting): string {
  return `<Location "/svnplugin/${spelling}">
  DAV svn
  SVNParentPath "${join(folder, String(projectId))}"
  AuthzSVNReposRelativeAccessFile "../.SVNAccessFile"
  AuthzForceUsernameCase Lower
  SVNPathAuthz short_circuit
  SVNAllowBulkUpdates Prefer
  SVNAutoversioning off
  AuthType Basic
  AuthName "Atelier"
  AuthBasicProvider anon
  Anonymous "*"
  Anonymous_MustGiveEmail off
  Anonymous_LogEmail off
  <RequireAll>
    Require expr "req('${secretHeader}') == '${secret}'"
    Require valid-user
  </RequireAll>
</Location>`;
}

/** The whole configuration of the Apache that serves repositories to the platform, and to nobody else. */
export function apacheConfig(setting: ApacheSetting): string {
  const { port, secret, moduleFolder, ownFolder, locations } = setting;
  const loaded = modules
    .map((name) => [name, join(moduleFolder, `mod_${name}.so`)] as const)
    .filter(([, path]) => existsSync(path));
  return [
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    ...loaded.map(([name, path]) => `LoadModule ${name}_module "${path}"`),
    `PidFile "${ownFolder}/${port}.pid"`,
    `DefaultRuntimeDir "${ownFolder}"`,
    `ErrorLog "${ownFolder}/${port}.log"`,
    'LogLevel warn',
    'ServerTokens Prod',
    'ServerSignature off',
    'TraceEnable off',
    // A connection remembers the access file that it read first, so none is used twice.
    'KeepAlive off',
    'Timeout 600',
    'LimitRequestBody 0',
    // Bounded before it gets here, by method and by what is in it (`http/svn/dav-body.ts`).
    'LimitXMLRequestBody 0',
    'LimitRequestFieldSize 65536',
    'LimitRequestLine 65536',
    'StartServers 1',
    `ServerLimit ${workers.processes}`,
    `ThreadsPerChild ${workers.ofOne}`,
    `MaxRequestWorkers ${workers.processes * workers.ofOne}`,
    ...['MinSpareThreads 8', 'MaxSpareThreads 64', 'GracefulShutdownTimeout 3600'],
    // What a process has read of a repository is remembered by its UUID and place. One that was deleted and brought back has
    // both, and other bytes: with what was remembered of them, the next commit would break it.
    'SVNInMemoryCacheSize 0',
    'SVNUseUTF8 on',
    `SVNHooksEnv "${ownFolder}/${port}.env"`,
    '<Location "/">',
    `  Require expr "req('${secretHeader}') == '${secret}'"`,
    '</Location>',
    ...locations.map((location) => locationBlock(location, setting)),
    '',
  ].join('\n');
}
