import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteContract } from '@atelier/contract';
import type { ApiRoute } from './api.ts';
import { Exchange } from './exchange.ts';
import { type RouteHeaders, routeHeaders } from './headers.ts';
import { type Remembered, RememberedAnswers } from './remembered.ts';
import type { Services } from './services.ts';

/** `/api/artifacts/42`, in the plainest spelling. */
const oneThing = /^\/api(?:\/v1)?\/([a-z_]+)\/(\d{1,15})$/;

interface DirectRoute {
  readonly route: ApiRoute;
  readonly label: string;
  readonly isRevalidated: boolean;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Reads of one thing by its id are most of what a platform is asked. They take nothing of what the framework does for
 * other requests, and some can be answered from memory, so they get a way of their own. Whatever is spelled in
 * another way goes the usual one, to the same routes.
 */
export class DirectReads {
  readonly #services: Services;
  readonly #routes = new Map<string, DirectRoute>();
  readonly #remembered = new RememberedAnswers();
  readonly #noHeaders: RouteHeaders = routeHeaders([]);

  constructor(services: Services) {
    this.#services = services;
  }

  add({ method, path, params, isRevalidated = false }: RouteContract, route: ApiRoute): void {
    const [, name] = /^\/([a-z_]+)\/\{id\}$/.exec(path) ?? [];
    const id: { type?: unknown } | undefined = params?.properties['id'];
    if (method !== 'GET' || name === undefined || id?.type !== 'integer') return;
    this.#routes.set(name, { route, label: `${method} ${path}`, isRevalidated });
  }

  /** Answers the request, if it is one of these. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || hasBody(request)) return false;
    const match = oneThing.exec(request.url ?? '');
    const found = this.#routes.get(match?.[1] ?? '');
    if (match?.[2] === undefined || found === undefined) return false;
    void this.#answer(found, match[2], request, response);
    return true;
  }

  async #answer(found: DirectRoute, id: string, request: IncomingMessage, response: ServerResponse) {
    const { headers, socket, url = '' } = request;
    const isPlain =
      found.isRevalidated && headers['if-none-match'] === undefined && headers.host !== undefined;
    const key = isPlain ? this.#remembered.keyOf(url, headers, socket.remoteAddress) : undefined;
    if (key !== undefined && (await this.#repeat(key, found, request, response))) return;
    const answer = await found.route({ request, response, params: { id }, query: {}, body: undefined });
    if (key !== undefined && answer !== undefined) this.#remembered.remember(url, key, answer);
  }

  /** Gives what is remembered, unless it is old or cannot be compared with what is stored. */
  async #repeat(
    key: string,
    { label }: DirectRoute,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const answer = this.#services.isStopping() ? undefined : this.#remembered.find(key);
    if (answer === undefined || !(await this.#isFresh(answer))) return false;
    const exchange = new Exchange(this.#services, request, response, this.#noHeaders, label);
    exchange.journal.userId = answer.viewer.userId;
    exchange.repeat(answer.given);
    return true;
  }

  async #isFresh({ freshness }: Remembered): Promise<boolean> {
    this.#services.database.beginTurn();
    // A database that cannot be asked is for the usual way to tell.
    return freshness.holds(this.#services.database).catch(() => false);
  }
}
