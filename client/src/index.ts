import { type Answer, answerOf, type PagePlace, successOf } from './answer.ts';
import type { AnyInput, InputArgument } from './input.ts';
import { addressOf, addressOfHref, requestOf } from './request.ts';
import type { ResponseOf, RouteContract } from './routes.ts';
import type { UploadOptions, UploadTarget } from './upload.ts';

export type { Answer, PagePlace } from './answer.ts';
export * from './error.ts';
export * from './events.ts';
export type { AnyInput, Input, InputArgument, QueryInput } from './input.ts';
export type { UploadOptions, UploadTarget } from './upload.ts';

export interface ClientOptions {
  /** The address of the server, without `/api`; empty in a page of the server itself. */
  readonly baseUrl: string;
  /** Without one, calls are anonymous, or those of the web session in a page of the server itself. */
  readonly accessKey?: string | undefined;
  /** Sends the requests, when the global one is not to. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A route of a collection. */
export type PagedRoute = RouteContract & Required<Pick<RouteContract, 'paging'>>;

/** A route that answers a file: a table, or an archive. */
export type FileRoute = RouteContract & Required<Pick<RouteContract, 'produces'>>;

/** One page of a collection, and where it lies in the whole. */
export interface Page<Route> extends PagePlace {
  readonly body: ResponseOf<Route>;
}

export type ItemOf<Route> = ResponseOf<Route> extends readonly (infer Item)[] ? Item : never;

export interface Client {
  /** Calls a route and gives the body of the answer; throws an `ApiError` for every answer that is not a success. */
  call<Route extends RouteContract>(route: Route, ...input: InputArgument<Route>): Promise<ResponseOf<Route>>;
  /** Calls a route and gives the body with what the headers tell: Etag, Last-Modified, the place of a page. */
  send<Route extends RouteContract>(route: Route, ...input: InputArgument<Route>): Promise<Answer<Route>>;
  /** The pages of a collection from `offset` to its end, each of `limit` items. */
  pages<Route extends PagedRoute>(
    route: Route,
    ...input: InputArgument<Route>
  ): AsyncGenerator<Page<Route>, void>;
  /** The items of a collection that is answered as an array. */
  all<Route extends PagedRoute>(
    route: Route,
    ...input: InputArgument<Route>
  ): AsyncGenerator<ItemOf<Route>, void>;
  /** Sends the bytes of a file that was reserved (`reserveUpload`), in pieces; goes on after a cut, also one of an earlier attempt. */
  upload(
    target: UploadTarget,
    bytes: Blob | ArrayBuffer | ArrayBufferView,
    options?: UploadOptions,
  ): Promise<void>;
  /** Reads what an address of the server leads to (`html_url`, `download_href`), as a response whose body streams. */
  bytes(href: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<Response>;
  /** Calls a route that answers a file, and gives a response whose body streams. */
  download<Route extends FileRoute>(route: Route, ...input: InputArgument<Route>): Promise<Response>;
}

type Send = (route: RouteContract, input: AnyInput) => Promise<Response>;

async function pageOf<Route>(response: Response): Promise<Page<Route>> {
  const { body, page } = await answerOf<Route>(response);
  if (page === undefined) throw new Error(`${response.url} answered without X-PAGINATION-*.`);
  return { body, ...page };
}

async function* walk<Route extends PagedRoute>(
  send: Send,
  route: Route,
  input: AnyInput,
): AsyncGenerator<Page<Route>, void> {
  let next = {};
  for (;;) {
    const query = { ...input.query, ...next };
    const page = await pageOf<Route>(await send(route, { ...input, query }));
    yield page;
    const offset = page.offset + page.limit;
    if (page.limit === 0 || offset >= page.size) return;
    next = { offset };
  }
}

async function* itemsOf<Route>(pages: AsyncIterable<Page<Route>>): AsyncGenerator<ItemOf<Route>, void> {
  for await (const page of pages) {
    const items: unknown = page.body;
    if (!Array.isArray(items)) throw new TypeError('The pages of this collection are not arrays.');
    yield* items;
  }
}

function blobOf(bytes: Blob | ArrayBuffer | ArrayBufferView): Blob {
  if (bytes instanceof Blob) return bytes;
  if (bytes instanceof ArrayBuffer) return new Blob([bytes]);
  // Memory that threads share must be copied first; a blob copies what it is made of anyway.
  return new Blob([new Uint8Array(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))]);
}

/** A client of the server at `baseUrl`, for Node and browsers. */
export function createClient({ baseUrl, accessKey, fetch: given }: ClientOptions): Client {
  const request = (address: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (accessKey !== undefined) headers.set('X-Auth-AccessKey', accessKey);
    return (given ?? globalThis.fetch)(address, { ...init, headers });
  };
  const send: Send = (route, input) => request(addressOf(baseUrl, route, input), requestOf(route, input));
  return {
    call: async (route, ...[input]) => (await answerOf<typeof route>(await send(route, input ?? {}))).body,
    send: async (route, ...[input]) => answerOf(await send(route, input ?? {})),
    pages: (route, ...[input]) => walk(send, route, input ?? {}),
    all: (route, ...[input]) => itemsOf(walk(send, route, input ?? {})),
    async upload({ upload_href: href }, bytes, options = {}) {
      if (href === null) return;
      const address = addressOfHref(baseUrl, href);
      // Most pages never send a file.
      const { upload } = await import('./upload.ts');
      await upload((init) => request(address, init), blobOf(bytes), options);
    },
    bytes: async (href, { signal } = {}) =>
      successOf(await request(addressOfHref(baseUrl, href), signal === undefined ? {} : { signal })),
    download: async (route, ...[input]) => successOf(await send(route, input ?? {})),
  };
}
