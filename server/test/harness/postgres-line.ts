import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What went over the line, as far as it counts, since it was last asked. */
export interface LineUse {
  /** How often somebody had to wait for the server: whatever is sent while an answer is still on its way costs no trip of its own. */
  readonly trips: number;
  /** How often something arrived: what is written at once arrives at once. */
  readonly packets: number;
  /** The text of each statement that was run, in their order. */
  readonly statements: readonly string[];
}

/** What a program says to PostgreSQL, message by message. */
class Speech {
  /** What the program calls itself. */
  name = '';
  #rest: Buffer = Buffer.alloc(0);
  #isStarted = false;
  readonly #texts = new Map<string, string>();
  #bound = '';

  /** Takes what was sent; tells the statements that it runs and how many answers it asks for. */
  hear(bytes: Buffer): { statements: string[]; answers: number } {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const heard = { statements: [] as string[], answers: 0 };
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      const { kind, body } = message;
      if (kind === 'Q') heard.statements.push(textAt(body, 0));
      if (kind === 'P') this.#texts.set(textAt(body, 0), textAt(body, textAt(body, 0).length + 1));
      if (kind === 'B') this.#bound = textAt(body, textAt(body, 0).length + 1);
      if (kind === 'E') heard.statements.push(this.#texts.get(this.#bound) ?? '');
      if (kind === 'Q' || kind === 'S') heard.answers++;
    }
    return heard;
  }

  #next(): { kind: string; body: Buffer } | undefined {
    const head = this.#isStarted ? 1 : 0;
    if (this.#rest.length < head + 4) return undefined;
    const end = head + this.#rest.readUInt32BE(head);
    if (this.#rest.length < end) return undefined;
    const kind = this.#isStarted ? String.fromCharCode(this.#rest[0] ?? 0) : '';
    const body = this.#rest.subarray(head + 4, end);
    this.#rest = this.#rest.subarray(end);
    if (!this.#isStarted) this.name = nameIn(body);
    this.#isStarted = true;
    return { kind, body };
  }
}

/** The greeting is a version and pairs of texts. */
function nameIn(greeting: Buffer): string {
  const texts = greeting.toString('utf8', 4).split('\0');
  return texts[texts.indexOf('application_name') + 1] ?? '';
}

const textAt = (body: Buffer, start: number) => body.toString('utf8', start, body.indexOf(0, start));

/** Counts how often PostgreSQL says that it is ready for the next. */
class Answers {
  #rest: Buffer = Buffer.alloc(0);

  hear(bytes: Buffer): number {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    let ready = 0;
    while (this.#rest.length >= 5 && this.#rest.length >= 1 + this.#rest.readUInt32BE(1)) {
      if (this.#rest[0] === 'Z'.charCodeAt(0)) ready++;
      this.#rest = this.#rest.subarray(1 + this.#rest.readUInt32BE(1));
    }
    return ready;
  }
}

/**
 * Stands between the service and PostgreSQL, counts what is said, and lets every answer take some time, as a network
 * does: so that what was sent without waiting is seen to be.
 */
export class PostgresLine {
  readonly #target: URL;
  readonly #delay: number;
  readonly #server = createServer((socket) => this.#join(socket));
  readonly #sockets = new Set<Socket>();
  /** By what name those call themselves who used it. */
  readonly #uses = new Map<string, { trips: number; packets: number; statements: string[] }>();

  /** `delay`: milliseconds from an answer of the server to its arrival. */
  constructor(target: string, { delay }: { delay: number }) {
    this.#target = new URL(target);
    this.#delay = delay;
  }

  #useBy(name: string): { trips: number; packets: number; statements: string[] } {
    const use = this.#uses.get(name) ?? { trips: 0, packets: 0, statements: [] };
    this.#uses.set(name, use);
    return use;
  }

  /** The address to give to the service. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    const url = Object.assign(new URL(this.#target), { hostname: '127.0.0.1' });
    url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
    return url.href;
  }

  #join(socket: Socket): void {
    const onward = connect(Number(this.#target.port), '127.0.0.1');
    const [speech, answers] = [new Speech(), new Answers()];
    // The greeting asks for an answer as well.
    let awaited = 1;
    socket.on('data', (bytes: Buffer) => {
      const heard = speech.hear(bytes);
      const use = this.#useBy(speech.name);
      if (awaited === 0 && heard.answers > 0) use.trips++;
      awaited += heard.answers;
      use.packets++;
      use.statements.push(...heard.statements);
      onward.write(bytes);
    });
    onward.on('data', (bytes: Buffer) => {
      setTimeout(() => {
        awaited -= answers.hear(bytes);
        if (!socket.destroyed) socket.write(bytes);
      }, this.#delay);
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  /** What was said since the last time that somebody asked, by whoever calls themselves so. */
  use(name = 'atelier http'): LineUse {
    const use = this.#useBy(name);
    this.#uses.delete(name);
    return use;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
