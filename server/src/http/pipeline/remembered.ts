import type { IncomingHttpHeaders } from 'node:http';
import { isWaitOver } from '../../kernel/clock.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Freshness } from '../route.ts';
import type { SentVersion } from './exchange.ts';

/** An answer that can be given again, and to whom. */
export interface RepeatableAnswer {
  sent(): SentVersion;
  readonly freshness: Freshness;
  readonly viewer: Viewer;
}

/** An answer that is kept. */
export interface Remembered extends Omit<RepeatableAnswer, 'sent'> {
  readonly sent: SentVersion;
}

interface Entry {
  readonly answer: Remembered;
  /** After that the caller is looked at anew. */
  readonly until: number;
}

/** Characters of answers that one thread keeps, and of one among them. */
const mostCharacters = 8_000_000;
const longestKept = 256 * 1024;
/** Places for things that were asked for lately; each holds the last one that fell on it. */
const asked = 4_096;
/** How long a caller who was let in is taken at their word, in milliseconds. */
const longestTrust = 10_000;

/** Headers that would change who is answered, or how; whoever sends one is answered afresh. */
const otherHeaders = [
  'cookie',
  'authorization',
  'x-auth-token',
  'accept-charset',
  'x-forwarded-for',
] as const;

/**
 * Finished answers to callers with an access key, for those who ask the same again and again. An answer is given only
 * while nothing that it shows has changed, and while the key is known to be good.
 */
export class RememberedAnswers {
  readonly #entries = new Map<string, Entry>();
  readonly #asked = new Float64Array(asked);
  #characters = 0;

  /** What tells requests apart; undefined for those that are never answered from memory. */
  keyOf(url: string, headers: IncomingHttpHeaders, address: string | undefined): string | undefined {
    const { 'x-auth-accesskey': key, accept = '' } = headers;
    if (typeof key !== 'string' || address === undefined) return undefined;
    if (otherHeaders.some((name) => headers[name] !== undefined)) return undefined;
    return `${url} ${key} ${accept} ${address}`;
  }

  find(key: string): Remembered | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (!isWaitOver(entry.until, longestTrust)) return entry.answer;
    this.forget(key);
    return undefined;
  }

  forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#characters -= entry.answer.sent.text.length;
  }

  /** Whether the same was asked a short while ago: what is read once is not worth the memory it takes. */
  #isRepeated(id: number): boolean {
    const place = id % asked;
    const isRepeated = this.#asked[place] === id;
    this.#asked[place] = id;
    return isRepeated;
  }

  /** `id`: of the thing that the answer is about. */
  remember(id: number, key: string, answer: RepeatableAnswer): void {
    this.forget(key);
    if (!this.#isRepeated(id)) return;
    const { credential } = answer.viewer;
    if (credential.kind !== 'access-key') return;
    const trust = Date.now() + longestTrust;
    const until = Math.min(trust, credential.expiresAt ?? trust);
    const sent = answer.sent();
    if (sent.text.length > longestKept) return;
    this.#entries.set(key, { answer: { ...answer, sent }, until });
    this.#characters += sent.text.length;
    // The oldest go first: those that are still asked for come back.
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= mostCharacters) break;
      this.forget(oldest);
    }
  }
}
