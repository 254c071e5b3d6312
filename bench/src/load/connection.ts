import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';
import type { Script } from './script.ts';
import type { Tally } from './tally.ts';

const readBufferBytes = 64 * 1024;

/**
 * One keep-alive connection. It sends its next request as soon as the answer before is complete or, with a pace, not
 * before that much time has passed since the one before was sent.
 */
export class Connection {
  readonly #script: Script;
  readonly #tally: Tally;
  readonly #paceMs: number | undefined;
  readonly #socket: Socket;
  readonly #reader = new ResponseReader();
  #sentAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(port: number, script: Script, tally: Tally, paceMs?: number) {
    this.#script = script;
    this.#tally = tally;
    this.#paceMs = paceMs;
    this.#socket = this.#open(port);
  }

  close(): void {
    this.#closing = true;
    clearTimeout(this.#timer);
    this.#socket.destroy();
  }

  #open(port: number): Socket {
    // A buffer of its own for each connection: no allocation and no stream machinery for each read.
    const buffer = Buffer.allocUnsafeSlow(readBufferBytes);
    const callback = (length: number) => this.#receive(buffer.subarray(0, length));
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer, callback } });
    socket.once('connect', () => this.#send());
    socket.on('error', (error) => this.#fail(error.message));
    socket.once('end', () => this.#fail('connection ended by the server'));
    return socket;
  }

  #sendNext(now: number): void {
    const waitMs = this.#paceMs === undefined ? 0 : this.#sentAt + this.#paceMs - now;
    if (waitMs > 0) this.#timer = setTimeout(() => this.#send(), waitMs);
    else this.#send(now);
  }

  #send(now = performance.now()): void {
    this.#sentAt = now;
    this.#socket.write(this.#script.next());
  }

  #receive(bytes: Buffer): boolean {
    try {
      const answer = this.#reader.push(bytes);
      if (answer === undefined) return true;
      const now = performance.now();
      this.#tally.answered(answer, now - this.#sentAt);
      this.#script.answered?.(answer);
      this.#sendNext(now);
    } catch (error) {
      this.#fail(String(error));
    }
    return true;
  }

  #fail(reason: string): void {
    if (this.#closing) return;
    this.#tally.failed(reason);
    this.close();
  }
}
