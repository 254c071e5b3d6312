import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Failure } from './errors.ts';
import { apiHeaders, contentTypes, type FlatHeaders } from './headers.ts';
import { type AnswerFormat, negotiate, negotiateOrJson, type Wishes } from './negotiation.ts';
import { Json } from './route.ts';
import type { Services } from './services.ts';
import { toXml } from './xml.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set before routing when the path had a `.json` or `.xml` suffix. */
    answerSuffix?: AnswerFormat;
  }
}

const realm = 'Atelier';
const challenge = `Basic realm="${realm}" Token realm="${realm}" AccessKey realm="${realm}"`;

let requests = 0;
const threadMark = Math.random().toString(36).slice(2, 8);

/** One request and its answer: knows the format, writes the bytes, counts and logs. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly id = `${threadMark}-${(++requests).toString(36)}`;
  readonly #response: ServerResponse;
  readonly #services: Services;
  readonly #routeHeaders: FlatHeaders;
  readonly #label: string;
  readonly #began = performance.now();
  userId = 0;

  constructor(
    services: Services,
    request: IncomingMessage,
    response: ServerResponse,
    routeHeaders: FlatHeaders,
    label: string,
  ) {
    this.request = request;
    this.#response = response;
    this.#services = services;
    this.#routeHeaders = routeHeaders;
    this.#label = label;
    services.metrics.began();
  }

  #wishes(): Wishes {
    const { headers, answerSuffix } = this.request;
    const acceptCharset = headers['accept-charset'];
    return {
      suffix: answerSuffix,
      accept: headers.accept,
      acceptCharset: Array.isArray(acceptCharset) ? acceptCharset.join(',') : acceptCharset,
    };
  }

  negotiate(): AnswerFormat {
    return negotiate(this.#wishes());
  }

  /** Writes an answer. An undefined value is an empty body. */
  answer(status: number, value: unknown, format: AnswerFormat, headers: FlatHeaders): void {
    if (value === undefined) return this.#write(status, '', headers);
    const text =
      format === 'json' ? toJson(value) : toXml(value instanceof Json ? JSON.parse(value.text) : value);
    this.#write(status, text, ['Content-Type', contentTypes[format], ...headers]);
  }

  #write(status: number, text: string, headers: FlatHeaders): void {
    const hasCaching = headers.includes('Cache-Control');
    this.#response.writeHead(status, [
      'X-Request-Id',
      this.id,
      ...(status === 204 || status === 304 ? [] : ['Content-Length', String(Buffer.byteLength(text))]),
      ...(hasCaching ? [] : noStore),
      ...apiHeaders,
      ...this.#routeHeaders,
      ...headers,
    ]);
    this.#response.end(text);
    this.#finish(status);
  }

  /** Every status of 400 and above leaves through here. */
  fail({ status, body, retryAfter, fault }: Failure, headers: FlatHeaders = []): void {
    if (fault !== undefined) this.#logFault(fault);
    const isOurPage = this.request.headers['sec-fetch-site'] === 'same-origin';
    this.answer(status, body, negotiateOrJson(this.#wishes()), [
      ...headers,
      ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
      ...(status === 401 && !isOurPage ? ['WWW-Authenticate', challenge] : []),
    ]);
  }

  #logFault(fault: unknown): void {
    const error = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    this.#services.log.error({ request: this.id, route: this.#label, error }, 'unexpected failure');
  }

  #finish(status: number): void {
    const milliseconds = performance.now() - this.#began;
    this.#services.metrics.ended(status, milliseconds / 1000);
    if (this.#services.config.logLevel !== 'info' && this.#services.config.logLevel !== 'debug') return;
    const facts = {
      request: this.id,
      route: this.#label,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      user: this.userId,
    };
    this.#services.log.info(facts, 'answered');
  }
}

const noStore: FlatHeaders = ['Cache-Control', 'no-store'];

function toJson(value: unknown): string {
  return value instanceof Json ? value.text : JSON.stringify(value);
}
