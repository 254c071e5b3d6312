import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf, RouteContract } from '@atelier/contract';
import type { Instant } from '../kernel/clock.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Room } from '../kernel/room.ts';
import type { Soon } from '../kernel/soon.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Database } from '../storage/index.ts';
import type { FlatHeaders } from './headers.ts';

/** What a route gets to see of a request that passed every check of the contract. */
export interface ApiRequest<Route> {
  readonly viewer: Viewer;
  readonly params: ParamsOf<Route>;
  readonly query: QueryOf<Route>;
  readonly body: BodyOf<Route>;
  /** Whether the body came as XML. */
  readonly isXml: boolean;
  readonly address: string;
  readonly userAgent: string;
  readonly headers: IncomingHttpHeaders;
  /** What the answer may hold while it is made. */
  readonly room: Room;
}

/** A JSON text that is already written. */
export class Json {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A part of a text, or its bytes where they are known. */
export type Part = string | Uint8Array;

/** A text in parts, each of which is made when it is asked for. */
export interface Parts {
  /** The next part; undefined when there are no more. */
  next(): Promise<Part | undefined>;
  /** Whether the last part was given. */
  readonly isOver: boolean;
}

/**
 * A JSON text that is written while it is sent, for answers that should not be held whole. The parts joined are the
 * text; each ends between two tokens of it.
 */
export class JsonParts {
  readonly parts: Parts;
  constructor(parts: Parts) {
    this.parts = parts;
  }
}

/** A text of another type than JSON, written while it is sent. */
export class TextParts {
  /** Content-Type. */
  readonly type: string;
  readonly parts: Parts;
  constructor(type: string, parts: Parts) {
    this.type = type;
    this.parts = parts;
  }
}

/** A connection over which an answer goes on for as long as either side wants. */
export interface OpenConnection {
  /** Bytes that the other side has not taken yet. */
  readonly unread: number;
  readonly isOver: boolean;
  /** Hands text over, and waits for nobody. */
  write(text: string): void;
  end(): void;
  /** Ends it at once, whatever is on its way. */
  cut(): void;
  onceOver(act: () => void): void;
}

/** An answer that stays open: whoever makes it writes to it until either side ends it. */
export class OpenAnswer {
  /** Content-Type. */
  readonly type: string;
  readonly begin: (connection: OpenConnection) => void;
  constructor(type: string, begin: (connection: OpenConnection) => void) {
    this.type = type;
    this.begin = begin;
  }
}

/** Which version of a thing an answer shows. */
export interface Version {
  /** Stands for the version in the Etag; the rest of the tag stands for the rest of the answer. */
  readonly tag: string;
  /** All that the rest of the answer is made from, where it is known; else its bytes are looked at. */
  readonly madeFrom?: string | undefined;
  /** Absent where no time can be told. */
  readonly modifiedOn?: Instant | undefined;
}

/** Whether an answer would still be the same. */
export interface Freshness {
  /** Asks the database as little as possible. */
  holds(database: Database): Soon<boolean>;
}

export interface Answer<Body = unknown> {
  /** Absent: an empty body. */
  readonly body?: Body | Json | JsonParts | TextParts | OpenAnswer | undefined;
  /** Where it differs from the contract's. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes Etag and Last-Modified, and 304 of a GET whose caller has the same answer already. */
  readonly version?: Version;
  /** Tells how long the answer may be given again to the same caller without being made anew. */
  readonly freshness?: Freshness | undefined;
  /** Makes the four X-PAGINATION headers. */
  readonly page?: Page & { readonly size: number };
}

/**
 * The answer of a route about one thing, without anything else that a request can ask for: the route itself, called directly. `identity`:
 * the revision at which the viewer was known; where another one is read, it fails before it looks at anything.
 */
export type DirectAnswer = (viewer: Viewer, id: number, identity?: number) => Soon<Answer>;

export interface RouteBinding {
  readonly contract: RouteContract;
  readonly handle: (request: ApiRequest<RouteContract>) => Soon<Answer>;
  readonly direct?: DirectAnswer | undefined;
  /** On every answer of the path, refusals and OPTIONS included. */
  readonly headers?: FlatHeaders;
  /** The same, where they tell something about the caller; 0 stands for somebody unknown. */
  readonly callerHeaders?: (userId: number) => Promise<FlatHeaders>;
}

/** Ties what a route does to its contract. */
export function bind<Route extends RouteContract>(
  contract: Route,
  handle: (request: ApiRequest<Route>) => Soon<Answer<ResponseOf<Route>>>,
  direct?: DirectAnswer,
): RouteBinding {
  // The pipeline binds params, query and body by this very contract before it calls.
  return { contract, handle: handle as RouteBinding['handle'], direct };
}

/** One page of a collection as an answer. */
export function pageOf<Item, Body>(
  page: Page,
  slice: Slice<Item>,
  present: (item: Item) => Body,
): Answer<Body[]> {
  const { limit, offset } = page;
  return { body: slice.items.map(present), page: { limit, offset, size: slice.size } };
}
