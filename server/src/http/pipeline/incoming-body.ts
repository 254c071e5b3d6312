import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../kernel/errors.ts';
import type { BodyBudget, BodyShare } from '../limits/index.ts';
import { dropRest } from './arrival.ts';
import { CutOff } from './cut-off.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set where the sender waits to be asked for the body. */
    askForBody?: () => void;
  }
}

/** Bytes that anybody may send before it is known who they are. */
export const strangersLimit = 64 * 1024;

const tooLarge = () => new Refusal('too-large', 'The body is larger than this server takes.');

/** The body of a request as it arrives. Nothing is taken off the wire before somebody asks for it. */
export class IncomingBody {
  readonly parts: Buffer[] = [];
  readonly #request: IncomingMessage;
  readonly #budget: BodyBudget;
  readonly #share: BodyShare;
  readonly #declared: number | undefined;
  #length = 0;
  #limit = 0;
  #fault: Error | undefined;
  #isWhole = false;
  #isListening = false;
  #done: (() => void) | undefined;

  /** `caller`: whose memory is used before it is known who calls. */
  constructor(request: IncomingMessage, budget: BodyBudget, caller: string) {
    this.#request = request;
    this.#budget = budget;
    const { headers } = request;
    const hasNone = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
    this.#declared =
      headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
    this.#share = budget.share(caller, (reason) => this.#stop(reason));
    if (hasNone) this.#end();
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** How long it says it is, as far as that is known. */
  get declaredLength(): number {
    return this.#declared ?? 0;
  }

  /** Refuses what can never be taken, before anything is read. */
  requireAtMost(limit: number): void {
    if (this.declaredLength > limit) throw tooLarge();
  }

  /**
   * Reads on until the body is whole, or has more than so many bytes, and calls once. A body that says that it is longer is not begun.
   * What went wrong on the way is thrown by `requireFine`.
   */
  readOn(limit: number, done: () => void): void {
    if (this.#isWhole || this.#fault !== undefined || this.declaredLength > limit || this.#length > limit)
      return done();
    this.#limit = limit;
    this.#done = done;
    if (this.#isListening) this.#request.resume();
    else this.#listen();
  }

  requireFine(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** The same, to be waited for. */
  async read(limit: number): Promise<void> {
    if (!this.#isWhole) await new Promise<void>((resolve) => this.readOn(limit, resolve));
    this.requireFine();
  }

  /** Lets somebody answer for it who is known by now. */
  moveTo(caller: string): void {
    this.#share.moveTo(caller);
  }

  /** All of it, up to so many bytes. */
  async readAll(limit: number): Promise<void> {
    this.requireAtMost(limit);
    await this.read(limit);
    if (!this.#isWhole) throw tooLarge();
  }

  /** All of it, of somebody who need not be known, as one piece. */
  async readSmall(): Promise<Buffer> {
    await this.readAll(strangersLimit);
    return Buffer.concat(this.parts);
  }

  /** Counts what was made of it as well. */
  take(bytes: number): void {
    this.#share.take(bytes);
  }

  /** The request is answered: nothing of it is needed any more. */
  release(): void {
    this.#budget.arrived(this.#share);
    this.#share.release();
    this.parts.length = 0;
    dropRest(this.#request);
  }

  #listen(): void {
    this.#isListening = true;
    // Whoever went away before says nothing any more, not even that they went.
    if (this.#request.destroyed) return this.#stop(new CutOff());
    this.#request.askForBody?.();
    this.#request.on('data', (part: Buffer) => this.#add(part));
    this.#request.once('end', () => this.#end());
    this.#request.once('close', () => {
      if (!this.#isWhole) this.#stop(new CutOff());
    });
  }

  #add(part: Buffer): void {
    if (this.#fault !== undefined) return;
    try {
      this.#share.take(part.length);
    } catch (error) {
      if (error instanceof Error) this.#stop(error);
      return;
    }
    this.parts.push(part);
    this.#length += part.length;
    if (this.#length <= this.#limit) return;
    this.#request.pause();
    this.#tell();
  }

  #end(): void {
    this.#isWhole = true;
    this.#budget.arrived(this.#share);
    this.#tell();
  }

  #stop(reason: Error): void {
    if (this.#isWhole || this.#fault !== undefined) return;
    this.#fault = reason;
    this.parts.length = 0;
    this.#tell();
  }

  #tell(): void {
    const done = this.#done;
    this.#done = undefined;
    done?.();
  }
}
