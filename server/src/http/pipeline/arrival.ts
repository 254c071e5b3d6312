import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { second } from '../../kernel/clock.ts';
import { errorBody } from './errors.ts';
import { TurnGathering } from './turn.ts';

const addressToWrite =
  'The address has characters that must be written with percent signs: %20 for a space, %C3%A9 for é.';

/** What whoever wrote the request can do about it, by the fault that the HTTP parser names. A space ends an address. */
const remedies: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: addressToWrite,
  HPE_INVALID_CONSTANT: addressToWrite,
  HPE_INVALID_METHOD:
    'It begins with no method of HTTP: methods are written in capitals, and this port takes no HTTPS.',
};

/** What the HTTP parser could not read never becomes a request; it still gets the usual body. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const details: Readonly<Record<number, string>> = {
    431: 'Request Header Fields Too Large',
    408: 'Request Timeout',
  };
  const unreadable = ['This is not a readable HTTP request.', remedies[error.code ?? ''] ?? []]
    .flat()
    .join(' ');
  socket.end(bareAnswer(status, details[status] ?? 'Bad Request', details[status] ?? unreadable));
}

/** An answer to what never becomes a request. */
function bareAnswer(status: number, phrase: string, words: string, headers = ''): string {
  const body = JSON.stringify(errorBody(status, words));
  return (
    `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json; charset=utf-8\r\n${headers}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}

const tooManyConnections = bareAnswer(
  503,
  'Service Unavailable',
  'There are too many connections.',
  'Retry-After: 2\r\n',
);

/** Ends a connection that there is no room for, with the usual words: nothing that comes over it counts any more. */
export function refuseConnection(socket: Socket): void {
  socket.on('error', () => {});
  socket.end(tooManyConnections);
  // Closed at once, while something is still arriving, the system would throw the answer away.
  const timer = setTimeout(() => socket.destroy(), 1000);
  socket.once('close', () => clearTimeout(timer));
}

/** `GET http://host/path`, as a proxy is asked: servers take it as well, and the host in it is the one that counts. */
export function readTarget(request: IncomingMessage): void {
  const { url = '' } = request;
  if (url.startsWith('/')) return;
  const [whole, host] = /^https?:\/\/([^/?#@]+)/i.exec(url) ?? [];
  if (whole === undefined || host === undefined) return;
  const rest = url.slice(whole.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/**
 * What is wrong with the Host header, if anything: HTTP/1.1 wants it exactly once, so that what stands before us and behind us
 * never means another host by the same request.
 */
export function hostFault({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const count = countHosts(rawHeaders);
  if (count > 1) return 'The request has more than one Host header.';
  return count === 0 && httpVersion !== '1.0' ? 'The request has no Host header.' : undefined;
}

/** The whole of a body must have arrived in so many seconds. */
export function limitArrival(request: IncomingMessage, seconds: number): void {
  const late = Object.assign(new Error('The request did not arrive in time.'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  });
  const timer = setTimeout(() => answerUnreadable(late, request.socket), seconds * second);
  request.once('close', () => clearTimeout(timer));
}

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Ends requests whose bodies do not arrive in time. Most bodies come with their headers: those need no clock. */
export class ArrivalLimit {
  readonly #arriving: TurnGathering<IncomingMessage>;

  constructor(seconds: number) {
    this.#arriving = new TurnGathering((requests) => {
      for (const request of requests)
        if (!request.complete && !request.destroyed) limitArrival(request, seconds);
    });
  }

  begin(request: IncomingMessage): void {
    if (hasBody(request)) this.#arriving.add(request);
  }
}

/** Bytes a second that must come of a body, or go of an answer, that holds something for itself however long it takes. */
export const leastRate = 1024;

/** Ends a request of whose body too little came in so many seconds. However long it is, it may take its time. */
export function limitSlowness(request: IncomingMessage, seconds: number): void {
  if (!hasBody(request)) return;
  let before = request.socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer);
    const { bytesRead } = request.socket;
    // What has arrived and is not taken yet is our own delay.
    if (bytesRead - before < leastRate * seconds && request.readableLength === 0) request.destroy();
    before = bytesRead;
  }, seconds * second);
  request.once('close', () => clearInterval(timer));
}

/** Milliseconds in which the rest of a body that nobody wants is taken off the wire, so that its sender gets to the answer. */
const lingering = 5000;

/** Requests whose rest is being taken off the wire. */
const dropping = new WeakSet<IncomingMessage>();

/**
 * Lets go of what has not arrived of a request that is answered. Whoever goes on sending is cut off. A connection that ends with this
 * answer is closed in one direction first: destroyed while something still arrives, it would take the answer along.
 */
export function dropRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed || dropping.has(request)) return;
  dropping.add(request);
  const { socket } = request;
  const { destroySoon } = socket;
  let isOver = false;
  socket.destroySoon = () => {
    isOver = true;
    socket.end();
  };
  request.removeAllListeners('data').resume();
  const timer = setTimeout(() => request.destroy(), lingering);
  request.once('close', () => {
    clearTimeout(timer);
    socket.destroySoon = destroySoon;
    if (isOver) socket.destroySoon();
  });
}
