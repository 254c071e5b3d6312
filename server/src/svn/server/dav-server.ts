import { randomBytes } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import type { SvnWorkspace } from '../workspace/index.ts';
import { Apache, type ApacheTask, sweepApaches } from './apache.ts';
import type { Location } from './apache-config.ts';
import { Spellings } from './spellings.ts';

const pauses = { first: 500, longest: 30_000 };

export interface DavSecrets {
  /** Without it the platform answers no hook. */
  readonly hooks: string;
}

/** Where an Apache listens, and without what it answers nobody. Each has a secret of its own. */
export interface DavDoor {
  readonly port: number;
  readonly secret: string;
}

export interface DavServerSetup {
  readonly svnWorkspace: () => SvnWorkspace;
  readonly secrets: DavSecrets;
  readonly tell: (fault: string) => void;
}

/**
 * Keeps the Apache that serves repositories: started when somebody first asks for one, started again when it dies. Apache
 * must know every project by name; when one is new, a second Apache takes over and the first ends what it has begun.
 */
export class DavServer {
  readonly #setup: DavServerSetup;
  readonly #spellings = new Spellings();
  #svnWorkspace: SvnWorkspace | undefined;
  readonly #firstHookPort = Promise.withResolvers<number>();
  #hookPort: number | undefined;
  #current: { apache: Apache; secret: string; known: ReadonlySet<string> } | undefined;
  readonly #running = new Set<Apache>();
  #starting: Promise<void> | undefined;
  #isStopping = false;
  #pause = pauses.first;

  constructor(setup: DavServerSetup) {
    this.#setup = setup;
  }

  /** Hooks reach the platform at this port. An Apache whose hooks would look for it elsewhere gives way to another. */
  hooksAt(port: number): void {
    if (this.#hookPort !== undefined && this.#hookPort !== port && this.#current !== undefined)
      this.#current = { ...this.#current, known: new Set() };
    this.#hookPort = port;
    this.#firstHookPort.resolve(port);
  }

  /** Where hooks are answered, as far as anybody has said. */
  get hookPort(): number | undefined {
    return this.#hookPort;
  }

  /**
   * Where the project is served under this name; undefined when it has too many names. `usual`: how its name is
   * spelled most often, so that one Apache knows all of them. `caller`: who asks.
   */
  async doorFor(
    location: Location,
    usual: readonly string[] = [],
    caller?: string,
  ): Promise<DavDoor | undefined> {
    const now = performance.now();
    for (const spelling of usual) this.#spellings.learn({ ...location, spelling }, now);
    if (!this.#spellings.learn(location, now, caller)) return undefined;
    while (!this.#isServed(location)) {
      // It may have given way to another while an Apache started.
      if (this.#isStopping || !this.#spellings.learn(location, performance.now(), caller)) return undefined;
      this.#starting ??= this.#renew().finally(() => {
        this.#starting = undefined;
      });
      await this.#starting;
    }
    return this.#current && { port: this.#current.apache.port, secret: this.#current.secret };
  }

  #isServed({ spelling, projectId }: Location): boolean {
    const { apache, known } = this.#current ?? {};
    return apache !== undefined && !apache.isOver && known?.has(`${projectId} ${spelling}`) === true;
  }

  async #renew(): Promise<void> {
    const { locations } = this.#spellings;
    const known = new Set(locations.map(({ spelling, projectId }) => `${projectId} ${spelling}`));
    if (this.#svnWorkspace === undefined) {
      this.#svnWorkspace = this.#setup.svnWorkspace();
      await sweepApaches(this.#svnWorkspace);
    }
    const { hooks } = this.#setup.secrets;
    const secret = randomBytes(32).toString('hex');
    const port = this.#hookPort ?? (await this.#firstHookPort.promise);
    const task: ApacheTask = {
      ...{ svnWorkspace: this.#svnWorkspace, secret, locations },
      hooks: { port, secret: hooks },
    };
    const apache = await Apache.start(task);
    this.#running.add(apache);
    apache.whenOver(() => this.#ended(apache));
    const before = this.#current?.apache;
    // While it started, hooks may have moved: then it serves nobody.
    this.#current = { apache, secret, known: port === this.#hookPort ? known : new Set() };
    before?.retire();
    if (this.#isStopping) await apache.stop();
  }

  /** One that ends unasked is replaced, later and later when that does not help. */
  #ended(apache: Apache): void {
    this.#running.delete(apache);
    if (this.#isStopping || this.#current?.apache !== apache) return;
    this.#setup.tell('Apache, which serves the repositories, ended and is started again.');
    const [location] = this.#spellings.locations;
    const retry = () => {
      if (location !== undefined && !this.#isStopping)
        void this.doorFor(location).catch(() => this.#ended(apache));
    };
    setTimeout(retry, this.#pause).unref();
    this.#pause = Math.min(this.#pause * 2, pauses.longest);
    setTimeout(() => {
      this.#pause = pauses.first;
    }, 10 * pauses.longest).unref();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#starting?.catch(() => {});
    await Promise.all([...this.#running].map((apache) => apache.stop()));
  }
}

interface LocationRequest {
  readonly id: number;
  readonly location: Location;
  readonly usual: readonly string[];
  readonly caller: string;
}
type Question = LocationRequest | { readonly hookPort: number };
interface Reply {
  readonly id: number;
  readonly door?: DavDoor | undefined;
  readonly fault?: { readonly message: string; readonly code: unknown };
}

/** What is left of an error between threads; by its code it is known that the machine is short of something. */
const faultOf = (error: unknown) => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof Error && 'code' in error ? error.code : undefined,
});

/** Lets a thread that answers requests ask the server where projects are served. */
export function answerDavLine(port: MessagePort, server: DavServer): void {
  const reply = async ({ id, location, usual, caller }: LocationRequest): Promise<Reply> => {
    try {
      return { id, door: await server.doorFor(location, usual, caller) };
    } catch (error) {
      return { id, fault: faultOf(error) };
    }
  };
  port.on('message', async (question: Question) => {
    if ('hookPort' in question) server.hooksAt(question.hookPort);
    else port.postMessage(await reply(question));
  });
  port.unref();
}

/** The other end of `answerDavLine`. */
export class DavLine {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #last = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (reply: Reply) => {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
  }

  hooksAt(hookPort: number): void {
    this.#port.postMessage({ hookPort } satisfies Question);
  }

  async doorFor(location: Location, usual: readonly string[], caller: string): Promise<DavDoor | undefined> {
    const id = ++this.#last;
    const { door, fault } = await new Promise<Reply>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#port.postMessage({ id, location, usual, caller } satisfies Question);
    });
    if (fault !== undefined) throw Object.assign(new Error(fault.message), { code: fault.code });
    return door;
  }
}
