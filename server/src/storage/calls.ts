import type { MessagePort } from 'node:worker_threads';
import { Refusal, type RefusalData } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Database, Reader, Transaction } from './database.ts';
import { TurnReader } from './turn-reader.ts';
import { Turn } from './turns.ts';

/**
 * A named unit of work that can run in another thread: plain data in, plain data out.
 * Operations change things and get a transaction; searches only read.
 */
export type Operation<Input, Output> = (tx: Transaction, viewer: Viewer, input: Input) => Promise<Output>;
export type Search<Input, Output> = (reader: Reader, viewer: Viewer, input: Input) => Promise<Output>;

/** A table holds work of every input; callers see the exact types through `Calls`. */
type Work<Context> = (context: Context, viewer: Viewer, input: never) => Promise<unknown>;
export type WorkTable<Context> = Readonly<Record<string, Work<Context>>>;
export type OperationTable = WorkTable<Transaction>;
export type SearchTable = WorkTable<Reader>;

/** What callers see of a table: the same names, wherever the work runs. */
export type Calls<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (
    context: never,
    viewer: Viewer,
    input: infer Input,
  ) => Promise<infer Output>
    ? (viewer: Viewer, input: Input) => Promise<Output>
    : never;
};

type Run = (name: string, viewer: Viewer, input: unknown) => Promise<unknown>;

function callsThrough<Table extends WorkTable<never>>(table: Table, run: Run): Calls<Table> {
  const entries = Object.keys(table).map((name) => [
    name,
    (viewer: Viewer, input: unknown) => run(name, viewer, input),
  ]);
  return Object.fromEntries(entries) as Calls<Table>;
}

function workNamed<Context>(table: WorkTable<Context>, name: string): Work<Context> {
  const work = table[name];
  if (work === undefined) throw new Error(`There is no work named ${name}.`);
  return work;
}

/** Operations run here, each in a transaction of its own. */
export function operationsOn<Table extends OperationTable>(database: Database, table: Table): Calls<Table> {
  return callsThrough(table, (name, viewer, input) =>
    database.transaction((tx) => workNamed(table, name)(tx, viewer, input as never), viewer),
  );
}

/**
 * Searches run here. Each sees all that was committed before it began, and holds nothing open after it. `turn`: milliseconds of
 * work after which one is cut off with `TurnOver`.
 */
export function searchesOn<Table extends SearchTable>(
  database: Database,
  table: Table,
  turn?: number,
): Calls<Table> {
  const reader: Reader = database;
  return callsThrough(table, async (name, viewer, input) => {
    database.renew();
    try {
      const limited = turn === undefined ? reader : new TurnReader(reader, new Turn(turn));
      return await workNamed(table, name)(limited, viewer, input as never);
    } finally {
      database.renew();
    }
  });
}

/** As the given calls, each in the way that `through` says. */
export function wrappedCalls<Table extends WorkTable<never>>(
  table: Table,
  through: (name: keyof Table & string, viewer: Viewer, input: unknown) => Promise<unknown>,
): Calls<Table> {
  return callsThrough(table, through);
}

/** One of the calls, by its name. */
export function callNamed<Table extends WorkTable<never>>(
  calls: Calls<Table>,
  name: string,
): (viewer: Viewer, input: unknown) => Promise<unknown> {
  const byName = calls as Readonly<Record<string, (viewer: Viewer, input: unknown) => Promise<unknown>>>;
  const call = byName[name];
  if (call === undefined) throw new Error(`There is no work named ${name}.`);
  return call;
}

interface Request {
  readonly id: number;
  readonly name: string;
  readonly viewer: Viewer;
  readonly input: unknown;
}

type Response =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: RefusalData }
  | { readonly id: number; readonly fault: string };

/** Messages that are sent together at the most. */
const largestParcel = 64;

/**
 * Sends what one turn of the event loop brings as one message: each costs both threads as much as a small piece of
 * work, and what arrives together is answered together. Without a port, it waits for one.
 */
class MessageBatcher<Message> {
  #port: MessagePort | undefined;
  #waiting: Message[] = [];

  constructor(port?: MessagePort) {
    this.#port = port;
  }

  goThrough(port: MessagePort): void {
    this.#port = port;
    this.#flush();
  }

  /** What was not sent yet is forgotten as well. */
  cut(): void {
    this.#port = undefined;
    this.#waiting = [];
  }

  send(message: Message): void {
    if (this.#waiting.push(message) === 1) setImmediate(() => this.#flush());
    if (this.#waiting.length >= largestParcel) this.#flush();
  }

  #flush(): void {
    if (this.#port === undefined || this.#waiting.length === 0) return;
    this.#port.postMessage(this.#waiting);
    this.#waiting = [];
  }
}

/** What callers hear when the thread that worked for them died. */
export interface LineLoss {
  readonly refusal: () => Refusal;
  /** Whether another thread takes its place, so that later calls wait for that one. */
  readonly isMended: boolean;
}

interface WaitingCall {
  readonly done: (result: unknown) => void;
  readonly failed: (error: Error) => void;
}

/** The way to a thread that works for this one. It is laid once that thread is there, and anew when another takes its place. */
export class CallLine {
  readonly #loss: LineLoss;
  readonly #batcher = new MessageBatcher<Request>();
  readonly #waiting = new Map<number, WaitingCall>();
  #port: MessagePort | undefined;
  #last = 0;
  #isCut = false;

  constructor(loss: LineLoss) {
    this.#loss = loss;
  }

  /** `heard` is called before every answer. */
  lay(port: MessagePort, heard: () => void): void {
    // The line to the next thread may come before word of the last one's end.
    if (this.#port !== undefined) this.#cut();
    this.#port = port;
    this.#isCut = false;
    port.on('message', (responses: readonly Response[]) => {
      heard();
      for (const response of responses) this.#take(response);
    });
    port.on('close', () => {
      if (this.#port === port) this.#cut();
    });
    this.#batcher.goThrough(port);
  }

  #take(response: Response): void {
    const caller = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (caller === undefined) return;
    if ('result' in response) caller.done(response.result);
    else if ('refusal' in response) caller.failed(Refusal.fromData(response.refusal));
    else caller.failed(new Error(response.fault));
  }

  /** Calls that were not answered yet. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Nobody can tell any more what came of the calls under way. */
  #cut(): void {
    this.#isCut = true;
    this.#port = undefined;
    this.#batcher.cut();
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { failed } of lost) failed(this.#loss.refusal());
  }

  call(name: string, viewer: Viewer, input: unknown): Promise<unknown> {
    if (this.#isCut && !this.#loss.isMended) return Promise.reject(this.#loss.refusal());
    const id = ++this.#last;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#batcher.send({ id, name, viewer, input });
    });
  }
}

/** Work runs in the thread at the other end of the line. */
export function remoteCalls<Table extends WorkTable<never>>(line: CallLine, table: Table): Calls<Table> {
  return callsThrough(table, (name, viewer, input) => line.call(name, viewer, input));
}

/** Says when the work of somebody begins. */
export type WorkOrder = <T>(viewer: Viewer, work: () => Promise<T>) => Promise<T>;

/** The other end of `remoteCalls`. */
export function answerCalls<Table extends WorkTable<never>>(
  port: MessagePort,
  calls: Calls<Table>,
  order: WorkOrder = (_, work) => work(),
): void {
  const batcher = new MessageBatcher<Response>(port);
  const serve = async ({ id, name, viewer, input }: Request) =>
    batcher.send(await answer(id, () => order(viewer, async () => callNamed(calls, name)(viewer, input))));
  port.on('message', (requests: readonly Request[]) => {
    for (const request of requests) void serve(request);
  });
}

async function answer(id: number, run: () => Promise<unknown>): Promise<Response> {
  try {
    return { id, result: await run() };
  } catch (error) {
    if (error instanceof Refusal) return { id, refusal: error.toData() };
    return { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
