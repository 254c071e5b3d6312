import pg from 'pg';
import { systemCodeOf } from '../kernel/system-faults.ts';

/** The server gives no connection more, to anybody or to this role. */
const tooMany = '53300';

/** Milliseconds for which a pool leaves it at the connections that it got. */
const contentment = 10_000;

/**
 * Connections of one thread. Where the server gives fewer than are wanted, those that there are do: whoever wants one waits for it as if the
 * pool were full, and every now and then one more is asked for.
 */
export class PostgresPool {
  readonly #pool: pg.Pool;
  readonly #wanted: number;
  /** Those that the server gave and that are not closed. */
  #open = 0;
  #askAgainAt = 0;

  constructor(options: pg.PoolConfig & { readonly max: number }) {
    this.#wanted = options.max;
    this.#pool = new pg.Pool(options);
    // A connection that the server ends, idle or not, is replaced at the next use; without a listener it would end us.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => {
      this.#open++;
      client.on('error', () => {});
    });
    this.#pool.on('remove', () => {
      this.#open--;
    });
  }

  async connect(): Promise<pg.PoolClient> {
    const { options } = this.#pool;
    if (options.max < this.#wanted && performance.now() > this.#askAgainAt) options.max = this.#wanted;
    for (;;) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (systemCodeOf(error) !== tooMany || this.#open === 0) throw error;
        options.max = this.#open;
        this.#askAgainAt = performance.now() + contentment;
      }
    }
  }

  get use(): { readonly used: number; readonly idle: number; readonly awaited: number } {
    const { totalCount, idleCount: idle, waitingCount: awaited } = this.#pool;
    return { used: totalCount - idle, idle, awaited };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
