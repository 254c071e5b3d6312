import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { minute } from '../../kernel/clock.ts';
import type { SvnWorkspace } from '../workspace/index.ts';
import { apacheConfig, type Location } from './apache-config.ts';

/**
 * Ends Apache when this process ends, however that happens: its standard input is a pipe whose other end is ours. What is
 * written there are signals to send.
 */
const watcher = `
exec 4<&0 </dev/null
"$@" & apache=$!
(while read -r signal; do kill -s "$signal" "$apache"; done; kill -s TERM "$apache") <&4 2>/dev/null &
wait "$apache"; code=$?
kill $! 2>/dev/null
exit "$code"
`;

/** The place of the handed-over folder among the files that a new process has open. */
const folderPlace = 3;

/** How long Apache may take to listen. */
const startPatience = 15_000;

async function freePort(): Promise<number> {
  const probe = createServer().listen({ host: '127.0.0.1', port: 0 });
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface ApacheTask {
  readonly svnWorkspace: SvnWorkspace;
  readonly secret: string;
  readonly locations: readonly Location[];
  /** What hooks need to reach the platform. */
  readonly hooks: { readonly port: number; readonly secret: string };
}

/** One Apache with a configuration that never changes. */
export class Apache {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #files: readonly string[];
  isOver = false;

  constructor(child: ChildProcess, port: number, files: readonly string[]) {
    this.port = port;
    this.#child = child;
    this.#files = files;
    child.stdin?.on('error', () => {});
    child.once('error', () => this.#ended());
    child.once('exit', () => this.#ended());
  }

  #ended(): void {
    this.isOver = true;
    // Whatever of it still runs without its head would keep the port.
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
    for (const file of this.#files) void rm(file, { force: true });
  }

  whenOver(act: () => void): void {
    this.#child.once('exit', act);
  }

  /** Finishes what runs and takes nothing new. */
  retire(): void {
    this.#child.stdin?.write('WINCH\n');
  }

  async stop(): Promise<void> {
    if (this.isOver) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }

  static async start(task: ApacheTask): Promise<Apache> {
    const { svnWorkspace, secret, locations, hooks } = task;
    const { program, modules: moduleFolder } = await svnWorkspace.parts.findApache();
    const port = await freePort();
    const folder = svnWorkspace.isHandedOver ? `/proc/self/fd/${folderPlace}` : svnWorkspace.folder;
    const [own, seen] = [join(svnWorkspace.folder, '.server'), join(folder, '.server')];
    await svnWorkspace.makeFolder(own);
    const config = apacheConfig({ port, secret, moduleFolder, folder, ownFolder: seen, locations });
    const files = ['conf', 'env', 'log', 'pid'].map((ending) => join(own, `${port}.${ending}`));
    await svnWorkspace.write(join(own, `${port}.conf`), config);
    const variables = [`ATELIER_HOOK_PORT = ${hooks.port}`, `ATELIER_HOOK_SECRET = ${hooks.secret}`];
    await svnWorkspace.write(
      join(own, `${port}.env`),
      ['[default]', 'LC_ALL = C.UTF-8', ...variables, ''].join('\n'),
    );
    const handed = openSync(svnWorkspace.folder, 'r');
    try {
      const args = ['-d', '/', '-f', `${seen}/${port}.conf`, '-DFOREGROUND'];
      const child = svnWorkspace.start('/bin/sh', ['-c', watcher, 'sh', program, ...args], {
        stdio: ['pipe', 'ignore', 'ignore', handed],
        // A terminal's Ctrl-C is for us: requests are finished before Apache ends.
        detached: true,
      });
      return await ready(new Apache(child, port, files), join(own, `${port}.log`));
    } finally {
      closeSync(handed);
    }
  }
}

/** Files of an Apache that runs are younger, or have a process. */
const youngest = minute;

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Removes what is left of Apaches whose service was cut off. Another service may use the same folder. */
export async function sweepApaches(svnWorkspace: SvnWorkspace): Promise<void> {
  const folder = join(svnWorkspace.folder, '.server');
  const files = await readdir(folder).catch(() => []);
  for (const file of files) {
    const [, port] = /^(\d+)\.(conf|env|log|pid)$/.exec(file) ?? [];
    if (port === undefined) continue;
    const pid = Number(await readFile(join(folder, `${port}.pid`), 'utf8').catch(() => '0'));
    const changedAt = (await stat(join(folder, file)).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (changedAt + youngest < Date.now() && !(pid > 0 && isRunning(pid)))
      await rm(join(folder, file), { force: true });
  }
}

async function ready(apache: Apache, log: string): Promise<Apache> {
  const end = performance.now() + startPatience;
  while (!(await listens(apache.port))) {
    if (apache.isOver || performance.now() > end) {
      const words = await readFile(log, 'utf8').catch(() => '');
      await apache.stop();
      throw new Error(`Apache did not start. ${words.trim().split('\n').at(-1) ?? ''}`);
    }
    await pause(10);
  }
  return apache;
}

/** The child leads a group of its own, so nobody else is in it. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}
