import { timeZoneFault } from '../kernel/time-zone.ts';

/** What the environment may say, with what holds when it does not. */
export const variables: readonly (readonly [string, string])[] = [
  ['ATELIER_DATA', 'data folder (./data)'],
  ['ATELIER_HOST', 'name or address to listen on (localhost)'],
  ['ATELIER_PORT', 'port to listen on (8080); 0 takes one that is free'],
  ['ATELIER_PUBLIC_URL', 'address the service gives as its own (http://HOST:PORT)'],
  ['ATELIER_DATABASE_URL', 'postgres://… to keep the data in PostgreSQL (kept in the data folder)'],
  [
    'ATELIER_DATABASE_READ_URL',
    'postgres://…,postgres://… replicas of that database to read from (none are)',
  ],
  ['ATELIER_DATABASE_CONNECTIONS', 'connections to PostgreSQL, and to each replica, of one thread (8)'],
  ['ATELIER_HTTP_THREADS', 'threads that answer requests (one per core)'],
  ['ATELIER_BODY_LIMIT', 'largest request body in bytes (16 MiB)'],
  ['ATELIER_BODY_MEMORY', 'bytes that request bodies take in one thread (64 MiB)'],
  ['ATELIER_BODY_MEMORY_PER_CALLER', 'the part of it for one caller (32 MiB)'],
  ['ATELIER_BODY_SECONDS', 'time in which a body must arrive (120)'],
  ['ATELIER_HEADER_SECONDS', 'time in which the headers of a request must arrive (20)'],
  ['ATELIER_MAX_CONNECTIONS', 'connections to the process (10000)'],
  ['ATELIER_MAX_CONNECTIONS_PER_ADDRESS', 'connections from one address (1000)'],
  ['ATELIER_ANSWER_MEMORY', 'bytes that answers of one thread hold before further ones wait (64 MiB)'],
  ['ATELIER_SEND_SECONDS', 'time that a client may take for a part of an answer (60)'],
  ['ATELIER_MAX_FILE_SIZE', 'largest attached file in bytes (64 MiB)'],
  [
    'ATELIER_UPLOAD_QUOTA',
    'bytes of all uploads of one person that are not attached (16 files of the largest size)',
  ],
  [
    'ATELIER_MAX_ARCHIVE_SIZE',
    'largest archive of a project that a site administrator uploads, in bytes (4 GiB)',
  ],
  ['ATELIER_MAX_USER_ARCHIVE_SIZE', 'largest one that anybody else uploads (16 MiB)'],
  ['ATELIER_ARCHIVE_LIMITS', 'what archives of site administrators may have: bytes=…,elements=… (generous)'],
  ['ATELIER_USER_ARCHIVE_LIMITS', 'what those of everybody else may have (small)'],
  ['ATELIER_IMPORT_MEMORY', 'mebibytes that the import of an archive may take (512)'],
  ['ATELIER_BACKUP_FOLDER', 'where site administrators back the platform up from the browser (they cannot)'],
  ['ATELIER_BACKUPS_KEPT', 'backups that stay there (7)'],
  ['ATELIER_DEMO', '0: the first start loads no demo project (1)'],
  ['ATELIER_WEB', '0: serve the API alone, without the web application (1)'],
  ['ATELIER_BLOBS', 's3://bucket/prefix?endpoint=… to keep files in such a store (kept in the data folder)'],
  ['ATELIER_S3_ACCESS_KEY', 'key to that store'],
  ['ATELIER_S3_SECRET_KEY', 'and its secret'],
  ['ATELIER_SMTP_URL', 'smtp://user:password@host:port or smtps://… to send mails (none are sent)'],
  ['ATELIER_MAIL_FROM', 'whom they come from (Atelier <noreply@HOST>)'],
  ['ATELIER_TRUST_PROXY', '1: take the address of callers from X-Forwarded-For (0)'],
  ['ATELIER_LOG_LEVEL', 'debug, info, warn, error or silent (warn)'],
  ['ATELIER_DRAIN_SECONDS', 'time for which everybody is still served after SIGTERM, while not ready (2)'],
  ['ATELIER_STOP_SECONDS', 'time that running requests get to finish after that (10)'],
  ['ATELIER_LOCK_SECONDS', 'time that a write waits for that of another process (10)'],
  ['ATELIER_STATEMENT_SECONDS', 'time after which PostgreSQL gives a statement up (60)'],
  ['ATELIER_SEARCH_SECONDS', 'time after which a search is given up (10)'],
  ['ATELIER_EVENT_STREAMS', 'streams of events that are open at once (10000)'],
  ['ATELIER_ARGON2_MEMORY', 'memory in KiB to hash one password (65536)'],
  ['ATELIER_ARGON2_PASSES', 'passes to hash one password (3)'],
  ['ATELIER_JWT_SECRET', 'secret shared with a push server (random)'],
  ['ATELIER_APT', '0: install no packages that Subversion needs (1: as root on Debian)'],
  ['ATELIER_SVN_USER', 'whom repositories belong to when run as root (www-data)'],
  ['ATELIER_SVN_PATH', 'folders of the programs of Subversion, Apache and its modules (the usual ones)'],
];

/** Variables of ours that are not for the service: for commands, tests, and whoever works on the pages. */
const notForService = /^ATELIER_(?:DEBUG|URL|KEY|PUBLISHED|WEB_PORT|TEST_\w+|FUZZ_\w+)$/;
const prefix = 'ATELIER_';

function sharedStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** A setting whose name nobody knows has no effect. Whoever set it would not find out: `ATELIER_DATABSE_URL` means SQLite. */
function tellUnknown(name: string): string {
  const [nearest = prefix] = variables
    .map(([known]) => known)
    .toSorted((left, right) => sharedStart(name, right) - sharedStart(name, left));
  const isNear = sharedStart(name, nearest) > prefix.length + 1;
  return `${name} is not a setting and has no effect${isNear ? `; perhaps ${nearest} is meant` : ''}.`;
}

/** Pages and repositories name their addresses from the root of a host, whatever a proxy cuts off. */
function pathFault({ ATELIER_PUBLIC_URL: address = '' }: NodeJS.ProcessEnv): string | undefined {
  const path = URL.canParse(address.trim()) ? new URL(address.trim()).pathname : '/';
  if (/^\/+$/.test(path)) return undefined;
  return `ATELIER_PUBLIC_URL has the path ${path}: pages and repositories work at the root of a host only, the API below a path too. Give the service a name of its own, as https://atelier.example.com.`;
}

/** What the environment says that nobody can use, though the service runs without it. */
export function environmentFaults(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set(variables.map(([name]) => name));
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(prefix) && !known.has(name) && !notForService.test(name),
  );
  const others = [pathFault(environment), timeZoneFault(environment['TZ'])];
  return [...unknown.map(tellUnknown), ...others.filter((fault) => fault !== undefined)];
}
