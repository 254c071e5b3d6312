import { statfs } from 'node:fs/promises';
import { type LastBackup, readLastBackup } from '../backup/index.ts';
import { type Instant, minute, second } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { findRefusalOfAll } from '../notify/index.ts';
import type { Database } from '../storage/index.ts';
import type { SvnParts } from '../svn/index.ts';
import { checkBackupFolder } from './backup-folder.ts';
import { checkDataFolder } from './data-folder.ts';
import { checkOpened, unusable } from './database.ts';
import { checkFilePlace } from './files.ts';
import type { HealthFinding } from './finding.ts';
import { keptFindings } from './kept-things.ts';
import { checkLastBackup } from './last-backup.ts';
import { checkMail } from './mail.ts';
import { checkUsedReplicas } from './replicas.ts';
import { checkParts } from './subversion.ts';

/** What a service that runs has open. */
export interface OpenService {
  readonly config: Config;
  readonly database: Database;
  readonly svnParts: SvnParts;
  /** The digest of the pages that are served; undefined while there are none. */
  readonly webDigest: () => string | undefined;
}

/** What was found, and when. */
export interface Examined {
  readonly at: Instant;
  readonly findings: readonly HealthFinding[];
  readonly engine: string;
  readonly databaseBytes: number;
  readonly fileBytes: number;
  /** Texts that are not in the index yet. */
  readonly waitingTexts: number;
  readonly freeBytes: number;
  readonly lastBackup: LastBackup | undefined;
}

/** What is looked at less often. */
interface SlowLook {
  readonly findings: readonly HealthFinding[];
  readonly fileBytes: number;
}

/** Everybody who looks within this time sees the same look. */
const validity = 5 * second;
/** What takes longer to look at, and changes seldom. */
const slowValidity = minute;

function checkServed(hasWeb: boolean, digest: string | undefined): HealthFinding {
  const about = 'web application';
  if (!hasWeb) return { about, state: 'ok', says: 'It is not served (ATELIER_WEB=0).', code: 'web-off' };
  if (digest !== undefined)
    return { about, state: 'ok', says: `Build ${digest} is served.`, code: 'web-served', facts: { digest } };
  return {
    ...{ about, state: 'warning', says: 'It is being built, or could not be.', code: 'web-unbuilt' },
    advice: 'Look at the log of the service, or run `atelier web build`.',
  };
}

async function fileBytesOf(database: Database): Promise<number> {
  const query = database.sql.selectFrom('blob').select(({ fn }) => fn.sum<number>('size').as('bytes'));
  return Number((await database.first<{ bytes: number | null }>(query))?.bytes ?? 0);
}

async function waitingTextsOf(database: Database): Promise<number> {
  const query = database.sql.selectFrom('text_pending').select(({ fn }) => fn.countAll<number>().as('size'));
  return Number((await database.first<{ size: number }>(query))?.size ?? 0);
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Looks at what a running service rests on, as often as it is asked and no more often than makes sense. */
export class RunningHealth {
  readonly #service: OpenService;
  #last: { readonly until: number; readonly look: Promise<Examined> } | undefined;
  #slow: { readonly until: number; readonly look: Promise<SlowLook> } | undefined;

  constructor(service: OpenService) {
    this.#service = service;
  }

  look(): Promise<Examined> {
    const now = performance.now();
    if (this.#last === undefined || this.#last.until < now)
      this.#last = { until: now + validity, look: this.#service.database.readNewest(() => this.#examine()) };
    return this.#last.look;
  }

  #lookSlowly(): Promise<SlowLook> {
    const now = performance.now();
    if (this.#slow === undefined || this.#slow.until < now)
      this.#slow = { until: now + slowValidity, look: this.#examineSlowly() };
    return this.#slow.look;
  }

  async #examineSlowly(): Promise<SlowLook> {
    const { config, database, svnParts } = this.#service;
    const found = await Promise.all([
      checkFilePlace(config),
      checkParts(svnParts, config.svnUser),
      keptFindings(database, config.dataFolder).catch((error: unknown) => [unusable(error)]),
    ]);
    return { findings: found.flat(), fileBytes: await fileBytesOf(database).catch(() => 0) };
  }

  async #examine(): Promise<Examined> {
    const { config, database, webDigest } = this.#service;
    const [data, stored, slow, mail, backup, backupFolder] = await Promise.all([
      checkDataFolder(config.dataFolder),
      checkOpened(database, config, true).catch(unusable),
      this.#lookSlowly(),
      checkMail(config.mail?.url, () => findRefusalOfAll(database).catch(() => undefined)),
      checkLastBackup(config),
      checkBackupFolder(config),
    ]);
    const served = checkServed(config.hasWeb, webDigest());
    const { version, bytes } = await database.checkHealth(true).catch(() => ({ version: '', bytes: 0 }));
    return {
      at: Date.now(),
      findings: [
        ...[mail, stored, ...checkUsedReplicas(database), ...data, ...slow.findings, served],
        ...[...backupFolder, backup],
      ],
      engine: `${database.capabilities.name} ${version}`.trim(),
      databaseBytes: bytes,
      fileBytes: slow.fileBytes,
      waitingTexts: await waitingTextsOf(database).catch(() => 0),
      freeBytes: await freeBytesOf(config.dataFolder).catch(() => 0),
      lastBackup: await readLastBackup(config.dataFolder),
    };
  }
}
