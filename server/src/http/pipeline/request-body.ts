import type { RouteContract } from '@atelier/contract';
import { Refusal } from '../../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import { atOnce, callerOf, type Slices, type Steps } from '../limits/index.ts';
import { asMeantByXml, withBareMember } from './binding.ts';
import {
  type BodyValue,
  bodyFormat,
  bodyInSteps,
  getBodyInSteps,
  isBlankBody,
  isCsvType,
  isXmlType,
  memberInSteps,
  requirePlain,
} from './bodies.ts';
import { type IncomingBody, strangersLimit } from './incoming-body.ts';

/** Bytes that a value of a body takes in memory, beyond those of its text. */
const bytesOfValue = 64;

type Read = (parts: readonly Buffer[]) => Steps<BodyValue>;

/** How the body of a route is read, from what it says it is; undefined where nothing of it is wanted. 415 comes from here. */
function readerOf(contract: RouteContract, type: string | undefined, isYielding: boolean): Read | undefined {
  const { method, body, argument, bareMember, csvMember } = contract;
  if (method === 'DELETE' || (method === 'GET' && (body === undefined || isYielding))) return undefined;
  const isGet = method === 'GET';
  if (!isGet && csvMember !== undefined && isCsvType(type)) return (parts) => memberInSteps(parts, csvMember);
  const format = isGet ? undefined : bodyFormat(type);
  const inSteps: Read = (parts) =>
    format === undefined ? getBodyInSteps(parts, type) : bodyInSteps(parts, format, type);
  const isXml = isXmlType(type);
  if (body === undefined || !(isXml || bareMember !== undefined)) return inSteps;
  return function* (parts) {
    // Where nothing was sent there is no element that could mean an empty list.
    const isBlank = isBlankBody(parts);
    const { value, values } = yield* inSteps(parts);
    const whole = withBareMember(contract, value);
    return { value: isXml && !isBlank ? asMeantByXml(body, argument, whole) : whole, values };
  };
}

export interface BodyReading {
  readonly contract: RouteContract;
  readonly incoming: IncomingBody;
  /** The Content-Type as it was sent. */
  readonly type: string | undefined;
  /** The Content-Encoding as it was sent. */
  readonly encoding: string | undefined;
  /** Whether something else says what the body would. */
  readonly isYielding: boolean;
  readonly limit: number;
  readonly slices: Slices;
}

const ofPlain = (read: Read, encoding: string | undefined): Read =>
  function* (parts) {
    requirePlain(parts, encoding);
    return yield* read(parts);
  };

/**
 * The body of a request to a route, in the two forms in which it may come. A small one is read before anything is asked about its sender,
 * so that what is broken is called broken. A larger one is for those who are known: nothing of it is read before.
 */
export class RequestBody {
  readonly #read: Read | undefined;
  readonly #incoming: IncomingBody;
  readonly #contract: RouteContract;
  readonly #limit: number;
  readonly #slices: Slices;
  #value: BodyValue | undefined;

  constructor({ contract, incoming, type, encoding, isYielding, limit, slices }: BodyReading) {
    this.#contract = contract;
    this.#incoming = incoming;
    this.#limit = limit;
    this.#slices = slices;
    const read = readerOf(contract, type, isYielding);
    this.#read = read && ofPlain(read, encoding);
  }

  /** Whether the sender must be known before it is read. */
  get isForKnown(): boolean {
    return this.#read !== undefined && !this.#incoming.isWhole;
  }

  /** Reads a small body and understands it. */
  async begin(): Promise<void> {
    if (this.#read === undefined) return;
    if (!this.#incoming.isWhole) {
      this.#incoming.requireAtMost(this.#contract.kind === 'public' ? strangersLimit : this.#limit);
      await this.#incoming.read(Math.min(strangersLimit, this.#limit));
    }
    this.#incoming.requireFine();
    if (this.#incoming.isWhole) this.#value = atOnce(this.#read(this.#incoming.parts));
    else if (this.#contract.kind === 'public') refuseStranger();
  }

  /** Forgets what the bytes mean: it would be in memory for as long as a password is checked. */
  forget(): void {
    this.#value = undefined;
  }

  /** Reads a large body, of somebody who is known by now. */
  async finish(viewer: Viewer): Promise<void> {
    if (isAnonymous(viewer)) refuseStranger();
    this.#incoming.moveTo(callerOf(viewer));
    await this.#incoming.readAll(this.#limit);
    if (this.#read === undefined) return;
    const { value, values } = await this.#slices.do(this.#read(this.#incoming.parts));
    this.#incoming.parts.length = 0;
    this.#incoming.take(values * bytesOfValue);
    // What is counted already is not counted again.
    this.#value = { value, values: 0 };
  }

  /** What it says. It is given once, so that nothing but what a route takes of it stays in memory. */
  give(): unknown {
    if (this.#read === undefined) return undefined;
    const { value, values } = this.#value ?? atOnce(this.#read(this.#incoming.parts));
    this.#value = undefined;
    this.#incoming.parts.length = 0;
    this.#incoming.take(values * bytesOfValue);
    return value;
  }
}

function refuseStranger(): never {
  throw new Refusal(
    'too-large',
    `A body of somebody who is not logged in has at most ${strangersLimit} bytes.`,
  );
}
