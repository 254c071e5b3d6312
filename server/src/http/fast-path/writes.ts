import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRoute } from '../api.ts';
import { callerAt } from '../limits/index.ts';
import { addressOf, IncomingBody, strangersLimit, TurnGathering } from '../pipeline/index.ts';
import type { RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';

/** `/api/artifacts` and `/api/artifacts/42`, in the plainest spelling. */
const plainPath = /^\/api(?:\/v1)?\/([a-z_]+)(?:\/(\d{1,15}))?$/;

/** A request that has arrived whole, or was cut off. */
interface Arrived {
  readonly route: ApiRoute;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: IncomingBody;
}

const isPlain = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] === undefined && headers['x-http-method-override'] === undefined;

/**
 * Writes of one thing, by its id or a new one, whose bodies are small: most of what scripts send. As direct reads do,
 * they spare what the framework does for other requests, and those that arrive in one turn of the event loop begin
 * together. Whatever is spelled in another way goes the usual one, to the same routes.
 */
export class DirectWrites {
  readonly #routes = new Map<string, ApiRoute>();
  readonly #arrived: TurnGathering<Arrived>;

  readonly #services: Services;
  readonly #largest: number;

  constructor(services: Services) {
    const { database, config } = services;
    this.#services = services;
    // Larger bodies, and those that do not say how large they are, go the usual way.
    this.#largest = Math.min(strangersLimit, config.bodyLimit);
    this.#arrived = new TurnGathering((items) => {
      database.beginLateTurn();
      for (const { route, ...received } of items)
        void route.answer({ ...received, query: {}, isBegun: true });
    });
  }

  add({ contract }: RouteBinding, route: ApiRoute): void {
    const { method, path, params, kind } = contract;
    const [, name, variable] = /^\/([a-z_]+)(\/\{id\})?$/.exec(path) ?? [];
    const id: { type?: unknown } | undefined = params?.properties['id'];
    const isOfOne = method === 'PUT' && variable !== undefined && id?.type === 'integer';
    const isNew = method === 'POST' && variable === undefined;
    if (name !== undefined && kind === 'protected' && (isOfOne || isNew))
      this.#routes.set(`${method} ${name}`, route);
  }

  /** Answers the request, if it is one of these. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request;
    if ((method !== 'PUT' && method !== 'POST') || !isPlain(request)) return false;
    const length = Number(headers['content-length'] ?? 0);
    if (length === 0 || length > this.#largest) return false;
    const [, name, id] = plainPath.exec(url) ?? [];
    const route = this.#routes.get(`${method} ${name}`);
    if (route === undefined || (method === 'PUT') !== (id !== undefined)) return false;
    request.declaredContentType = request.headers['content-type'];
    const params = id === undefined ? {} : { id };
    const { bodies, config } = this.#services;
    const caller = callerAt(addressOf(request, config.trustProxy));
    const body = new IncomingBody(request, bodies, caller);
    body.readOn(this.#largest, () => this.#arrived.add({ route, request, response, params, body }));
    return true;
  }
}
