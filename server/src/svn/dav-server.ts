import type { MessagePort } from 'node:worker_threads';
import { Apache, type ApacheTask } from './apache.ts';
import type { Location } from './apache-config.ts';
import type { Workplace } from './workplace.ts';

/** Ways of spelling the name of one project at the most. */
const mostSpellings = 8;

const pauses = { first: 500, longest: 30_000 };

export interface DavSecrets {
  /** Without it Apache answers nobody. */
  readonly apache: string;
  /** Without it the platform answers no hook. */
  readonly hooks: string;
}

export interface DavServerSetup {
  readonly workplace: () => Workplace;
  readonly secrets: DavSecrets;
  readonly tell: (fault: string) => void;
}

/**
 * Keeps the Apache that serves repositories: started when somebody first asks for one, started again when it dies. Apache
 * must know every project by name; when one is new, a second Apache takes over and the first ends what it has begun.
 */
export class DavServer {
  readonly #setup: DavServerSetup;
  readonly #locations = new Map<string, Location>();
  #workplace: Workplace | undefined;
  readonly #hookPort = Promise.withResolvers<number>();
  #current: { apache: Apache; known: ReadonlySet<string> } | undefined;
  readonly #running = new Set<Apache>();
  #starting: Promise<void> | undefined;
  #isStopping = false;
  #pause = pauses.first;

  constructor(setup: DavServerSetup) {
    this.#setup = setup;
  }

  /** Hooks reach the platform at this port. */
  hooksAt(port: number): void {
    this.#hookPort.resolve(port);
  }

  /**
   * The port at which the project is served under this name; undefined when it has too many names. `usual`: how its name is
   * spelled most often, so that one Apache knows all of them.
   */
  async portFor(location: Location, usual: readonly string[] = []): Promise<number | undefined> {
    for (const spelling of usual) this.#learn({ ...location, spelling });
    if (!this.#learn(location)) return undefined;
    while (!this.#isServed(location)) {
      if (this.#isStopping) return undefined;
      this.#starting ??= this.#renew().finally(() => {
        this.#starting = undefined;
      });
      await this.#starting;
    }
    return this.#current?.apache.port;
  }

  #isServed({ spelling, projectId }: Location): boolean {
    const { apache, known } = this.#current ?? {};
    return apache !== undefined && !apache.isOver && known?.has(`${projectId} ${spelling}`) === true;
  }

  #learn(location: Location): boolean {
    const { spelling, projectId } = location;
    if (this.#locations.get(spelling)?.projectId === projectId) return true;
    const others = [...this.#locations.values()].filter((other) => other.projectId === projectId);
    if (others.length >= mostSpellings) return false;
    this.#locations.set(spelling, location);
    return true;
  }

  async #renew(): Promise<void> {
    const locations = [...this.#locations.values()];
    const known = new Set(locations.map(({ spelling, projectId }) => `${projectId} ${spelling}`));
    this.#workplace ??= this.#setup.workplace();
    const { apache: secret, hooks } = this.#setup.secrets;
    const task: ApacheTask = {
      ...{ workplace: this.#workplace, secret, locations },
      hooks: { port: await this.#hookPort.promise, secret: hooks },
    };
    const apache = await Apache.start(task);
    this.#running.add(apache);
    apache.whenOver(() => this.#ended(apache));
    const before = this.#current?.apache;
    this.#current = { apache, known };
    before?.retire();
    if (this.#isStopping) await apache.stop();
  }

  /** One that ends unasked is replaced, later and later when that does not help. */
  #ended(apache: Apache): void {
    this.#running.delete(apache);
    if (this.#isStopping || this.#current?.apache !== apache) return;
    this.#setup.tell('Apache, which serves the repositories, ended and is started again.');
    const [location] = this.#locations.values();
    const retry = () => {
      if (location !== undefined && !this.#isStopping)
        void this.portFor(location).catch(() => this.#ended(apache));
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

interface Asked {
  readonly id: number;
  readonly location: Location;
  readonly usual: readonly string[];
}
type Question = Asked | { readonly hookPort: number };
type Reply = { readonly id: number; readonly port?: number | undefined; readonly fault?: string };

/** Lets a thread that answers requests ask the server for ports. */
export function answerDavLine(port: MessagePort, server: DavServer): void {
  const reply = async ({ id, location, usual }: Asked): Promise<Reply> => {
    try {
      return { id, port: await server.portFor(location, usual) };
    } catch (error) {
      return { id, fault: error instanceof Error ? error.message : String(error) };
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
  readonly secrets: DavSecrets;
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #last = 0;

  constructor(port: MessagePort, secrets: DavSecrets) {
    this.#port = port;
    this.secrets = secrets;
    port.on('message', (reply: Reply) => {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
  }

  hooksAt(hookPort: number): void {
    this.#port.postMessage({ hookPort } satisfies Question);
  }

  async portFor(location: Location, usual: readonly string[]): Promise<number | undefined> {
    const id = ++this.#last;
    const { port, fault } = await new Promise<Reply>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#port.postMessage({ id, location, usual } satisfies Question);
    });
    if (fault !== undefined) throw new Error(fault);
    return port;
  }
}
