import { availableParallelism } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { type ArchiveLimits, parseArchiveLimits, usualLimits, usualUserLimits } from './archive-limits.ts';
import { parseS3Address, type S3Place, s3Form } from './s3-place.ts';

/** What the environment says about how this process runs. Everything else is a platform setting. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  /** Replicas of that database which callers may read from. */
  readonly databaseReadUrls: readonly string[];
  /** Connections of one thread to PostgreSQL. */
  readonly databaseConnections: number;
  /** Seconds that a write waits for somebody else's before it is given up. */
  readonly lockSeconds: number;
  /** Seconds that a statement may take on PostgreSQL. */
  readonly statementSeconds: number;
  /** Seconds after which a search is given up. */
  readonly searchSeconds: number;
  /** The address the service gives as its own, without a slash at the end; undefined: made from host and port. */
  readonly publicUrl: string | undefined;
  readonly httpThreads: number;
  readonly bodyLimit: number;
  /** Connections at the most, of the whole process and from one address. */
  readonly maxConnections: number;
  readonly maxAddressConnections: number;
  /** Streams of events at the most that the process keeps open. */
  readonly eventStreams: number;
  /** Seconds in which the headers of a request must have arrived, and those in which its body must. */
  readonly headerSeconds: number;
  readonly bodySeconds: number;
  /** Bytes that bodies of requests may take in one thread, all together and those of one caller. */
  readonly bodyMemory: { readonly thread: number; readonly caller: number };
  /** Bytes that the answers of one thread hold at the most before further ones wait. */
  readonly answerMemory: number;
  /** Seconds that a caller gets to take a part of an answer before the connection is cut. */
  readonly sendSeconds: number;
  /** Bytes of one attached file at the most. */
  readonly maxFileSize: number;
  /** Bytes of all uploads of one person that are not attached yet. */
  readonly uploadQuota: number;
  /** Bytes of one archive of a project at the most that a site administrator uploads. */
  readonly maxArchiveSize: number;
  /** And of one that anybody else does. */
  readonly maxUserArchiveSize: number;
  /** What the archives of site administrators may have. */
  readonly archiveLimits: ArchiveLimits;
  /** And those of everybody else. */
  readonly userArchiveLimits: ArchiveLimits;
  /** Mebibytes that the process may take in which an uploaded archive is imported. */
  readonly importMemory: number;
  /** Where backups go that are started from the service; undefined: none are. */
  readonly backupFolder: string | undefined;
  /** Backups that stay in that folder. */
  readonly backupsKept: number;
  /** Whether the first start loads a demo project. */
  readonly hasDemo: boolean;
  /** Whether the web application is built and served. */
  readonly hasWeb: boolean;
  /** The S3-compatible store that holds the bytes of files; undefined: the data folder does. */
  readonly blobs: S3Place | undefined;
  readonly argon2: { readonly memory: number; readonly passes: number };
  /** Take the caller's address from X-Forwarded-For: only behind a proxy that sets it. */
  readonly trustProxy: boolean;
  readonly logLevel: LogLevel;
  /** Seconds for which everybody is still served when the service stops, so that others can take over. */
  readonly drainSeconds: number;
  /** Seconds that running requests get to finish when the service stops. */
  readonly stopSeconds: number;
  /** The server that takes mails, and whom they come from; undefined: no mail is sent. */
  readonly mail: MailPlace | undefined;
  /** Shared with a push server; undefined: random, of no use to anybody. */
  readonly jwtSecret: string | undefined;
  /** Whether packages that Subversion needs may be installed. */
  readonly mayInstallPackages: boolean;
  /** The user to whom repositories and what serves them belong, when the service runs as root. */
  readonly svnUser: string;
  /** Where the programs of Subversion, Apache and its modules are; undefined: in the usual folders. */
  readonly svnPath: readonly string[] | undefined;
  /** Where programs of this machine are. */
  readonly searchPath: readonly string[];
}

/** Where mails are handed in. */
export interface MailPlace {
  /** May hold a password. */
  readonly url: string;
  /** Undefined: made from the address of the service. */
  readonly from: string | undefined;
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The environment is wrong in one or more places; all of them are named. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** As addresses have it, an IPv6 address stands in brackets. */
export const hostIn = (text: string) => text.replace(/^\[([\da-f:.]+)\]$/i, '$1');

const foldersIn = (path: string | undefined) => path?.split(delimiter).filter((folder) => folder !== '');

/** Where programs are, which nothing can be wrong with. */
export const svnPlacesIn = (environment: Environment): Pick<Config, 'svnPath' | 'searchPath'> => ({
  svnPath: foldersIn(environment['ATELIER_SVN_PATH']),
  searchPath: foldersIn(environment['PATH']) ?? [],
});

/** Reads variables and collects what is wrong with them. */
class EnvironmentReader {
  readonly faults: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  integer(name: string, byDefault: number, minimum: number, maximum: number): number {
    const text = this.text(name);
    if (text === undefined) return byDefault;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    this.faults.push(`${name} must be a whole number from ${minimum} to ${maximum}, not "${text}".`);
    return byDefault;
  }

  flag(name: string, byDefault = false): boolean {
    const text = this.text(name) ?? (byDefault ? '1' : '0');
    if (!['0', '1', 'true', 'false'].includes(text))
      this.faults.push(`${name} must be 1 or 0, not "${text}".`);
    return text === '1' || text === 'true';
  }

  oneOf<Value extends string>(name: string, values: readonly Value[], byDefault: Value): Value {
    const text = this.text(name) ?? byDefault;
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) this.faults.push(`${name} must be one of ${values.join(', ')}, not "${text}".`);
    return value ?? byDefault;
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#address(name, text, protocols);
  }

  /** Several, with commas between them. */
  urls(name: string, protocols: readonly string[]): readonly string[] {
    const texts = this.text(name)?.split(',') ?? [];
    return texts.flatMap((text) => this.#address(name, text.trim(), protocols) ?? []);
  }

  #address(name: string, text: string, protocols: readonly string[]): string | undefined {
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, '');
    // The value may hold a password, so it is not repeated.
    const starts = protocols.map((protocol) => `${protocol}//`);
    this.faults.push(
      starts.some((start) => text.toLowerCase().startsWith(start))
        ? `${name} cannot be read as an address. A port is a number up to 65535; in names and passwords @, /, :, ? and # are written as %40, %2F, %3A, %3F and %23.`
        : `${name} must be an address that starts with ${starts.join(' or ')}.`,
    );
    return undefined;
  }
}

/** Links are this address with a path behind it. */
function readPublicUrl(read: EnvironmentReader): string | undefined {
  const name = 'ATELIER_PUBLIC_URL';
  const url = read.url(name, ['http:', 'https:']);
  if (url === undefined) return undefined;
  const { username, password, search, hash } = new URL(url);
  if (username + password + search + hash !== '' || /[?#]/.test(url))
    read.faults.push(`${name} must be an address without a user, a password, ? and #.`);
  return url;
}

const postgresProtocols = ['postgres:', 'postgresql:'];

/** Addresses may name the port as a parameter as well. What connects would wait for ever for one that is none. */
function checkPorts(read: EnvironmentReader, name: string, urls: readonly string[]): void {
  const ports = urls.flatMap((url) => new URL(url).searchParams.getAll('port'));
  const wrong = ports.find((port) => !/^\d+$/.test(port) || Number(port) > 65_535);
  if (wrong !== undefined)
    read.faults.push(`${name} must have a whole number from 0 to 65535 as its port, not "${wrong}".`);
}

function readDatabase(read: EnvironmentReader): string | undefined {
  const name = 'ATELIER_DATABASE_URL';
  const url = read.url(name, postgresProtocols);
  checkPorts(read, name, url === undefined ? [] : [url]);
  return url;
}

function readReplicas(read: EnvironmentReader, databaseUrl: string | undefined): readonly string[] {
  const name = 'ATELIER_DATABASE_READ_URL';
  const urls = read.urls(name, postgresProtocols);
  checkPorts(read, name, urls);
  if (urls.length > 0 && read.text('ATELIER_DATABASE_URL') === undefined)
    read.faults.push(`${name} needs ATELIER_DATABASE_URL: it names replicas of that database.`);
  const nameIn = (url: string) => new URL(url).pathname;
  if (databaseUrl !== undefined && urls.some((url) => nameIn(url) !== nameIn(databaseUrl)))
    read.faults.push(`${name} must name the same database as ATELIER_DATABASE_URL, at other servers.`);
  return urls;
}

const mebibyte = 1024 * 1024;

function readBlobs(read: EnvironmentReader): S3Place | undefined {
  const text = read.text('ATELIER_BLOBS');
  if (text === undefined) return undefined;
  const address = parseS3Address(text);
  if (address === undefined) read.faults.push(`ATELIER_BLOBS must be of the form ${s3Form}`);
  // The names that other programs for such stores know serve as well.
  const accessKey = read.text('ATELIER_S3_ACCESS_KEY') ?? read.text('AWS_ACCESS_KEY_ID');
  const secretKey = read.text('ATELIER_S3_SECRET_KEY') ?? read.text('AWS_SECRET_ACCESS_KEY');
  if (accessKey === undefined || secretKey === undefined)
    read.faults.push('ATELIER_BLOBS needs ATELIER_S3_ACCESS_KEY and ATELIER_S3_SECRET_KEY.');
  if (address === undefined || accessKey === undefined || secretKey === undefined) return undefined;
  return { ...address, accessKey, secretKey };
}

/** `atelier@example.com`, or with a name in front: `Atelier <atelier@example.com>`. */
const senderForm = /^(?:(?:[^<>":\p{Cc}]|"[^"\p{Cc}]*")*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u;

function readMail(read: EnvironmentReader): MailPlace | undefined {
  const from = read.text('ATELIER_MAIL_FROM');
  if (from !== undefined && !senderForm.test(from))
    read.faults.push(
      'ATELIER_MAIL_FROM must be an e-mail address: name@host, or Name <name@host>; a name with a colon stands in quotes.',
    );
  const url = read.url('ATELIER_SMTP_URL', ['smtp:', 'smtps:']);
  if (url === undefined) return undefined;
  if (new URL(url).hostname === '')
    read.faults.push('ATELIER_SMTP_URL must name the mail server: smtp://mail.example.com.');
  return { url, from };
}

function readLimits(read: EnvironmentReader, name: string, usual: ArchiveLimits): ArchiveLimits {
  const text = read.text(name);
  const limits = text === undefined ? usual : parseArchiveLimits(text, usual);
  if (typeof limits !== 'string') return limits;
  read.faults.push(`${name} ${limits}`);
  return usual;
}

function readBodyMemory(read: EnvironmentReader, bodyLimit: number): Config['bodyMemory'] {
  const most = mebibyte * mebibyte;
  // Enough for one body of the largest size, and for what is made of it.
  const least = Math.max(32 * mebibyte, 2 * bodyLimit);
  const caller = read.integer('ATELIER_BODY_MEMORY_PER_CALLER', least, least, most);
  // What one caller may is never more than all of them may together.
  const thread = read.integer('ATELIER_BODY_MEMORY', Math.max(2 * least, caller), caller, most);
  return { thread, caller };
}

/** Files of the largest size that one person may have uploaded and not attached, unless the environment says more. */
const usualUploads = 16;

/** Reads and checks the whole environment; throws one error that names every fault. */
export function readConfig(
  environment: Environment,
  overrides: { dataFolder?: string | undefined } = {},
): Config {
  const read = new EnvironmentReader(environment);
  const bodyLimit = read.integer('ATELIER_BODY_LIMIT', 16 * mebibyte, 1024, 1024 * mebibyte);
  const maxFileSize = read.integer('ATELIER_MAX_FILE_SIZE', 64 * mebibyte, 1, mebibyte * mebibyte);
  const databaseUrl = readDatabase(read);
  const config: Config = {
    host: hostIn(read.text('ATELIER_HOST') ?? 'localhost'),
    port: read.integer('ATELIER_PORT', 8080, 0, 65535),
    dataFolder: resolve(overrides.dataFolder ?? read.text('ATELIER_DATA') ?? 'data'),
    databaseUrl,
    databaseReadUrls: readReplicas(read, databaseUrl),
    databaseConnections: read.integer('ATELIER_DATABASE_CONNECTIONS', 8, 1, 1000),
    lockSeconds: read.integer('ATELIER_LOCK_SECONDS', 10, 1, 600),
    statementSeconds: read.integer('ATELIER_STATEMENT_SECONDS', 60, 1, 3600),
    searchSeconds: read.integer('ATELIER_SEARCH_SECONDS', 10, 1, 600),
    publicUrl: readPublicUrl(read),
    httpThreads: read.integer('ATELIER_HTTP_THREADS', availableParallelism(), 1, 256),
    bodyLimit,
    maxConnections: read.integer('ATELIER_MAX_CONNECTIONS', 10_000, 1, 1_000_000),
    maxAddressConnections: read.integer('ATELIER_MAX_CONNECTIONS_PER_ADDRESS', 1000, 1, 1_000_000),
    eventStreams: read.integer('ATELIER_EVENT_STREAMS', 10_000, 0, 1_000_000),
    headerSeconds: read.integer('ATELIER_HEADER_SECONDS', 20, 1, 3600),
    bodySeconds: read.integer('ATELIER_BODY_SECONDS', 120, 1, 86_400),
    bodyMemory: readBodyMemory(read, bodyLimit),
    answerMemory: read.integer('ATELIER_ANSWER_MEMORY', 64 * mebibyte, mebibyte, mebibyte * mebibyte),
    sendSeconds: read.integer('ATELIER_SEND_SECONDS', 60, 1, 3600),
    maxFileSize,
    uploadQuota: read.integer(
      'ATELIER_UPLOAD_QUOTA',
      usualUploads * maxFileSize,
      maxFileSize,
      mebibyte * mebibyte,
    ),
    maxArchiveSize: read.integer('ATELIER_MAX_ARCHIVE_SIZE', 4096 * mebibyte, 1, mebibyte * mebibyte),
    maxUserArchiveSize: read.integer('ATELIER_MAX_USER_ARCHIVE_SIZE', 16 * mebibyte, 1, mebibyte * mebibyte),
    archiveLimits: readLimits(read, 'ATELIER_ARCHIVE_LIMITS', usualLimits),
    userArchiveLimits: readLimits(read, 'ATELIER_USER_ARCHIVE_LIMITS', usualUserLimits),
    importMemory: read.integer('ATELIER_IMPORT_MEMORY', 512, 32, 1024 * 1024),
    backupFolder: read.text('ATELIER_BACKUP_FOLDER'),
    backupsKept: read.integer('ATELIER_BACKUPS_KEPT', 7, 1, 100_000),
    hasDemo: read.flag('ATELIER_DEMO', true),
    hasWeb: read.flag('ATELIER_WEB', true),
    blobs: readBlobs(read),
    argon2: {
      memory: read.integer('ATELIER_ARGON2_MEMORY', 65_536, 8, 4_194_304),
      passes: read.integer('ATELIER_ARGON2_PASSES', 3, 1, 1000),
    },
    trustProxy: read.flag('ATELIER_TRUST_PROXY'),
    logLevel: read.oneOf('ATELIER_LOG_LEVEL', logLevels, 'warn'),
    drainSeconds: read.integer('ATELIER_DRAIN_SECONDS', 2, 0, 600),
    stopSeconds: read.integer('ATELIER_STOP_SECONDS', 10, 0, 3600),
    mail: readMail(read),
    jwtSecret: read.text('ATELIER_JWT_SECRET'),
    mayInstallPackages: read.flag('ATELIER_APT', true),
    svnUser: read.text('ATELIER_SVN_USER') ?? 'www-data',
    ...svnPlacesIn(environment),
  };
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}
