import { minute, second } from '../kernel/clock.ts';
import { Refusal } from '../kernel/errors.ts';

/** Where faults of jobs are told. */
export interface FaultLog {
  info(facts: object, words: string): void;
  error(facts: object, words: string): void;
}

/** Between the first line about a fault that stays and the second; each pause after that is twice as long. */
const firstPause = 10 * second;
const longestPause = 10 * minute;

/** A job that fails now and then, between runs with nothing to do, does not work again after each of these. */
const settlingTime = 10 * second;

/** A fault that stays. */
interface Told {
  readonly at: number;
  readonly pause: number;
}

/** Faults of one job that are told apart: those whose words are always others share one more. */
const mostKinds = 20;

interface Failing {
  failedAt: number;
  /** By the words of a fault. */
  readonly told: Map<string, Told>;
}

const reasonOf = (error: unknown) =>
  error instanceof Refusal ? [error.detail, error.extras.cause].join(' ').trim() : String(error);

/** A fault is the same one whatever numbers are in its words. */
function kindOf(reason: string, { told }: Failing): string {
  const kind = reason.replaceAll(/\d+/g, '#');
  return told.has(kind) || told.size < mostKinds ? kind : 'others';
}

/**
 * Tells of jobs that fail: at once, then rarely while the same fault stays, and once when they work again. A full disk would be filled
 * for good by the lines about it, four a second. `now`: milliseconds of a clock that never goes back.
 */
export class JobFaults {
  readonly #log: FaultLog;
  readonly #now: () => number;
  readonly #failing = new Map<string, Failing>();

  constructor(log: FaultLog, now = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  failed(job: string, error: unknown): void {
    const now = this.#now();
    const failing: Failing = this.#failing.get(job) ?? { failedAt: now, told: new Map() };
    this.#failing.set(job, failing);
    failing.failedAt = now;
    const reason = reasonOf(error);
    const kind = kindOf(reason, failing);
    const last = failing.told.get(kind);
    if (last !== undefined && now < last.at + last.pause) return;
    const pause = last === undefined ? firstPause : Math.min(2 * last.pause, longestPause);
    failing.told.set(kind, { at: now, pause });
    this.#log.error({ job, error: reason }, 'background job failed');
  }

  worked(job: string): void {
    const failing = this.#failing.get(job);
    if (failing === undefined || this.#now() < failing.failedAt + settlingTime) return;
    this.#failing.delete(job);
    this.#log.info({ job }, 'background job works again');
  }
}
