import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endsWithRun } from './processes.ts';

type Environment = Readonly<Record<string, string>>;

interface Fault {
  readonly fault?: string;
}

/** Most of what a test makes is soon thrown away: with more room for it the collector of garbage has less to do. */
const roomForYoung = ['--min-semi-space-size=4', '--max-semi-space-size=16'];

/** A process that does one piece of work after another, and is warm for all but the first. */
abstract class Host {
  readonly child: ChildProcess;
  isTaken = true;
  #output = '';

  constructor(program: string, environment: Environment) {
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
    const path = fileURLToPath(new URL(program, import.meta.url));
    const words = [...roomForYoung, path];
    this.child = endsWithRun(spawn(process.execPath, words, { env: environment, stdio: [...stdio] }));
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (part: Buffer) => {
        this.#output += part.toString('utf8');
      });
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What was said since the last work began. */
  output(): string {
    return this.#output;
  }

  async begun(): Promise<this> {
    await this.#reply();
    return this;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }

  protected forgetOutput(): void {
    this.#output = '';
  }

  protected async ask<Reply>(question: object): Promise<Reply & Fault> {
    const reply = this.#reply<Reply>();
    this.child.send(question);
    return reply;
  }

  #reply<Reply>(): Promise<Reply & Fault> {
    return new Promise((resolve, reject) => {
      const failed = (words: string) => reject(new Error(`${words}\n${this.#output}`));
      const ended = () => failed('The process that was to do this ended:');
      this.child.once('exit', ended);
      this.child.once('message', (reply: Reply & Fault) => {
        this.child.off('exit', ended);
        if (reply.fault === undefined) resolve(reply);
        else failed(`It failed: ${reply.fault}`);
      });
    });
  }
}

/** A process in which services run one after another. */
export class ServiceHost extends Host {
  readonly zone: string | undefined;
  #isServing = false;

  constructor(environment: Environment) {
    super('host.mjs', environment);
    this.zone = environment['TZ'];
  }

  async start(environment: Environment): Promise<string> {
    this.forgetOutput();
    const { url = '' } = await this.ask<{ url?: string }>({ order: 'start', environment });
    this.#isServing = true;
    return url;
  }

  /** Stops the service, and is there for the next. */
  async release(): Promise<void> {
    if (!this.isRunning || !this.#isServing) return;
    this.#isServing = false;
    await this.ask({ order: 'stop' });
    this.isTaken = false;
  }
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process in which commands run one after another. */
export class CommandHost extends Host {
  constructor(environment: Environment) {
    super('command-host.mjs', environment);
  }

  async run(environment: Environment, args: readonly string[], input: string): Promise<CommandResult> {
    this.forgetOutput();
    const { isSpent, ...result } = await this.ask<CommandResult & { isSpent: boolean }>({
      ...{ environment, args, input },
    });
    if (isSpent) await this.kill();
    this.isTaken = false;
    return result;
  }
}

/** They outlive the file that began them, and what it loaded. */
const known: unique symbol = Symbol.for('atelier.test.hosts');
interface Known {
  readonly services: ServiceHost[];
  readonly commands: CommandHost[];
}
const everywhere = Object.assign<typeof globalThis, { [known]?: Known }>(globalThis, {});

function allHosts(): Known {
  const { services = [], commands = [] } = everywhere[known] ?? {};
  const isRunning = (host: Host) => host.isRunning;
  everywhere[known] = { services: services.filter(isRunning), commands: commands.filter(isRunning) };
  return everywhere[known];
}

/** One that is free and will do, or one more. */
async function take<One extends Host>(
  from: One[],
  make: () => One,
  willDo: (host: One) => boolean = () => true,
): Promise<One> {
  const free = from.find((host) => !host.isTaken && willDo(host));
  if (free !== undefined) {
    free.isTaken = true;
    return free;
  }
  const host = make();
  from.push(host);
  return host.begun();
}

/** For as long as a service is needed: one that was started in the same time zone. */
export const takeHost = (environment: Environment): Promise<ServiceHost> =>
  take(
    allHosts().services,
    () => new ServiceHost(environment),
    ({ zone }) => zone === environment['TZ'],
  );

/** For one command. */
export const takeCommandHost = (environment: Environment): Promise<CommandHost> =>
  take(allHosts().commands, () => new CommandHost(environment));

/** Those whose work was never ended are nobody's any more. */
export async function endTakenHosts(): Promise<void> {
  const { services, commands } = allHosts();
  const taken = [...services, ...commands].filter(({ isTaken }) => isTaken);
  await Promise.all(taken.map((host) => host.kill()));
}
