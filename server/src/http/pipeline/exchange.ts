import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Room } from '../../kernel/room.ts';
import type { AnswerFormat } from '../headers.ts';
import { type FlatHeaders, type PreparedHeaders, type RouteHeaders, rateLimitHeaders } from '../headers.ts';
import { CallerGone } from '../limits/index.ts';
import {
  Json,
  type JsonParts,
  type OpenAnswer,
  type Part,
  type Parts,
  type TextParts,
  type Version,
} from '../route.ts';
import type { Services } from '../services.ts';
import { cookieRemoval } from './authentication.ts';
import type { Failure } from './errors.ts';
import { type FormatHints, negotiate, negotiateOrJson } from './negotiation.ts';
import { openConnection } from './open-connection.ts';
import { etagOf, matchesNone } from './preconditions.ts';
import { RequestLog } from './request-log.ts';
import { largestWrite, Sending } from './sending.ts';
import { toXml, XmlParts } from './xml.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set before routing when the path had a `.json` or `.xml` suffix. */
    answerSuffix?: AnswerFormat;
    /** The Content-Type as it was sent. */
    declaredContentType?: string | undefined;
    /** The method that was asked for, while the request is routed by another. */
    askedMethod?: string | undefined;
  }
}

const realm = 'Atelier';
/** What a 401 asks for. */
export const challenge = `Basic realm="${realm}" Token realm="${realm}" AccessKey realm="${realm}"`;

/** Characters of an answer that are kept until it is known whether there is more. */
const shortText = 64 * 1024;
/** Bytes that are reckoned for an answer of which nothing is known. */
const leastRoom = 64 * 1024;

/** An answer that was given, ready to be given again. */
export interface SentVersion {
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly headers: readonly string[];
}

/** One request and its answer: knows the format, writes the bytes, counts and logs. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly requestLog: RequestLog;
  readonly #response: ServerResponse;
  readonly #headers: RouteHeaders;
  readonly #services: Services;
  #begun: Sending | undefined;

  constructor(
    services: Services,
    request: IncomingMessage,
    response: ServerResponse,
    headers: RouteHeaders,
    label: string,
  ) {
    this.request = request;
    this.#response = response;
    this.#headers = headers;
    this.#services = services;
    this.requestLog = new RequestLog(services, label);
  }

  #hints(): FormatHints {
    const { headers, answerSuffix } = this.request;
    const acceptCharset = headers['accept-charset'];
    return {
      suffix: answerSuffix,
      accept: headers.accept,
      acceptCharset: Array.isArray(acceptCharset) ? acceptCharset.join(',') : acceptCharset,
    };
  }

  negotiate(): AnswerFormat {
    return negotiate(this.#hints());
  }

  /** Most answers are taken at once, and need none. */
  get #sending(): Sending {
    this.#begun ??= new Sending(this.#services, this.#response);
    return this.#begun;
  }

  #linger(): void {
    if (this.#response.writableLength > 0) this.#sending.linger();
  }

  /** What this answer holds while it is made. */
  get room(): Room {
    return this.#sending.room;
  }

  /** Waits until the answers of the thread hold less than they do now. */
  async waitForTurn(): Promise<void> {
    await this.room.need(leastRoom);
  }

  /** Nothing more is made for this answer. */
  done(): void {
    this.#begun?.done();
  }

  /** Writes an answer. An undefined value is an empty body. */
  answer(
    status: number,
    value: unknown,
    format: AnswerFormat,
    headers: FlatHeaders,
  ): Promise<void> | undefined {
    const { success } = this.#headers;
    const text = value === undefined ? '' : textOf(value, format);
    const prepared = value === undefined ? success.empty : success[format];
    if (text.length > largestWrite) return this.#writeBytes(status, [Buffer.from(text)], prepared, headers);
    this.#write(status, text, prepared, headers);
    return undefined;
  }

  /** Writes an answer while it is being made. What goes wrong before the first part is refused as usual. */
  async answerInParts(
    status: number,
    body: JsonParts,
    format: AnswerFormat,
    headers: FlatHeaders,
  ): Promise<void> {
    await this.#pour(status, partsIn(format, body), this.#headers.success[format], headers);
  }

  /** The same for a text that is neither JSON nor XML. */
  async answerText(status: number, { type, parts }: TextParts, headers: FlatHeaders): Promise<void> {
    await this.#pour(status, parts, this.#headers.success.empty, ['Content-Type', type, ...headers]);
  }

  /** Hands the connection over to whoever writes to it from now on. Nothing in between may gather what is meant to come at once. */
  answerOpen(status: number, { type, begin }: OpenAnswer, headers: FlatHeaders): void {
    const own = ['Content-Type', type, 'X-Accel-Buffering', 'no', 'X-Request-Id', this.requestLog.id];
    const response = this.#response;
    const writeHead = () =>
      void response.writeHead(status, this.#headers.success.empty.with([...own, ...headers]));
    if (this.request.method === 'HEAD') writeHead();
    this.requestLog.finish(status);
    // Whoever went away meanwhile would never be said to have left.
    if (response.destroyed) return;
    if (this.request.method === 'HEAD') return void response.end();
    // They may stay open for days, many at a time: what came with the request is not needed any more.
    this.request.headers = {};
    this.request.rawHeaders = [];
    const connection = openConnection(this.request, response, writeHead);
    this.#services.door.keepOpen(connection);
    begin(connection);
  }

  /** What is short is one text with a known length, however it was made. */
  async #pour(status: number, parts: Parts, prepared: PreparedHeaders, headers: FlatHeaders): Promise<void> {
    const begin = await this.#begin(parts);
    if (parts.isOver && lengthOf(begin) <= largestWrite)
      return this.#writeWhole(status, begin, prepared, headers);
    await this.#stream(status, begin, parts, prepared.with(headers));
  }

  async #begin(parts: Parts): Promise<Part[]> {
    const begin: Part[] = [];
    while (!parts.isOver && lengthOf(begin) <= shortText) begin.push((await parts.next()) ?? '');
    return begin;
  }

  /** Writes what is short, and all there. */
  #writeWhole(status: number, parts: readonly Part[], prepared: PreparedHeaders, headers: FlatHeaders): void {
    if (parts.every((part) => typeof part === 'string'))
      return this.#write(status, parts.join(''), prepared, headers);
    const [first = '', ...more] = parts;
    const bytes = more.length === 0 ? bytesOf(first) : Buffer.concat(parts.map(bytesOf));
    this.#response.writeHead(status, this.#all(status, prepared, headers, bytes.length));
    this.#response.end(bytes);
    this.#linger();
    this.requestLog.finish(status);
  }

  async #stream(status: number, begin: Part[], rest: Parts, headers: FlatHeaders): Promise<void> {
    const sending = this.#sending;
    this.#response.writeHead(status, [...headers, 'X-Request-Id', this.requestLog.id]);
    sending.begin();
    try {
      await this.#send(begin);
      while (!rest.isOver && !this.#isEnough) await this.#send([(await rest.next()) ?? '']);
      this.#response.end();
      sending.linger();
    } catch (error) {
      // The caller has a part of it already: a broken connection is the only way to say that the rest is missing.
      if (!(error instanceof CallerGone)) this.requestLog.fault(error);
      sending.cut();
    }
    sending.done();
    this.requestLog.finish(status);
  }

  /** Takes the texts away from whoever holds them: nobody needs them while the next part waits for room. */
  async #send(parts: Part[]): Promise<void> {
    for (let bytes = taken(parts); bytes !== undefined; bytes = taken(parts))
      if (bytes.length > 0) await this.#sending.offer(bytes);
  }

  /** Whether nobody wants the rest: they asked for the headers alone, or went away. */
  get #isEnough(): boolean {
    return this.request.method === 'HEAD' || this.#response.destroyed;
  }

  /**
   * Writes an answer that has a version; nothing but the headers when the caller has the same answer already. Gives what
   * it takes to write it again.
   */
  answerVersion(
    status: number,
    value: unknown,
    format: AnswerFormat,
    version: Version,
    headers: FlatHeaders,
  ): () => SentVersion {
    const text = textOf(value, format);
    const etag = etagOf(version, format, text);
    const own = [...headers, ...versionHeaders(etag, version)];
    const { success } = this.#headers;
    if (this.#hasAlready(etag)) this.#write(304, '', success.empty, own);
    else this.#write(status, text, success[format], own);
    return () => repeatable(text, success[format], own);
  }

  /** The same for a long one. It is made whole before it is sent, because its bytes may be part of its version. */
  async answerVersionInParts(
    status: number,
    body: JsonParts,
    format: AnswerFormat,
    version: Version,
    headers: FlatHeaders,
  ): Promise<void> {
    const bytes: Uint8Array[] = [];
    for (const parts = partsIn(format, body); !parts.isOver; )
      bytes.push(bytesOf((await parts.next()) ?? ''));
    const etag = etagOf(version, format, bytes);
    const own = [...headers, ...versionHeaders(etag, version)];
    const { success } = this.#headers;
    if (this.#hasAlready(etag)) this.#write(304, '', success.empty, own);
    else await this.#writeBytes(status, bytes, success[format], own);
  }

  /** Whether the caller has this very answer. */
  #hasAlready(etag: string): boolean {
    const { method, headers } = this.request;
    return (method === 'GET' || method === 'HEAD') && matchesNone(headers['if-none-match'], etag);
  }

  /** Writes again what `answerVersion` gave. */
  repeat({ text, encoding, headers }: SentVersion): void {
    this.#response.writeHead(200, [...headers, 'X-Request-Id', this.requestLog.id]);
    this.#response.end(text, encoding);
    this.#linger();
    this.requestLog.finish(200);
  }

  /** Writes long bytes bit by bit, as the caller takes them. */
  async #writeBytes(
    status: number,
    bytes: readonly Uint8Array[],
    prepared: PreparedHeaders,
    headers: FlatHeaders,
  ): Promise<void> {
    const length = bytes.reduce((sum, part) => sum + part.length, 0);
    this.room.hold(length);
    this.#response.writeHead(status, this.#all(status, prepared, headers, length));
    this.#sending.begin();
    for (const part of bytes)
      for (let start = 0; start < part.length && !this.#isEnough; start += largestWrite)
        await this.#sending.offer(part.subarray(start, start + largestWrite));
    this.#response.end();
    this.#sending.linger();
    this.#sending.done();
    this.requestLog.finish(status);
  }

  #write(status: number, text: string, prepared: PreparedHeaders, headers: FlatHeaders): void {
    const length = Buffer.byteLength(text);
    const isUsual = headers.length === 0 && status !== 204 && status !== 304;
    const all = isUsual
      ? prepared.usual(this.requestLog.id, length)
      : this.#all(status, prepared, headers, length);
    this.#response.writeHead(status, all);
    // Text that is all ASCII has the same bytes in both encodings, and Node writes this one faster.
    this.#response.end(text, length === text.length ? 'latin1' : 'utf8');
    this.#linger();
    this.requestLog.finish(status);
  }

  #all(status: number, prepared: PreparedHeaders, headers: FlatHeaders, length: number): string[] {
    const hasBody = status !== 204 && status !== 304;
    const own = ['X-Request-Id', this.requestLog.id, ...(hasBody ? ['Content-Length', String(length)] : [])];
    return prepared.with([...own, ...headers]);
  }

  /** Every status of 400 and above leaves through here. */
  fail({ status, body, retryAfter, rateLimit, fault }: Failure, headers: FlatHeaders = []): void {
    if (fault !== undefined) this.requestLog.fault(fault);
    const format = negotiateOrJson(this.#hints());
    const isOurPage = this.request.headers['sec-fetch-site'] === 'same-origin';
    this.#write(status, textOf(body, format), this.#headers.failure[format], [
      ...headers,
      ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
      ...(rateLimit === undefined ? [] : Object.entries(rateLimitHeaders(rateLimit)).flat()),
      ...(status === 401 && !isOurPage ? ['WWW-Authenticate', challenge] : []),
      ...(status === 401 ? cookieRemoval(this.request, this.#services.publicUrl) : []),
    ]);
  }

  /** The caller went away in the middle of the request: there is nobody to answer. */
  abandon(): void {
    this.#response.destroy();
    this.requestLog.finish(499);
  }

  /** The one error whose body is a text: pages of other sites get no more. */
  refuseForeignPage(words: string): void {
    this.#write(403, JSON.stringify({ error: words }), this.#headers.failure.json, []);
  }
}

const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { length }) => sum + length, 0);

const bytesOf = (part: Part): Uint8Array => (typeof part === 'string' ? Buffer.from(part) : part);

const textIn = (part: Part): string => (typeof part === 'string' ? part : new TextDecoder().decode(part));

/** The bytes of the first of them, which is theirs no more. */
function taken(parts: Part[]): Uint8Array | undefined {
  const part = parts.shift();
  return part === undefined ? undefined : bytesOf(part);
}

function partsIn(format: AnswerFormat, { parts }: JsonParts): Parts {
  if (format === 'json') return parts;
  const xml = new XmlParts();
  return {
    get isOver() {
      return parts.isOver;
    },
    next: async () => xml.of(textIn((await parts.next()) ?? '')),
  };
}

const versionHeaders = (etag: string, { modifiedOn }: Version): FlatHeaders => [
  'Etag',
  etag,
  ...(modifiedOn === undefined ? [] : ['Last-Modified', new Date(modifiedOn).toUTCString()]),
];

function repeatable(text: string, prepared: PreparedHeaders, own: FlatHeaders): SentVersion {
  const length = Buffer.byteLength(text);
  const encoding = length === text.length ? 'latin1' : 'utf8';
  return { text, encoding, headers: prepared.with(['Content-Length', String(length), ...own]) };
}

function textOf(value: unknown, format: AnswerFormat): string {
  if (format === 'xml') return toXml(value instanceof Json ? JSON.parse(value.text) : value);
  return value instanceof Json ? value.text : JSON.stringify(value);
}
