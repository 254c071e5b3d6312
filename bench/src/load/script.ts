import type { Answer } from './response-reader.ts';

/** What the connections of a stream send, as plain data. Requests are complete HTTP/1.1 requests. */
export type ScriptOrder =
  /** One of these at random each time. */
  | { kind: 'any'; requests: string[] }
  /** Every number of a range, each far from the one before: what comes again was not asked for longest of all. */
  | { kind: 'walk'; before: string; after: string; first: number; count: number }
  /** Changes of things that belong to one connection each, in turn, naming the version that the answer before gave. */
  | { kind: 'edits'; things: EditedThing[]; endings: string[] };

export interface EditedThing {
  read: string;
  /** Ends where the tag of the version follows. */
  write: string;
}

/** What one connection sends. */
export interface Script {
  next(): string | Buffer;
  answered?(answer: Answer): void;
}

/** A script for each connection. */
export function createScripts(order: ScriptOrder, connections: number): Script[] {
  const make = scriptMaker(order, connections);
  return Array.from({ length: connections }, (_, index) => make(index));
}

function scriptMaker(order: ScriptOrder, connections: number): (connection: number) => Script {
  switch (order.kind) {
    case 'any':
      return anyOf(order.requests);
    case 'walk':
      return walkOver(order);
    case 'edits':
      return (connection) => new Edits(order, connection, connections);
  }
}

function anyOf(texts: string[]): () => Script {
  const requests = texts.map((text) => Buffer.from(text));
  const next = () => {
    const request = requests[Math.floor(Math.random() * requests.length)];
    if (request === undefined) throw new Error('no requests to send');
    return request;
  };
  return () => ({ next });
}

/** All connections walk together. */
function walkOver({ before, after, first, count }: Extract<ScriptOrder, { kind: 'walk' }>): () => Script {
  const stride = strideFor(count);
  let position = 0;
  const next = () => {
    position = (position + stride) % count;
    return before + (first + position) + after;
  };
  return () => ({ next });
}

/** Steps of this size meet every number once before any comes again, and the steps after one another lie far apart. */
export function strideFor(count: number): number {
  let stride = Math.max(1, Math.floor(count * 0.618));
  while (commonDivisor(stride, count) > 1) stride++;
  return stride;
}

function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right);
}

const etagPattern = /\r\netag: *([^\r]+)/i;

/** Reads each thing once for its tag; from then on every answer brings the next one. */
class Edits implements Script {
  readonly #things: EditedThing[];
  readonly #endings: string[];
  readonly #tags: (string | undefined)[] = [];
  #position = 0;
  #rounds = 0;
  #isWriting = false;

  constructor(
    { things, endings }: Extract<ScriptOrder, { kind: 'edits' }>,
    own: number,
    connections: number,
  ) {
    this.#things = things.filter((_, index) => index % connections === own);
    this.#endings = endings;
  }

  next(): string {
    const thing = this.#things[this.#position];
    if (thing === undefined) throw new Error('no things to change');
    const tag = this.#tags[this.#position];
    this.#isWriting = tag !== undefined;
    if (tag === undefined) return thing.read;
    return `${thing.write}${tag}${this.#endings[this.#rounds % this.#endings.length]}`;
  }

  answered({ head }: Answer): void {
    this.#tags[this.#position] = etagPattern.exec(head)?.[1];
    if (!this.#isWriting) return;
    this.#position = (this.#position + 1) % this.#things.length;
    if (this.#position === 0) this.#rounds++;
  }
}
