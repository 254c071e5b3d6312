import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';
import type { Tally } from './tally.ts';

const readBufferBytes = 64 * 1024;

/** One keep-alive connection that sends its next request as soon as the answer before is complete. */
export class Connection {
  readonly #requests: Buffer[];
  readonly #tally: Tally;
  readonly #socket: Socket;
  readonly #reader = new ResponseReader();
  #sentAt = 0;
  #closing = false;

  constructor(port: number, requests: Buffer[], tally: Tally) {
    this.#requests = requests;
    this.#tally = tally;
    this.#socket = this.#open(port);
  }

  close(): void {
    this.#closing = true;
    this.#socket.destroy();
  }

  #open(port: number): Socket {
    // A buffer of its own for each connection: no allocation and no stream machinery for each read.
    const buffer = Buffer.allocUnsafeSlow(readBufferBytes);
    const callback = (length: number) => this.#receive(buffer.subarray(0, length));
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer, callback } });
    socket.once('connect', () => this.#sendNext(performance.now()));
    socket.on('error', (error) => this.#fail(error.message));
    socket.once('end', () => this.#fail('connection ended by the server'));
    return socket;
  }

  #sendNext(now: number): void {
    const request = this.#requests[Math.floor(Math.random() * this.#requests.length)];
    if (request === undefined) throw new Error('no requests to send');
    this.#sentAt = now;
    this.#socket.write(request);
  }

  #receive(bytes: Buffer): boolean {
    try {
      const answer = this.#reader.push(bytes);
      if (answer === undefined) return true;
      const now = performance.now();
      this.#tally.answered(answer, now - this.#sentAt);
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
