import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData } from 'node:worker_threads';
import { type Instant, minute } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { Refusal } from '../kernel/errors.ts';
import { isAlive, workFileName } from '../kernel/work-files.ts';
import type { TakenBackup } from './backup.ts';
import { BackupFault, type Progress } from './model.ts';
import { backUp } from './place.ts';
import type { BackedUpPlatform } from './platform.ts';

/*
 * Backups that are started from the service. One at a time, in a process of its own; how far it is stands in a file of the data folder,
 * where every thread of the service reads it.
 */

/** A backup that was started from the service: the one that runs, or the last one. */
export interface BackupRun {
  readonly startedAt: Instant;
  /** The account that started it. */
  readonly startedBy: number;
  readonly place: string;
  readonly host: string;
  readonly pid: number;
  readonly state: 'running' | 'done' | 'failed';
  readonly progress: Progress;
  readonly endedAt: Instant | null;
  /** Why it failed. */
  readonly fault: string | null;
  readonly outcome: Pick<TakenBackup, 'files' | 'bytes' | 'copied' | 'missing' | 'faults'> | null;
}

/** What the process is told that makes it. */
export interface BackupOrder {
  readonly config: Config;
  readonly run: BackupRun;
}

const pathIn = (dataFolder: string) => join(dataFolder, 'started-backup.json');
const startingIn = (dataFolder: string) => join(dataFolder, '.backup-starts');

async function note(dataFolder: string, run: BackupRun): Promise<void> {
  const draft = join(dataFolder, workFileName('.json'));
  await writeFile(draft, `${JSON.stringify(run)}\n`, { mode: 0o600 });
  await rename(draft, pathIn(dataFolder));
}

const isOver = ({ host, pid, state }: BackupRun) =>
  state === 'running' && host === hostname() && !isAlive(pid);

/** Undefined where none was started yet. One whose process is gone has failed. */
export async function readBackupRun(dataFolder: string): Promise<BackupRun | undefined> {
  let run: BackupRun;
  try {
    run = JSON.parse(await readFile(pathIn(dataFolder), 'utf8'));
  } catch {
    return undefined;
  }
  const fault = 'It was ended before it was whole: the service was stopped, or had too little memory.';
  return isOver(run) ? { ...run, state: 'failed', endedAt: run.startedAt, fault } : run;
}

/** Nobody starts one for as long. */
const longestStart = minute;

/** Only one of several who start a backup at the same moment gets it. */
async function claimStart(dataFolder: string): Promise<boolean> {
  const place = startingIn(dataFolder);
  const found = await stat(place).catch(() => undefined);
  if (found !== undefined && found.mtimeMs < Date.now() - longestStart)
    await rm(place, { recursive: true, force: true });
  return mkdir(place).then(
    () => true,
    () => false,
  );
}

const beginning = fileURLToPath(new URL('../../bin/process.mjs', import.meta.url));

function startProcess(): ChildProcess {
  const bundle = getEnvironmentData('bundle');
  const child = fork(beginning, ['backup-maker', ...(typeof bundle === 'string' ? [bundle] : [])], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // It says all that there is to say by its file. That the service ends ends it too.
  child.unref();
  child.channel?.unref();
  return child;
}

const running = () => new Refusal('conflict', 'A backup is being made already. Wait until it is done.');

/** Begins a backup into the folder that the service was given for it; it goes on after this has ended. */
export async function startBackup(config: Config, startedBy: number): Promise<BackupRun> {
  const { backupFolder, dataFolder } = config;
  if (backupFolder === undefined)
    throw new Refusal(
      'conflict',
      'The service was given no folder for backups. Set ATELIER_BACKUP_FOLDER, or run `atelier backup FOLDER` on the server.',
    );
  if (!(await claimStart(dataFolder))) throw running();
  try {
    if ((await readBackupRun(dataFolder))?.state === 'running') throw running();
    const child = startProcess();
    const run: BackupRun = {
      ...{ startedAt: Date.now(), startedBy, place: resolve(backupFolder), host: hostname() },
      ...{ pid: child.pid ?? 0, state: 'running', progress: { stage: 'Database', done: 0, total: 0 } },
      ...{ endedAt: null, fault: null, outcome: null },
    };
    await note(dataFolder, run);
    const order: BackupOrder = { config, run };
    child.send(order, () => {});
    return run;
  } finally {
    await rm(startingIn(dataFolder), { recursive: true, force: true });
  }
}

/** Milliseconds between two notes of how far it is. */
const pace = 300;

/** Makes the backup that was ordered, and writes down how far it is and how it ended. */
export async function runStartedBackup(
  platform: BackedUpPlatform,
  { config, run }: BackupOrder,
): Promise<void> {
  let current = run;
  let [writing, last]: [Promise<void>, number] = [Promise.resolve(), 0];
  const tell = (progress: Progress) => {
    current = { ...run, progress };
    if (performance.now() < last + pace) return;
    last = performance.now();
    writing = writing.then(() => note(config.dataFolder, current)).catch(() => {});
  };
  const end = async (ending: Pick<BackupRun, 'state' | 'fault' | 'outcome'>) => {
    await writing;
    await note(config.dataFolder, { ...current, ...ending, endedAt: Date.now() });
  };
  try {
    const { files, bytes, copied, missing, faults } = await backUp(
      platform,
      run.place,
      config.backupsKept,
      tell,
    );
    await end({ state: 'done', fault: null, outcome: { files, bytes, copied, missing, faults } });
  } catch (error) {
    const fault =
      error instanceof BackupFault ? error.message : 'It failed; the log of the service says more.';
    await end({ state: 'failed', fault, outcome: null });
    if (!(error instanceof BackupFault)) throw error;
  }
}
