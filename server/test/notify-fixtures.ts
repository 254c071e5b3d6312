import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { Atelier } from './harness/atelier.ts';
import { databaseOf } from './project-fixtures.ts';

/** A mail as its recipient gets it. */
export interface ReceivedMail {
  readonly to: string;
  /** By names in lower case; each header once, or this is no mail of ours. */
  readonly headers: ReadonlyMap<string, string>;
  readonly subject: string;
  readonly text: string;
  readonly raw: string;
}

const fromQuoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8');

function decodedWords(header: string): string {
  const joined = header.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : fromQuoted(text.replaceAll('_', ' ')),
  );
}

function parsed(to: string, raw: string): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    if (headers.has(name)) throw new Error(`The header ${name} stands twice.`);
    headers.set(name, line.slice(line.indexOf(':') + 1).trim());
  }
  const body = raw.slice(end + 4);
  const encoding = headers.get('content-transfer-encoding');
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? fromQuoted(body)
        : body;
  const subject = decodedWords(headers.get('subject') ?? '');
  return { to, headers, subject, text: text.replaceAll('\r\n', '\n'), raw };
}

type Verdict = 'take' | 'refuse' | 'later' | 'hang';

/** A mail server that keeps what it is given, and can be told to behave badly. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** What happens to mails to an address. */
  verdict: (address: string) => Verdict = () => 'take';
  /** Addresses of every try, in order. */
  readonly tries: string[] = [];
  /** Connections that ended. */
  ended = 0;
  #server = this.#make();
  #port = 0;

  #make(): SMTPServer {
    const server = new SMTPServer({
      authOptional: true,
      closeTimeout: 100,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onClose: () => {
        this.ended += 1;
      },
      onRcptTo: ({ address }, _session, done) => {
        this.tries.push(address);
        const verdict = this.verdict(address);
        const codes: Partial<Record<Verdict, number>> = { refuse: 550, later: 451 };
        const responseCode = codes[verdict];
        done(
          responseCode === undefined ? null : Object.assign(new Error(`I say ${verdict}`), { responseCode }),
        );
      },
      onData: (stream, session, done) => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          if (this.verdict(to) === 'hang') return;
          this.mails.push(parsed(to, Buffer.concat(parts).toString('utf8')));
          done();
        });
      },
    });
    server.on('error', () => {});
    return server;
  }

  async #listen(port: number): Promise<void> {
    const listening = this.#server.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    this.#port = (listening.address() as AddressInfo).port;
  }

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    await server.#listen(0);
    return server;
  }

  /** Listens again, where it did before it was stopped. */
  async comeBack(): Promise<void> {
    this.#server = this.#make();
    await this.#listen(this.#port);
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** The mails to somebody, in the order in which they came. */
  to(name: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to === `${name}@example.com`);
  }

  clear(): void {
    this.mails.length = 0;
    this.tries.length = 0;
    this.ended = 0;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }
}

export interface ReceivedCall {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
}

/** A server that webhooks call. */
export class Receiver {
  readonly calls: ReceivedCall[] = [];
  /** How it answers. */
  answer: (response: ServerResponse, call: ReceivedCall) => void = (response) => response.end('thanks');
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', async (request: IncomingMessage, response) => {
      const text = Buffer.concat(await request.toArray()).toString('utf8');
      const { method, url, headers } = request;
      const call = { method, url, headers, text, body: JSON.parse(text) };
      this.calls.push(call);
      this.answer(response, call);
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer().listen(0);
    await once(server, 'listening');
    return new Receiver(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(50);
}

/** What is still to be sent, as the database has it. */
export class Outgoing {
  readonly #database: Awaited<ReturnType<typeof databaseOf>>;

  private constructor(database: Awaited<ReturnType<typeof databaseOf>>) {
    this.#database = database;
  }

  static async of(atelier: Atelier): Promise<Outgoing> {
    return new Outgoing(await databaseOf(atelier));
  }

  /** Events that nobody was told of yet. */
  async events(): Promise<number> {
    this.#database.renew();
    return (await this.#database.all(this.#database.sql.selectFrom('outbox').select('id'))).length;
  }

  async waitingMails(): Promise<number> {
    this.#database.renew();
    const mails = this.#database.sql.selectFrom('mail').select('id').where('due_at', 'is not', null);
    return (await this.#database.all(mails)).length;
  }

  /** What went wrong with mails that wait. */
  async faults(): Promise<{ attempts: number; fault: string | null }[]> {
    this.#database.renew();
    const mails = this.#database.sql.selectFrom('mail').select(['attempts', 'fault']);
    return this.#database.all(mails.where('fault', 'is not', null));
  }

  async waitingDeliveries(): Promise<number> {
    this.#database.renew();
    const deliveries = this.#database.sql.selectFrom('webhook_delivery').select('id');
    return (await this.#database.all(deliveries.where('due_at', 'is not', null))).length;
  }

  /** Waits until everything that happened was told to all who are told. */
  async isEmpty(): Promise<void> {
    const left = [() => this.events(), () => this.waitingMails(), () => this.waitingDeliveries()];
    await until(async () => {
      for (const count of left) if ((await count()) > 0) return false;
      return true;
    });
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
