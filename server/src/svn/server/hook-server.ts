import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { second } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/errors.ts';
import { afterwards, canRefuse, type HookName, hookNames, undecided } from '../workspace/index.ts';

/** What a hook was called with. */
export interface HookCall {
  readonly hook: HookName;
  readonly args: readonly string[];
  /** What came on standard input. */
  readonly input: string;
}

/** Decides about a call; a refusal says no, and its words reach whoever commits. */
export type HookJudge = (call: HookCall) => Promise<void>;

export interface HookLog {
  error(facts: object, words: string): void;
}

/** Bytes of one call at the most: the longest commit message that anybody may write, and some more. */
const longestCall = 4 * 1024 * 1024;

const fieldsBefore = 3;

/** The fields of a call once all of them are there. */
function fieldsIn(bytes: Buffer): string[] | undefined {
  const fields = bytes.toString('utf8').split('\0');
  const count = Number(fields[fieldsBefore - 1] ?? Number.NaN);
  // Each field ends with a zero byte, so that there is an empty one behind the last.
  return fields.length >= fieldsBefore + count + 2 ? fields : undefined;
}

const isSame = (left: Buffer, right: Buffer) => left.length === right.length && timingSafeEqual(left, right);

/** Gives undefined to whoever does not begin with the secret; not even what they say is kept. */
async function readCall(socket: Socket, secret: string): Promise<string[] | undefined> {
  const start = Buffer.from(`${secret}\0`);
  let isKnown = false;
  let bytes = Buffer.alloc(0);
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, part]);
    if (!isKnown && bytes.length >= start.length) {
      isKnown = isSame(bytes.subarray(0, start.length), start);
      if (!isKnown) return undefined;
    }
    const fields = isKnown ? fieldsIn(bytes) : undefined;
    if (fields !== undefined) return fields;
    if (bytes.length > longestCall) break;
  }
  if (!isKnown) return undefined;
  throw new Refusal('invalid', 'The hook said nothing that can be understood.');
}

/** Hooks that are answered at once at the most; there are as many as commits. */
const mostCalls = 512;

/** How long a hook may take to say what it wants: it knows that before it comes. */
const usualPatience = 10 * second;

/** Answers the hooks of all repositories, on a port of this machine that is of use to nobody without the secret. */
export class HookServer {
  readonly #secret: string;
  readonly #judge: HookJudge;
  readonly #log: HookLog;
  readonly #server = createServer((socket) => void this.#answer(socket));

  readonly #patience: number;

  constructor(secret: string, judge: HookJudge, log: HookLog, patience = usualPatience) {
    this.#secret = secret;
    this.#judge = judge;
    this.#log = log;
    this.#patience = patience;
    this.#server.maxConnections = mostCalls;
  }

  /** `wanted`: where hooks that run may still look for it; any other port does for those to come. */
  async listen(wanted = 0): Promise<number> {
    try {
      this.#server.listen({ host: '127.0.0.1', port: wanted });
      await once(this.#server, 'listening');
    } catch (error) {
      if (wanted === 0) throw error;
      return this.listen();
    }
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  close(): void {
    this.#server.close();
  }

  async #answer(socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    const timer = setTimeout(() => socket.destroy(), this.#patience);
    let hook: HookName | undefined;
    try {
      const call = await readCall(socket, this.#secret).finally(() => clearTimeout(timer));
      const [, name, , ...fields] = call ?? [];
      hook = hookNames.find((known) => known === name);
      if (hook === undefined) return void socket.destroy();
      const args = fields.slice(0, -2);
      await this.#judge({ hook, args, input: fields.at(-2) ?? '' });
      socket.end('yes\n');
    } catch (error) {
      if (socket.destroyed) return;
      socket.end(`no\n${this.#wordsFor(error, hook)}\n`);
    }
  }

  #wordsFor(error: unknown, hook: HookName | undefined): string {
    if (error instanceof Refusal && error.extras.cause === undefined) return error.detail;
    this.#log.error(
      { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      'a hook failed',
    );
    if (hook !== undefined && !canRefuse(hook)) return `The platform could not note this: ${afterwards}.`;
    return `${undecided} Nothing was changed; try again in a moment.`;
  }
}
