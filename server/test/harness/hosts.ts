import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endsWithRun } from './processes.ts';

const program = fileURLToPath(new URL('host.mjs', import.meta.url));

interface HostReply {
  readonly url?: string;
  readonly fault?: string;
}

/** A process in which services run one after another. */
export class Host {
  readonly child: ChildProcess;
  isTaken = true;
  #isServing = false;
  #output = '';

  constructor(environment: Readonly<Record<string, string>>) {
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
    this.child = endsWithRun(spawn(process.execPath, [program], { env: environment, stdio: [...stdio] }));
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (part: Buffer) => {
        this.#output += part.toString('utf8');
      });
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What was said since the last service began. */
  output(): string {
    return this.#output;
  }

  async begun(): Promise<this> {
    await this.#reply();
    return this;
  }

  async start(environment: Readonly<Record<string, string>>): Promise<string> {
    this.#output = '';
    const { url = '' } = await this.#ask({ order: 'start', environment });
    this.#isServing = true;
    return url;
  }

  /** Stops the service, and is there for the next. */
  async release(): Promise<void> {
    if (!this.isRunning || !this.#isServing) return;
    this.#isServing = false;
    await this.#ask({ order: 'stop' });
    this.isTaken = false;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }

  async #ask(question: object): Promise<HostReply> {
    const reply = this.#reply();
    this.child.send(question);
    return reply;
  }

  #reply(): Promise<HostReply> {
    return new Promise((resolve, reject) => {
      const failed = (words: string) => reject(new Error(`${words}\n${this.#output}`));
      const ended = () => failed('The process of the services ended:');
      this.child.once('exit', ended);
      this.child.once('message', (reply: HostReply) => {
        this.child.off('exit', ended);
        if (reply.fault === undefined) resolve(reply);
        else failed(`The service failed: ${reply.fault}`);
      });
    });
  }
}

/** They outlive the file that began them, and what it loaded. */
const known: unique symbol = Symbol.for('atelier.test.hosts');
const everywhere = Object.assign<typeof globalThis, { [known]?: Host[] }>(globalThis, {});

function allHosts(): Host[] {
  everywhere[known] = (everywhere[known] ?? []).filter(({ isRunning }) => isRunning);
  return everywhere[known];
}

/** One that is free, for as long as a service is needed. */
export async function takeHost(environment: Readonly<Record<string, string>>): Promise<Host> {
  const free = allHosts().find(({ isTaken }) => !isTaken);
  if (free !== undefined) {
    free.isTaken = true;
    return free;
  }
  const host = new Host(environment);
  allHosts().push(host);
  return host.begun();
}

/** Those whose service was never stopped are nobody's any more. */
export async function endTakenHosts(): Promise<void> {
  const taken = allHosts().filter(({ isTaken }) => isTaken);
  await Promise.all(taken.map((host) => host.kill()));
}
