import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../kernel/config.ts';
import { unavailable } from '../../kernel/errors.ts';
import { type FolderOwner, ownerBesideRoot } from '../../kernel/folders.ts';
import { workFileName } from '../../kernel/work-files.ts';
import { SvnParts } from './parts.ts';

export interface RepositoryPlace {
  readonly projectId: number;
  readonly name: string;
}

/** What a program said. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  /** Whether it said more than is held in memory. */
  readonly isCut: boolean;
}

function findOwner(name: string): FolderOwner | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined || Number(uid) === 0) return undefined;
  return { uid: Number(uid), gid: Number(gid) };
}

const handsOver = () => process.getuid?.() === 0;
const noOwner = (name: string) =>
  `ATELIER_SVN_USER names ${name}, which is no unprivileged user of this machine.`;

/** Why repositories can belong to nobody; undefined where they can. */
export function svnUserFault({ svnUser }: Pick<Config, 'svnUser'>): string | undefined {
  return handsOver() && findOwner(svnUser) === undefined ? noOwner(svnUser) : undefined;
}

function ownerNamed(name: string): FolderOwner {
  const owner = findOwner(name);
  if (owner === undefined) throw unavailable(noOwner(name));
  return owner;
}

/** Answers that are held in memory at the most. */
const longestAnswer = 64 * 1024 * 1024;

/** The youngest revision of the repository in a folder, which costs no program; undefined where it cannot be told. */
export async function youngestAt(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'db', 'current'), 'utf8').catch(() => '');
  return /^\d+(?=\s)/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** What a place for repositories is made of. */
export type SvnConfig = Pick<Config, 'dataFolder' | 'svnUser' | 'svnPath' | 'searchPath'>;

/**
 * Where repositories are, and the programs that work on them. A service that runs as root gives both to an unprivileged
 * user. That user need not be let into the data folder: programs get the folder of repositories itself handed over, as
 * the one they start in.
 */
export class SvnWorkspace {
  readonly folder: string;
  readonly owner: FolderOwner | undefined;
  readonly parts: SvnParts;

  constructor(config: SvnConfig, parts = new SvnParts(config)) {
    const { dataFolder, svnUser } = config;
    this.parts = parts;
    this.folder = join(dataFolder, 'svn_plugin');
    // Those that are there may be of a service that does not run as root, as commands may that look at them.
    this.owner = handsOver() ? (ownerBesideRoot(this.folder) ?? ownerNamed(svnUser)) : undefined;
  }

  get isHandedOver(): boolean {
    return this.owner !== undefined && process.platform === 'linux';
  }

  /** Where this process finds the repository. */
  pathOf({ projectId, name }: RepositoryPlace, ...rest: string[]): string {
    return join(this.folder, String(projectId), name, ...rest);
  }

  /** As `youngestAt`. */
  youngestIn(place: RepositoryPlace): Promise<number | undefined> {
    return youngestAt(this.pathOf(place));
  }

  /** Where the programs find it. */
  seenAt({ projectId, name }: RepositoryPlace): string {
    return this.seenIn(String(projectId), name);
  }

  urlOf(place: RepositoryPlace): string {
    return `file://${this.seenAt(place).split('/').map(encodeURIComponent).join('/')}`;
  }

  /** Makes a folder that belongs to the owner of the repositories. */
  async makeFolder(path: string): Promise<void> {
    if (path !== this.folder) await this.makeFolder(dirname(path));
    else await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await mkdir(path, { mode: 0o700 }).then(
      () => this.give(path),
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }

  async give(path: string): Promise<void> {
    if (this.owner !== undefined) await chown(path, this.owner.uid, this.owner.gid);
  }

  async write(path: string, text: string, mode = 0o600): Promise<void> {
    await writeFile(path, text, { mode });
    await this.give(path);
  }

  /** Where programs find something in the folder of the repositories. */
  seenIn(...rest: string[]): string {
    return join(this.isHandedOver ? '/proc/self/cwd' : this.folder, ...rest);
  }

  /** Lets programs read a text as a file, for as long as the work takes. */
  async withDraft<Result>(text: string, work: (path: string) => Promise<Result>): Promise<Result> {
    const name = workFileName('.draft');
    const path = join(this.folder, '.server', name);
    await this.makeFolder(dirname(path));
    await this.write(path, text);
    try {
      return await work(this.seenIn('.server', name));
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Starts a program in the folder of repositories, as their owner. */
  start(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const env = this.parts.environment;
    const child = spawn(program, args, { env, ...options, cwd: this.folder, ...this.owner });
    // Without a listener it would end the process; that there is none tells the same at once.
    child.on('error', () => {});
    if (child.pid === undefined)
      throw unavailable(`${program} could not be started.`, {
        cause: `${program} is not there, or there are too many processes or open files.`,
      });
    return child;
  }

  /**
   * Runs a program to its end, or to the end of the seconds that it gets. One that neither reads nor writes to us would go on when this process
   * is gone, unless it is told to end with us; it gets no input then.
   */
  async run(
    program: string,
    args: readonly string[],
    {
      input = '',
      longest = longestAnswer,
      seconds,
      endsWithUs = false,
    }: { input?: string; longest?: number; seconds?: number; endsWithUs?: boolean } = {},
  ): Promise<Said> {
    const child = endsWithUs
      ? this.start('/bin/sh', ['-c', watched, 'sh', program, ...args])
      : this.start(program, args);
    const isLate = seconds === undefined ? undefined : AbortSignal.timeout(seconds * 1000);
    isLate?.addEventListener('abort', () => child.kill('SIGKILL'));
    child.stdin?.on('error', () => {});
    if (!endsWithUs) child.stdin?.end(input);
    const [out, error, [code]] = await Promise.all([
      collect(child.stdout, longest),
      collect(child.stderr, longest),
      once(child, 'close'),
    ]);
    if (isLate?.aborted === true)
      throw unavailable('This takes Subversion too long. Ask for less of the repository.', {
        cause: `${program} ${args[0]} was ended after ${seconds} seconds.`,
      });
    return { code: Number(code ?? 1), out: out.text, error: error.text, isCut: out.isCut };
  }

  /** As `run`, where there is no way on without success. */
  async mustRun(program: string, args: readonly string[], input = ''): Promise<string> {
    const { code, out, error } = await this.run(program, args, { input });
    if (code !== 0)
      throw unavailable(`${program} failed.`, { cause: `${program} ${args[0]}: ${error.trim()}` });
    return out;
  }
}

/** Ends a program when this process ends, however that happens: its standard input is a pipe whose other end is ours. */
const watched = `
exec 4<&0 </dev/null
"$@" 4<&- & program=$!
(read -r end; kill -s KILL "$program") <&4 >/dev/null 2>&1 &
wait "$program"; code=$?
kill $! 2>/dev/null
exit "$code"
`;

/** All that a program says, as long as it is not endless. */
async function collect(stream: Readable | null, longest: number): Promise<{ text: string; isCut: boolean }> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream ?? []) {
    length += part.length;
    if (length <= longest) parts.push(part);
  }
  return { text: Buffer.concat(parts).toString('utf8'), isCut: length > longest };
}

/** Where the client of Subversion finds its settings: a place of its own, whoever runs the service. */
export const clientFolder = (svnWorkspace: SvnWorkspace) =>
  join(svnWorkspace.isHandedOver ? '/proc/self/cwd' : svnWorkspace.folder, '.server', 'client');
