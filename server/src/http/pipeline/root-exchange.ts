import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { OpenBlob } from '../../storage/index.ts';
import { type FlatHeaders, securityHeaders } from '../headers.ts';
import type { Services } from '../services.ts';
import { cookieRemoval } from './authentication.ts';
import { errorPage, type Text } from './error-page.ts';
import { toFailure } from './errors.ts';
import { challenge } from './exchange.ts';
import { RequestLog } from './request-log.ts';
import { Sending } from './sending.ts';

const isCut = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ECANCELED', 'ERR_STREAM_PREMATURE_CLOSE'].includes(
    String(error.code),
  );

/** A request to an address that is not below `/api`, and its answer: bytes, or a few words. */
export class RootExchange {
  readonly request: IncomingMessage;
  readonly requestLog: RequestLog;
  readonly #response: ServerResponse;
  readonly #headers: FlatHeaders;
  readonly #services: Services;
  readonly #challenge: string;

  /** `headers`: those of every answer. `challenge`: how those are asked who must say who they are. */
  constructor(
    services: Services,
    request: IncomingMessage,
    response: ServerResponse,
    {
      headers,
      label,
      challenge: asked = challenge,
    }: { headers: FlatHeaders; label: string; challenge?: string },
  ) {
    this.#challenge = asked;
    this.request = request;
    this.requestLog = new RequestLog(services, label);
    this.#services = services;
    this.#response = response;
    this.#headers = headers;
  }

  #all(headers: FlatHeaders): string[] {
    return [...securityHeaders, ...this.#headers, 'X-Request-Id', this.requestLog.id, ...headers];
  }

  get isStopping(): boolean {
    return this.#services.isStopping();
  }

  /** When nobody waits for the answer any more: the caller went away, or has all of it. */
  whenLeft(): AbortSignal {
    const left = new AbortController();
    if (this.#response.destroyed) left.abort();
    else this.#response.once('close', () => left.abort());
    return left.signal;
  }

  /** Whether the caller went away before there was an answer. */
  get isLeft(): boolean {
    return this.#response.destroyed;
  }

  /** Writes an answer with words, or without a body. */
  answer(status: number, headers: FlatHeaders, text?: Text): void {
    const content = text?.content ?? '';
    const described =
      text === undefined
        ? []
        : ['Content-Type', text.type, 'Content-Length', String(Buffer.byteLength(content))];
    const length = text === undefined && status !== 204 && status !== 304 ? ['Content-Length', '0'] : [];
    const isOurPage = this.request.headers['sec-fetch-site'] === 'same-origin';
    const asked = status === 401 && !isOurPage ? ['WWW-Authenticate', this.#challenge] : [];
    const removed = status === 401 ? cookieRemoval(this.request, this.#services.publicUrl) : [];
    this.#response.writeHead(status, this.#all([...described, ...length, ...asked, ...removed, ...headers]));
    this.#response.end(this.request.method === 'HEAD' ? '' : content);
    this.requestLog.finish(status);
  }

  /** Answers with a page that says what went wrong. */
  fail(error: unknown, headers: FlatHeaders): void {
    const { status, body, retryAfter, fault } = toFailure(error);
    if (fault !== undefined) this.requestLog.fault(fault);
    const own = retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)];
    this.answer(status, [...headers, ...own], errorPage(status, body.error.message));
  }

  /** Writes bytes while they are read. `headers` tell their type and length. */
  async stream(status: number, headers: FlatHeaders, bytes: Pick<OpenBlob, 'pour'>): Promise<void> {
    this.#response.writeHead(status, this.#all(headers));
    try {
      const sending = new Sending(this.#services, this.#response);
      await bytes.pour((part) => sending.handOver(part));
      this.#response.end();
    } catch (error) {
      // Whoever went away misses nothing; for everybody else the broken connection tells that the rest is missing.
      if (!isCut(error)) this.requestLog.fault(error);
      this.#response.destroy();
    }
    this.requestLog.finish(status);
  }

  /**
   * Hands on the answer of another server while it arrives. `heard` gets each part of it. `meaning`: the status that it counts as, once all of
   * it was heard.
   */
  async relay(
    incoming: IncomingMessage,
    headers: FlatHeaders,
    { heard, meaning }: { heard: (part: Buffer) => void; meaning: () => number },
  ): Promise<void> {
    if (this.isLeft) {
      incoming.destroy();
      return this.abandon();
    }
    this.#response.writeHead(incoming.statusCode ?? 502, this.#all(headers));
    new Sending(this.#services, this.#response).watch();
    incoming.on('data', heard);
    try {
      await pipeline(incoming, this.#response);
    } catch (error) {
      if (!isCut(error)) this.requestLog.fault(error);
      this.#response.destroy();
    }
    this.requestLog.finish(meaning());
  }

  /** The caller went away in the middle of the request: there is nobody to answer. */
  abandon(): void {
    this.#response.destroy();
    this.requestLog.finish(499);
  }
}
