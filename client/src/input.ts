import type { BodyOf, ParamsOf, QueryOf, RouteContract } from '@atelier/contract';

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

type WithBody<Route> = Route extends { readonly body: unknown }
  ? { readonly body: BodyOf<Route> }
  : { readonly body?: never };

/** What every call may carry, whatever its route. */
export interface AnyInput {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

/** What a call of a route needs: exactly the parts that its contract has. */
export type Input<Route extends RouteContract> = AnyInput &
  WithParams<Route> &
  WithQuery<Route> &
  WithBody<Route>;

/** The input may be left out where nothing in it is needed. */
export type InputArgument<Route extends RouteContract> =
  Record<never, never> extends Input<Route> ? [input?: Input<Route>] : [input: Input<Route>];
