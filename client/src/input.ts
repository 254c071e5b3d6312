import type { BodyOf, ParamsOf, QueryOf, RouteContract } from './routes.ts';

/** Members of a page that a caller may leave to the server. */
type PageMember = 'limit' | 'offset';

/** The query of a route as a caller writes it. */
export type QueryInput<Route> = Omit<QueryOf<Route>, PageMember> &
  Partial<Pick<QueryOf<Route>, PageMember & keyof QueryOf<Route>>>;

type WithParams<Route> = keyof ParamsOf<Route> extends never
  ? { readonly params?: never }
  : { readonly params: ParamsOf<Route> };

type WithQuery<Route> = keyof QueryOf<Route> extends never
  ? { readonly query?: never }
  : Record<never, never> extends QueryInput<Route>
    ? { readonly query?: QueryInput<Route> }
    : { readonly query: QueryInput<Route> };

/** A GET that may have a body says the same by its query, and `fetch` sends none with it. */
type WithBody<Route> = Route extends { readonly method: 'GET' }
  ? { readonly body?: never }
  : [BodyOf<Route>] extends [undefined]
    ? { readonly body?: never }
    : { readonly body: BodyOf<Route> };

/** What every call may carry, whatever its route. */
export interface AnyInput {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  /** Changes only the version with this Etag; any other is a `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
  /** Reads only another version than the one with this Etag; the same is a `NotModifiedError`. */
  readonly ifNoneMatch?: string | undefined;
  /** Names a write: sent again with the same name, it is answered as the first time and writes nothing. */
  readonly idempotencyKey?: string | undefined;
  /** Names the page or process that calls. */
  readonly clientId?: string | undefined;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call of a route needs: exactly the parts that its contract has. */
export type Input<Route extends RouteContract> = AnyInput &
  WithParams<Route> &
  WithQuery<Route> &
  WithBody<Route>;

/** The input may be left out where nothing in it is needed. */
export type InputArgument<Route extends RouteContract> =
  Record<never, never> extends Input<Route> ? [input?: Input<Route>] : [input: Input<Route>];
