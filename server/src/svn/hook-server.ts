import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Refusal } from '../kernel/errors.ts';
import { type HookName, hookNames } from './hook-scripts.ts';

/** What a hook was called with. */
export interface HookCall {
  readonly hook: HookName;
  readonly args: readonly string[];
  /** What came on standard input. */
  readonly given: string;
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

async function readCall(socket: Socket): Promise<string[]> {
  let bytes = Buffer.alloc(0);
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, part]);
    const fields = bytes.includes(0) ? fieldsIn(bytes) : undefined;
    if (fields !== undefined) return fields;
    if (bytes.length > longestCall) break;
  }
  throw new Refusal('invalid', 'The hook said nothing that can be understood.');
}

const isSame = (left: string, right: string) => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Answers the hooks of all repositories, on a port of this machine that is of use to nobody without the secret. */
export class HookServer {
  readonly #secret: string;
  readonly #judge: HookJudge;
  readonly #log: HookLog;
  readonly #server = createServer((socket) => void this.#answer(socket));

  constructor(secret: string, judge: HookJudge, log: HookLog) {
    this.#secret = secret;
    this.#judge = judge;
    this.#log = log;
  }

  async listen(): Promise<number> {
    this.#server.listen({ host: '127.0.0.1', port: 0 });
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  close(): void {
    this.#server.close();
  }

  async #answer(socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const [secret = '', name, , ...fields] = await readCall(socket);
      const hook = hookNames.find((known) => known === name);
      if (hook === undefined || !isSame(secret, this.#secret)) return void socket.destroy();
      const args = fields.slice(0, -2);
      await this.#judge({ hook, args, given: fields.at(-2) ?? '' });
      socket.end('yes\n');
    } catch (error) {
      socket.end(`no\n${this.#wordsFor(error)}\n`);
    }
  }

  #wordsFor(error: unknown): string {
    if (error instanceof Refusal && error.extras.cause === undefined) return error.detail;
    this.#log.error(
      { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      'a hook failed',
    );
    return 'The platform could not decide about this. Nothing was changed; try again in a moment.';
  }
}
