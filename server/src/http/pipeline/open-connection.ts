import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { OpenConnection } from '../route.ts';

/** What Node's own server has read a request with. */
interface Parser {
  unconsume(): void;
  remove(): void;
  close(): void;
  socket: unknown;
  incoming: unknown;
  outgoing: unknown;
  onIncoming: unknown;
}

type Served = Socket & { parser?: Parser | null };

const isParser = (parser: Partial<Parser> | null | undefined): parser is Parser =>
  [parser?.unconsume, parser?.remove, parser?.close].every((act) => typeof act === 'function');

/** Listeners of Node's own server. That something ends is still told to all who want to know. */
const heardByServer = ['data', 'end', 'drain', 'error', 'timeout', 'pause', 'resume'];

const ignore = () => {};
const closeParser = (parser: Parser) => parser.close();

function destroyThis(this: Socket): void {
  this.destroy();
}

/** The answer alone, over a connection from which nothing is read any more. */
class BareConnection implements OpenConnection {
  readonly #socket: Socket;
  readonly #isChunked: boolean;

  constructor(socket: Socket, isChunked: boolean) {
    this.#socket = socket;
    this.#isChunked = isChunked;
  }

  get unread(): number {
    return this.#socket.writableLength;
  }

  get isOver(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  write(text: string): void {
    this.#socket.write(this.#isChunked ? `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n` : text);
  }

  end(): void {
    if (this.isOver) return;
    if (this.#isChunked) this.#socket.write('0\r\n\r\n');
    this.#socket.destroySoon();
  }

  cut(): void {
    this.#socket.resetAndDestroy();
  }

  onceOver(act: () => void): void {
    this.#socket.once('close', act);
  }
}

/** As Node's server has it. */
class ServedConnection implements OpenConnection {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get unread(): number {
    return this.#response.writableLength;
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  write(text: string): void {
    this.#response.write(text);
  }

  end(): void {
    this.#response.end();
  }

  cut(): void {
    this.#response.socket?.resetAndDestroy();
  }

  onceOver(act: () => void): void {
    this.#response.once('close', act);
  }
}

/**
 * Begins an answer that stays open, and lets go of everything else that Node's server keeps for it: request, answer and parser would be
 * three quarters of what an idle stream takes (decision 52). What they hold is Node's own and has no name in its documents; where it is
 * not as we know it, or a part of the request is still to come, the connection stays with the server.
 */
export function openConnection(
  request: IncomingMessage,
  response: ServerResponse,
  writeHead: () => void,
): OpenConnection {
  const socket = response.socket as Served | null;
  const parser = socket?.parser;
  if (socket === null || socket.destroyed || !request.complete || !isParser(parser)) {
    writeHead();
    return new ServedConnection(response);
  }
  // Nobody reads another request from it.
  response.shouldKeepAlive = false;
  writeHead();
  response.flushHeaders();
  const connection = new BareConnection(socket, response.chunkedEncoding);
  response.detachSocket(socket);
  parser.unconsume();
  parser.remove();
  for (const event of heardByServer) socket.removeAllListeners(event);
  Object.assign(parser, { socket: null, incoming: null, outgoing: null, onIncoming: null });
  socket.parser = null;
  // The parser may be what is calling.
  setImmediate(closeParser, parser);
  socket.setTimeout(0);
  socket.on('error', ignore).on('end', destroyThis).resume();
  // For all who count answers that are given, this one is.
  response.emit('close');
  return connection;
}
