import { networkOf } from '../../kernel/addresses.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { Slots } from './slots.ts';

/** Somebody of whom nothing is known but where they are. */
export const callerAt = (address: string) => `address ${networkOf(address)}`;

export const callerOf = ({ userId }: Viewer) => `user ${userId}`;

export interface BodyLimits {
  /** Bytes that all bodies of a thread may take together. */
  readonly thread: number;
  /** Bytes that the bodies of one caller may take of it. */
  readonly caller: number;
}

/** Milliseconds after which a body that is still arriving must make room for others. */
const patience = 5000;

const tooMuch = (whose: string) =>
  unavailable(`There are too many large requests ${whose} at the moment. Try again in a moment.`, {
    retryAfter: 2,
  });

/** What one request takes of the memory for bodies. */
export class BodyShare {
  readonly since = performance.now();
  /** Among those that are still arriving. */
  place: number | undefined;
  readonly #budget: BodyBudget;
  readonly #cut: (reason: Error) => void;
  #caller: string;
  #bytes = 0;

  /** `cut` ends a body that is still arriving and has to make room. */
  constructor(budget: BodyBudget, caller: string, cut: (reason: Error) => void) {
    this.#budget = budget;
    this.#caller = caller;
    this.#cut = cut;
  }

  get caller(): string {
    return this.#caller;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Takes more; refuses with 503 where there is no more to have. */
  take(bytes: number): void {
    this.#budget.provide(this, bytes);
    this.#bytes += bytes;
  }

  /** Lets another caller answer for it. */
  moveTo(caller: string): void {
    const bytes = this.#bytes;
    this.release();
    this.#caller = caller;
    this.take(bytes);
  }

  release(): void {
    this.#budget.giveBack(this.#caller, this.#bytes);
    this.#bytes = 0;
  }

  makeRoom(reason: Error): void {
    this.release();
    this.#cut(reason);
  }
}

/**
 * The memory of one thread for the bodies of requests: while they arrive, while they are read, and while what they say is worked with.
 * Whoever sends slowly gives way to others when there is no room left.
 */
export class BodyBudget {
  readonly #limits: BodyLimits;
  readonly #held = new Map<string, number>();
  readonly #arriving = new Slots<BodyShare>();
  #total = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  share(caller: string, cut: (reason: Error) => void): BodyShare {
    const share = new BodyShare(this, caller, cut);
    share.place = this.#arriving.add(share);
    return share;
  }

  /** Nothing more of the body will come. */
  arrived(share: BodyShare): void {
    if (share.place !== undefined) this.#arriving.free(share.place);
    share.place = undefined;
  }

  provide(share: BodyShare, bytes: number): void {
    const { caller } = share;
    const { thread, caller: most } = this.#limits;
    const ofCaller = () => (this.#held.get(caller) ?? 0) + bytes;
    if (ofCaller() > most)
      this.#clear(
        share,
        (other) => other.caller === caller,
        () => ofCaller() <= most,
      );
    if (ofCaller() > most) throw tooMuch('of yours');
    if (this.#total + bytes > thread)
      this.#clear(
        share,
        () => true,
        () => this.#total + bytes <= thread,
      );
    if (this.#total + bytes > thread) throw tooMuch('of everybody');
    this.#held.set(caller, ofCaller());
    this.#total += bytes;
  }

  giveBack(caller: string, bytes: number): void {
    const left = (this.#held.get(caller) ?? 0) - bytes;
    if (left > 0) this.#held.set(caller, left);
    else this.#held.delete(caller);
    this.#total -= bytes;
  }

  /** Cuts bodies that have been arriving for long, the oldest first, until there is room. */
  #clear(own: BodyShare, isMeant: (share: BodyShare) => boolean, isEnough: () => boolean): void {
    const latest = performance.now() - patience;
    const late = [...this.#arriving].filter(
      (share) => share.since < latest && share !== own && !share.isEmpty,
    );
    for (const share of late.filter(isMeant).sort((a, b) => a.since - b.since)) {
      if (isEnough()) return;
      this.arrived(share);
      share.makeRoom(tooMuch('of everybody'));
    }
  }
}
