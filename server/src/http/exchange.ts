import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Failure } from './errors.ts';
import { type FlatHeaders, type PreparedHeaders, type RouteHeaders, rateLimitHeaders } from './headers.ts';
import { Journal } from './journal.ts';
import { type AnswerFormat, negotiate, negotiateOrJson, type Wishes } from './negotiation.ts';
import { etagOf, matchesNone } from './preconditions.ts';
import { Json, type JsonParts, type TextParts, type Version } from './route.ts';
import type { Services } from './services.ts';
import { toXml } from './xml.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set before routing when the path had a `.json` or `.xml` suffix. */
    answerSuffix?: AnswerFormat;
    /** The Content-Type as it was sent. */
    declaredContentType?: string | undefined;
  }
}

const realm = 'Atelier';
/** What a 401 asks for. */
export const challenge = `Basic realm="${realm}" Token realm="${realm}" AccessKey realm="${realm}"`;

/** An answer that was given, ready to be given again. */
export interface GivenVersion {
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly headers: readonly string[];
}

/** One request and its answer: knows the format, writes the bytes, counts and logs. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly journal: Journal;
  readonly #response: ServerResponse;
  readonly #headers: RouteHeaders;

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
    this.journal = new Journal(services, label);
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
    const { success } = this.#headers;
    if (value === undefined) this.#write(status, '', success.empty, headers);
    else this.#write(status, textOf(value, format), success[format], headers);
  }

  /** Writes an answer while it is being made. What goes wrong before the first part is refused as usual. */
  async answerInParts(
    status: number,
    body: JsonParts,
    format: AnswerFormat,
    headers: FlatHeaders,
  ): Promise<void> {
    if (format === 'xml') return this.answer(status, new Json(await body.text()), format, headers);
    await this.#pour(status, body.parts, this.#headers.success[format], headers);
  }

  /** The same for a text that is neither JSON nor XML. */
  async answerText(status: number, { type, parts }: TextParts, headers: FlatHeaders): Promise<void> {
    await this.#pour(status, parts, this.#headers.success.empty, ['Content-Type', type, ...headers]);
  }

  async #pour(
    status: number,
    parts: AsyncIterable<string>,
    prepared: PreparedHeaders,
    headers: FlatHeaders,
  ): Promise<void> {
    const iterator = parts[Symbol.asyncIterator]();
    const first = await iterator.next();
    this.#response.writeHead(status, prepared.with(['X-Request-Id', this.journal.id, ...headers]));
    try {
      for (let part = first; !part.done && !this.#isEnough; part = await iterator.next())
        await this.#writePart(part.value);
      await iterator.return?.();
      this.#response.end();
    } catch (error) {
      // The caller has a part of it already: a broken connection is the only way to say that the rest is missing.
      this.journal.fault(error);
      this.#response.destroy();
    }
    this.journal.finish(status);
  }

  /** Whether nobody wants the rest: they asked for the headers alone, or went away. */
  get #isEnough(): boolean {
    return this.request.method === 'HEAD' || this.#response.destroyed;
  }

  /** Waits until the caller has taken enough of it; one who went away gets nothing more. */
  async #writePart(part: string): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.write(part, 'utf8')) return;
    await new Promise<void>((done) => {
      const go = () => {
        response.off('drain', go).off('close', go);
        done();
      };
      response.on('drain', go).on('close', go);
    });
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
  ): () => GivenVersion {
    const text = textOf(value, format);
    const etag = etagOf(version, format, text);
    const own = [...headers, 'Etag', etag, 'Last-Modified', new Date(version.modifiedOn).toUTCString()];
    const { success } = this.#headers;
    if (this.#hasAlready(etag)) this.#write(304, '', success.empty, own);
    else this.#write(status, text, success[format], own);
    return () => repeatable(text, success[format], own);
  }

  /** Whether the caller has this very answer. */
  #hasAlready(etag: string): boolean {
    const { method, headers } = this.request;
    return (method === 'GET' || method === 'HEAD') && matchesNone(headers['if-none-match'], etag);
  }

  /** Writes again what `answerVersion` gave. */
  repeat({ text, encoding, headers }: GivenVersion): void {
    this.#response.writeHead(200, [...headers, 'X-Request-Id', this.journal.id]);
    this.#response.end(text, encoding);
    this.journal.finish(200);
  }

  #write(status: number, text: string, prepared: PreparedHeaders, headers: FlatHeaders): void {
    const length = Buffer.byteLength(text);
    const isUsual = headers.length === 0 && status !== 204 && status !== 304;
    const all = isUsual
      ? prepared.usual(this.journal.id, length)
      : this.#all(status, prepared, headers, length);
    this.#response.writeHead(status, all);
    // Text that is all ASCII has the same bytes in both encodings, and Node writes this one faster.
    this.#response.end(text, length === text.length ? 'latin1' : 'utf8');
    this.journal.finish(status);
  }

  #all(status: number, prepared: PreparedHeaders, headers: FlatHeaders, length: number): string[] {
    const hasBody = status !== 204 && status !== 304;
    const own = ['X-Request-Id', this.journal.id, ...(hasBody ? ['Content-Length', String(length)] : [])];
    return prepared.with([...own, ...headers]);
  }

  /** Every status of 400 and above leaves through here. */
  fail({ status, body, retryAfter, rateLimit, fault }: Failure, headers: FlatHeaders = []): void {
    if (fault !== undefined) this.journal.fault(fault);
    const format = negotiateOrJson(this.#wishes());
    const isOurPage = this.request.headers['sec-fetch-site'] === 'same-origin';
    this.#write(status, textOf(body, format), this.#headers.failure[format], [
      ...headers,
      ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
      ...(rateLimit === undefined ? [] : Object.entries(rateLimitHeaders(rateLimit)).flat()),
      ...(status === 401 && !isOurPage ? ['WWW-Authenticate', challenge] : []),
    ]);
  }

  /** The caller went away in the middle of the request: there is nobody to answer. */
  abandon(): void {
    this.#response.destroy();
    this.journal.finish(499);
  }

  /** The one error whose body is a text: pages of other sites get no more. */
  refuseForeignPage(words: string): void {
    this.#write(403, JSON.stringify({ error: words }), this.#headers.failure.json, []);
  }
}

function repeatable(text: string, prepared: PreparedHeaders, own: FlatHeaders): GivenVersion {
  const length = Buffer.byteLength(text);
  const encoding = length === text.length ? 'latin1' : 'utf8';
  return { text, encoding, headers: prepared.with(['Content-Length', String(length), ...own]) };
}

function textOf(value: unknown, format: AnswerFormat): string {
  if (format === 'xml') return toXml(value instanceof Json ? JSON.parse(value.text) : value);
  return value instanceof Json ? value.text : JSON.stringify(value);
}
