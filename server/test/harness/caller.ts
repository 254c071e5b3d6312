import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { checkAnswer } from './answer-schemas.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON body; undefined when there is none or it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly rawBody?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** What came, taken apart when somebody looks: of most answers nobody reads the headers, and of many refusals only the status. */
function replyOf(incoming: IncomingMessage, text: string): Reply {
  let headers: Headers | undefined;
  let body: { readonly content: unknown } | undefined;
  return {
    status: incoming.statusCode ?? 0,
    text,
    get headers() {
      headers ??= headersOf(incoming);
      return headers;
    },
    get body() {
      body ??= { content: parsed(text) };
      return body.content;
    },
  };
}

/** A stream of events has no end: that it begins is the answer. */
function isEndless(incoming: IncomingMessage, method: string): boolean {
  if (incoming.headers['content-type'] !== 'text/event-stream' || method === 'HEAD') return false;
  incoming.destroy();
  return true;
}

/** As `toArray` of a stream gives it, at a fifth of its price. */
function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    incoming.on('data', (part: Buffer) => parts.push(part)).once('error', reject);
    incoming.once('end', () => resolve(Buffer.concat(parts).toString('utf8')));
  });
}

/** Node's own client: unlike fetch it sends bodies with GET and adds no headers of a browser. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Somebody who calls the API, with their credentials. */
export class Caller {
  readonly #host: string;
  readonly #port: string;
  readonly #credentials: Readonly<Record<string, string>>;

  constructor(base: string, credentials: Readonly<Record<string, string>>) {
    const { hostname, port } = new URL(base);
    this.#host = hostname;
    this.#port = port;
    this.#credentials = credentials;
  }

  async request(
    method: string,
    path: string,
    { body, rawBody, headers }: RequestOptions = {},
  ): Promise<Reply> {
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const all = {
      ...this.#credentials,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(payload === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(payload)) }),
      ...headers,
    };
    const outgoing = request({
      ...{ host: this.#host, port: this.#port, path: `/api${path}` },
      ...{ method, headers: all, agent },
    });
    outgoing.end(payload);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const answer = isEndless(incoming, method) ? '' : await textOf(incoming);
    const reply = replyOf(incoming, answer);
    checkAnswer(method, path, reply);
    return reply;
  }

  get(path: string, options: RequestOptions = {}): Promise<Reply> {
    return this.request('GET', path, options);
  }
  post(path: string, body?: unknown): Promise<Reply> {
    return this.request('POST', path, { body });
  }
  put(path: string, body?: unknown): Promise<Reply> {
    return this.request('PUT', path, { body });
  }
  patch(path: string, body?: unknown): Promise<Reply> {
    return this.request('PATCH', path, { body });
  }
  delete(path: string): Promise<Reply> {
    return this.request('DELETE', path);
  }
  options(path: string): Promise<Reply> {
    return this.request('OPTIONS', path);
  }
}

/** A person with an account and an access key. */
export class Person extends Caller {
  readonly id: number;
  readonly name: string;
  readonly password: string;
  readonly key: string;

  constructor(base: string, facts: { id: number; name: string; password: string; key: string }) {
    super(base, { 'X-Auth-AccessKey': facts.key });
    this.id = facts.id;
    this.name = facts.name;
    this.password = facts.password;
    this.key = facts.key;
  }
}
