import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection over which anything can be sent, and what came back over it. */
export class RawConnection {
  answer = '';
  isClosed = false;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (part) => {
      this.answer += part.toString('latin1');
    });
    // A connection that is cut is what some of those who use this wait for.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  static async open(url: string, localAddress?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) });
    const connection = new RawConnection(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    return connection;
  }

  send(bytes: string | Buffer): this {
    this.#socket.write(bytes);
    return this;
  }

  /** The status of the first answer, 100 Continue left out. Waits for it. */
  async status(): Promise<number> {
    for (;;) {
      const found = /(?:^|\r\n)HTTP\/1\.1 (?!100)(\d{3}) /.exec(this.answer)?.[1];
      if (found !== undefined) return Number(found);
      if (this.isClosed) throw new Error(`The connection ended without an answer: ${this.answer}`);
      await Promise.race([once(this.#socket, 'data'), once(this.#socket, 'close')]);
    }
  }

  async closed(): Promise<void> {
    if (!this.isClosed) await once(this.#socket, 'close');
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** The beginning of a request with a body. */
export function head(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
