import type { Static, TObject, TSchema, TSchemaOptions } from '@bundled/typebox';
import Type from '@bundled/typebox';
import type { FurtherHeader } from './header-objects.ts';
import type { Tag } from './tags.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call a route. `public` does not look at credentials at all; `hybrid` lets anonymous callers in when the
 * platform does; `protected` needs a login.
 */
export type RouteKind = 'public' | 'hybrid' | 'protected';

/** Page sizes of a collection. */
export interface Paging {
  readonly default: number;
  readonly maximum: number;
  /** Smallest limit, 0 unless given. */
  readonly minimum?: number;
  /** What is counted, for documents: items unless given. */
  readonly unit?: string;
}

/** A request that works on an instance with the demo project, sent by an administrator. */
export interface RequestExample {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body: unknown;
}

export interface RouteContract {
  readonly method: Method;
  /** Path below `/api`, with variables in braces. What its first part is about is in `tags.ts`. */
  readonly path: `/${Tag}` | `/${Tag}/${string}`;
  readonly kind: RouteKind;
  readonly summary: string;
  /** Longer words for the API document: who may, what happens, what is special. */
  readonly description: string;
  /** Every route that takes a body has one. */
  readonly example?: RequestExample;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly paging?: Paging;
  readonly body?: TSchema;
  /** Query parameters of a GET that say the same as its body: with one of them the body is not looked at. */
  readonly bodyYieldsTo?: readonly string[];
  /** The name under which clients may wrap the whole body. */
  readonly argument?: string;
  /** The member of the body whose value clients may send as the whole of it. */
  readonly bareMember?: string;
  /** The member of the body that a body of text/csv is. */
  readonly csvMember?: string;
  /** Media types of an answer that is neither JSON nor XML; what the caller accepts is not asked then. */
  readonly produces?: readonly string[];
  readonly status?: 200 | 201 | 202 | 204;
  /** When a success is 204 without a body instead. */
  readonly emptySuccess?: string;
  /** Statuses of refusals beside those that most routes of its kind have. */
  readonly refusals?: readonly (401 | 403 | 404 | 409 | 429 | 503)[];
  /** What a success answers; absent for an empty body. */
  readonly response?: TSchema;
  readonly deprecated?: boolean;
  /** True where somebody is let in whose password has expired: to change it, to learn that it must be, and to leave. */
  readonly withExpiredPassword?: boolean;
  /** True where a page of another site must not call on behalf of whoever looks at it. */
  readonly ownPagesOnly?: boolean;
  /**
   * Set where answers have a version that clients may ask about again instead of reading everything anew; `by-tag` where no
   * time of the last change is told.
   */
  readonly isRevalidated?: boolean | 'by-tag';
  /** True where the same `Idempotency-Key` within 24 hours writes nothing a second time. */
  readonly isRepeatable?: boolean;
  /** True where If-Match and If-Unmodified-Since are looked at. */
  readonly isConditional?: boolean;
  /** Headers of a success that other routes do not have. */
  readonly headers?: readonly FurtherHeader[];
  /** True on routes that the compatible API does not have. */
  readonly own?: boolean;
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;
export type ParamsOf<Route> = Route extends { readonly params: infer Schema }
  ? StaticOf<Schema>
  : Record<never, never>;
export type BodyOf<Route> = Route extends { readonly body: infer Schema } ? StaticOf<Schema> : undefined;
type DeclaredQuery<Route> = Route extends { readonly query: infer Schema }
  ? StaticOf<Schema>
  : Record<never, never>;
type PageQuery<Route> = Route extends { readonly paging: Paging }
  ? { limit: number; offset: number }
  : Record<never, never>;
export type QueryOf<Route> = DeclaredQuery<Route> & PageQuery<Route>;
export type ResponseOf<Route> = Route extends { readonly response: infer Schema }
  ? StaticOf<Schema>
  : undefined;

/** Documents show how a body is written. */
type WithExample<Route> = Route extends { readonly body: unknown }
  ? { readonly example: RequestExample }
  : unknown;

export function defineRoute<const Route extends RouteContract>(route: Route & WithExample<Route>): Route {
  return route;
}

/** The path variables of most routes: one numeric id. */
export const idParams = Type.Object({ id: Type.Integer({ description: 'Id' }) });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** One of the listed texts. */
export const choice = <const Values extends string[]>(
  values: readonly [...Values],
  options: TSchemaOptions = {},
) => Type.Enum(values, options);

/** Which way a collection goes, in any letters. */
export const direction = (options: TSchemaOptions = {}) =>
  choice(['asc', 'desc'], { ...options, 'x-anyCase': true });

/** Text that is taken as it is: leading and trailing white space belongs to it. */
export const untrimmed = (options: TSchemaOptions = {}) => Type.String({ ...options, 'x-untrimmed': true });

/** A date as answers give it: ISO 8601 to the second with offset. */
export const date = (options: TSchemaOptions = {}) => Type.String({ format: 'date-time', ...options });
