import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Soon } from '../../kernel/soon.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { ApiRoute } from '../api.ts';
import {
  addressOf,
  Exchange,
  hasBody,
  type Remembered,
  RememberedAnswers,
  type RepeatableAnswer,
  TurnGathering,
} from '../pipeline/index.ts';
import {
  type Answer,
  type DirectAnswer,
  type Freshness,
  Json,
  type RouteBinding,
  type Version,
} from '../route.ts';
import type { Services } from '../services.ts';

/** `/api/artifacts/42`, in the plainest spelling. */
const oneThing = /^\/api(?:\/v1)?\/([a-z_]+)\/(\d{1,15})$/;

interface DirectRoute {
  readonly route: ApiRoute;
  readonly isRevalidated: boolean;
  readonly direct: DirectAnswer | undefined;
}

/** A request of this kind that has arrived and is to be answered. */
interface Waiting {
  readonly found: DirectRoute;
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Tells it apart from others among the remembered answers; undefined when it is never answered from memory. */
  readonly key: string | undefined;
}

/** Writes an answer that is ready. */
type Give = () => void | Promise<void>;

/** Answers that are held at once, before the first of them is written. */
const mostAtOnce = 64;

function* inBatches<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let start = 0; start < all.length; start += mostAtOnce) yield all.slice(start, start + mostAtOnce);
}

/** What programs ask for that take JSON. */
const plainAccepts: readonly (string | undefined)[] = [undefined, '*/*', 'application/json'];

/** An answer that says which version it shows and how long it holds. */
interface VersionedAnswer extends Answer {
  readonly version: Version;
  readonly freshness: Freshness;
}

const isVersioned = (answer: Answer): answer is VersionedAnswer =>
  answer.version !== undefined && answer.freshness !== undefined && answer.body instanceof Json;

/**
 * What a route answers at once. Undefined where it has to wait for something, and where it refuses: the usual way, which is the same route,
 * waits and tells why. What was begun here then comes to nothing; it is rare, since whoever asks next finds everything remembered.
 */
function madeAtOnce(direct: DirectAnswer, viewer: Viewer, id: number): VersionedAnswer | undefined {
  try {
    const answer = direct(viewer, id);
    if (answer instanceof Promise) answer.catch(() => undefined);
    else if (isVersioned(answer)) return answer;
  } catch {
    // The usual way comes to the same refusal, and tells it.
  }
  return undefined;
}

/**
 * Reads of one thing by its id are most of what a platform is asked. They take nothing of what the framework does for
 * other requests, and some can be answered from memory or without waiting, so they get a way of their own. Whatever is
 * spelled in another way goes the usual one, to the same routes.
 *
 * Those that arrive in one turn of the event loop are answered together: first all are read, then all are written. A
 * processor that does one thing many times in a row does it in half the time.
 */
export class DirectReads {
  readonly #services: Services;
  readonly #routes = new Map<string, DirectRoute>();
  readonly #remembered = new RememberedAnswers();
  readonly #waiting = new TurnGathering<Waiting>((waiting) => this.#answerAll(waiting));

  constructor(services: Services) {
    this.#services = services;
  }

  add({ contract, direct }: RouteBinding, route: ApiRoute): void {
    const { method, path, params, isRevalidated = false } = contract;
    const [, name] = /^\/([a-z_]+)\/\{id\}$/.exec(path) ?? [];
    const id: { type?: unknown } | undefined = params?.properties['id'];
    if (method !== 'GET' || name === undefined || id?.type !== 'integer') return;
    this.#routes.set(name, { route, isRevalidated: isRevalidated !== false, direct });
  }

  /** Answers the request, if it is one of these. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || hasBody(request)) return false;
    const match = oneThing.exec(request.url ?? '');
    const found = this.#routes.get(match?.[1] ?? '');
    if (match?.[2] === undefined || found === undefined) return false;
    this.#waiting.add({ found, id: match[2], request, response, key: this.#keyOf(found, request) });
    return true;
  }

  #keyOf({ isRevalidated }: DirectRoute, { headers, socket, url = '' }: IncomingMessage) {
    const isPlain = isRevalidated && headers['if-none-match'] === undefined && headers.host !== undefined;
    return isPlain ? this.#remembered.keyOf(url, headers, socket.remoteAddress) : undefined;
  }

  #answerAll(waiting: readonly Waiting[]): void {
    this.#services.database.beginLateTurn();
    for (const some of inBatches(waiting))
      for (const give of some.map((one) => this.#ready(one) ?? (() => this.#answer(one)))) void give();
  }

  /** The answer, where nothing has to be waited for. */
  #ready(one: Waiting): Give | undefined {
    const { found, request, key } = one;
    if (key === undefined || this.#services.answerMemory.isFull) return undefined;
    const known = this.#remembered.find(key);
    if (this.#services.database.replicaUse() !== undefined) return this.#readBeside(one, known);
    const holds = known === undefined ? false : this.#holds(known);
    if (known !== undefined && holds instanceof Promise) return () => void this.#answer(one, known, holds);
    if (known !== undefined && holds) return () => this.#repeat(known, one);
    if (found.direct === undefined || !plainAccepts.includes(request.headers.accept)) return undefined;
    if (this.#services.database.isRemote) return this.#readWith(found.direct, one);
    const viewer = this.#recognise(request);
    const answer = viewer && madeAtOnce(found.direct, viewer, Number(one.id));
    if (viewer === undefined || answer === undefined) return undefined;
    return () => this.#give(one, answer, viewer);
  }

  /**
   * Reads for whoever had this key when it was last looked at; what is read tells whether that still holds. If it does not, or
   * anything else is in the way, the usual way begins anew.
   */
  #readWith(direct: DirectAnswer, one: Waiting): Give | undefined {
    const recalled = this.#recall(one.request);
    if (recalled === undefined) return undefined;
    const { viewer, identity } = recalled;
    const reading = Promise.try(() => direct(viewer, Number(one.id), identity)).catch(() => undefined);
    return async () => {
      const answer = await reading;
      if (answer === undefined || !isVersioned(answer)) return this.#answer(one);
      this.#give(one, answer, viewer);
    };
  }

  #recall(request: IncomingMessage) {
    const key = request.headers['x-auth-accesskey'];
    const { authenticator, config } = this.#services;
    return typeof key === 'string'
      ? authenticator.recall(key, addressOf(request, config.trustProxy))
      : undefined;
  }

  #give(one: Waiting, { body, version, freshness }: VersionedAnswer, viewer: Viewer): void {
    const sent = this.#exchange(one, viewer).answerVersion(200, body, 'json', version, []);
    this.#remember(one, { sent, freshness, viewer });
  }

  /** The same where there are several places to read from, which one being known from the revisions of now alone. */
  #readBeside(one: Waiting, known: Remembered | undefined): Give | undefined {
    const { direct } = one.found;
    const { database, metrics } = this.#services;
    const recalled = this.#recall(one.request);
    if (recalled === undefined || direct === undefined || !plainAccepts.includes(one.request.headers.accept))
      return undefined;
    const { viewer, identity } = recalled;
    const read = async () => {
      if ((await database.revision('identity')) !== identity) return undefined;
      const reads = await database.beginReads(viewer);
      if (reads === undefined) return undefined;
      metrics.count(reads.isReplica ? 'reads_from_replicas' : 'reads_from_database');
      const answer = reads.within(async () => {
        if (known !== undefined && (await this.#holds(known))) return known;
        return direct(viewer, Number(one.id), identity);
      });
      return answer.finally(() => reads.end());
    };
    return async () => {
      const answer = await read().catch(() => undefined);
      if (answer === undefined) return this.#answer(one);
      if ('sent' in answer) return this.#repeat(answer, one);
      if (!isVersioned(answer)) return this.#answer(one);
      this.#give(one, answer, viewer);
    };
  }

  #recognise(request: IncomingMessage): Viewer | undefined {
    const key = request.headers['x-auth-accesskey'];
    const { authenticator, config } = this.#services;
    if (typeof key !== 'string') return undefined;
    return authenticator.recognise(key, addressOf(request, config.trustProxy));
  }

  #exchange({ found: { route }, request, response }: Waiting, viewer: Viewer): Exchange {
    const exchange = new Exchange(this.#services, request, response, route.headers, route.label);
    exchange.requestLog.userId = viewer.userId;
    return exchange;
  }

  #repeat({ viewer, sent }: Remembered, one: Waiting): void {
    this.#exchange(one, viewer).repeat(sent);
  }

  #remember({ id, key }: Waiting, answer: RepeatableAnswer): void {
    if (key !== undefined) this.#remembered.remember(Number(id), key, answer);
  }

  /** The usual way, but for what is remembered and still holds. */
  async #answer(one: Waiting, known?: Remembered, holds?: Promise<boolean>): Promise<void> {
    const { found, id, request, response } = one;
    if (known !== undefined && (await holds)) return this.#repeat(known, one);
    const received = { request, response, params: { id }, query: {}, body: undefined, isBegun: true };
    const answer = await found.route.answer(received);
    if (answer !== undefined) this.#remember(one, answer);
  }

  /** What is old, or cannot be compared with what is stored, is not given again. */
  #holds({ freshness }: Remembered): Soon<boolean> {
    const holds = freshness.holds(this.#services.database);
    return holds instanceof Promise ? holds.catch(() => false) : holds;
  }
}
