import pg from 'pg';
import { StorageUnavailable } from './engine.ts';

/** Milliseconds. */
const times = {
  /** How often is looked whether somebody waits. */
  look: 500,
  /** A wait without a word from the server after which it is asked whether it is there. */
  silence: 1_000,
  /** How long it may take to answer that. */
  answer: 1_500,
  /** After an answer, a statement that still runs is believed to be long for so long. */
  trust: 5_000,
};

function ignore(): void {}

/** Somebody who waits, by a clock that nobody sets. */
interface Waiting {
  readonly since: number;
  readonly until: number;
  giveUp(error: StorageUnavailable): void;
}

/**
 * A server that refuses or closes connections says so, one that hangs says nothing: without this, everybody would wait for as
 * long as it lasts. While somebody waits in silence, the server is asked a simple question on a connection of its own. If
 * that gets no answer either, all who wait are told so, those who come hear it at once, and it is asked again and again.
 * Whoever is told so must give up the connection.
 */
export class PostgresWatch {
  readonly #url: string;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #lastWord = 0;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #isSilent = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Waits for the server for so many milliseconds at the most, and not for one that hangs. */
  answered<T>(ask: () => Promise<T>, longest: number): Promise<T> {
    if (this.#isSilent) return Promise.reject(silent());
    this.#timer ??= setInterval(() => void this.#look(), times.look).unref();
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const waiting: Waiting = { since, until: since + longest, giveUp: reject };
      this.#waiting.add(waiting);
      const heard = () => {
        this.#waiting.delete(waiting);
        this.#lastWord = performance.now();
      };
      ask().then(
        (answer) => {
          heard();
          resolve(answer);
        },
        (error: unknown) => {
          heard();
          reject(error);
        },
      );
    });
  }

  async #look(): Promise<void> {
    this.#giveUpLate();
    const [oldest] = this.#waiting;
    if (this.#isAsking) return;
    if (oldest === undefined && !this.#isSilent) return this.#rest();
    const quietSince = Math.max(this.#lastWord, oldest?.since ?? 0);
    if (!this.#isSilent && performance.now() - quietSince < times.silence) return;
    this.#isAsking = true;
    this.#isSilent = !(await this.#isThere());
    this.#isAsking = false;
    if (!this.#isSilent) this.#lastWord = performance.now() + times.trust;
    else for (const waiting of this.#waiting) this.#giveUp(waiting);
  }

  /** A connection can be dead while others are not, and only time tells. */
  #giveUpLate(): void {
    const now = performance.now();
    for (const waiting of this.#waiting) if (waiting.until < now) this.#giveUp(waiting);
  }

  #giveUp(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    waiting.giveUp(silent());
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Any answer will do, also that there are too many connections. */
  async #isThere(): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: times.answer,
      query_timeout: times.answer,
    });
    client.on('error', ignore);
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch (error) {
      return !(error instanceof Error && /timeout/.test(error.message));
    } finally {
      void client.end().catch(ignore);
    }
  }

  close(): void {
    this.#rest();
  }
}

const silent = () => new StorageUnavailable('PostgreSQL does not answer at all.', 'lost');
