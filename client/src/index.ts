import type { ResponseOf, RouteContract } from '@atelier/contract';
import { ApiError, messageOf } from './error.ts';
import type { AnyInput, InputArgument } from './input.ts';
import { addressOf, requestOf } from './request.ts';

export { ApiError } from './error.ts';
export type { Input, QueryInput } from './input.ts';

export interface ClientOptions {
  /** The address of the server, without `/api`; empty in a page of the server itself. */
  readonly baseUrl: string;
  /** Without one, calls are anonymous, or those of the web session in a page of the server itself. */
  readonly accessKey?: string;
  /** Sends the requests, when the global one is not to. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A route of a collection. */
export type PagedRoute = RouteContract & Required<Pick<RouteContract, 'paging'>>;

/** One page of a collection, and where it lies in the whole. */
export interface Page<Route> {
  readonly body: ResponseOf<Route>;
  readonly limit: number;
  readonly offset: number;
  /** How many items the whole collection has. */
  readonly size: number;
}

export type ItemOf<Route> = ResponseOf<Route> extends readonly (infer Item)[] ? Item : never;

export interface Client {
  /** Calls a route; throws an `ApiError` for every answer that is not a success. */
  call<Route extends RouteContract>(route: Route, ...input: InputArgument<Route>): Promise<ResponseOf<Route>>;
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
}

function contentOf(text: string): { readonly value: unknown; readonly isJson: boolean } {
  if (text === '') return { value: undefined, isJson: true };
  try {
    return { value: JSON.parse(text), isJson: true };
  } catch {
    return { value: text, isJson: false };
  }
}

async function answerOf<Route>(response: Response): Promise<ResponseOf<Route>> {
  const { value, isJson } = contentOf(await response.text());
  if (!response.ok) throw new ApiError(response.status, messageOf(value, response.status), value);
  if (!isJson)
    throw new ApiError(response.status, 'The answer is not JSON: is this the right server?', value);
  // The server keeps to the contract; that is what its own tests are for.
  return value as ResponseOf<Route>;
}

function numberIn({ headers, url }: Response, name: string): number {
  const text = headers.get(name);
  if (text === null) throw new Error(`${url} answered without ${name}, so where its page lies is not known.`);
  return Number(text);
}

async function pageOf<Route>(response: Response): Promise<Page<Route>> {
  return {
    body: await answerOf<Route>(response),
    limit: numberIn(response, 'X-PAGINATION-LIMIT'),
    offset: numberIn(response, 'X-PAGINATION-OFFSET'),
    size: numberIn(response, 'X-PAGINATION-SIZE'),
  };
}

type Send = (route: RouteContract, input: AnyInput) => Promise<Response>;

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

/** A client of the server at `baseUrl`, for Node and browsers. */
export function createClient({ baseUrl, accessKey, fetch: given }: ClientOptions): Client {
  const send: Send = (route, input) =>
    (given ?? globalThis.fetch)(addressOf(baseUrl, route, input), requestOf(route, input, accessKey));
  return {
    call: async (route, ...[input]) => answerOf(await send(route, input ?? {})),
    pages: (route, ...[input]) => walk(send, route, input ?? {}),
    all: (route, ...[input]) => itemsOf(walk(send, route, input ?? {})),
  };
}
