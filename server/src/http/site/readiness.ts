import { setTimeout as pause } from 'node:timers/promises';
import { second } from '../../kernel/clock.ts';
import { systemViewer } from '../../kernel/viewer.ts';
import type { Services } from '../services.ts';

/** Whoever asks whether the service is ready wants to know it soon. */
const patience = 1.5 * second;
/** A write that succeeded shortly ago need not be repeated for everybody who asks. */
const writeValidity = second;

/** Tells whether this thread can do what it is there for. */
export class Readiness {
  readonly #services: Pick<Services, 'database' | 'operations' | 'door' | 'log'>;
  #canWrite = true;
  #provenAt = Number.NEGATIVE_INFINITY;
  #proof: Promise<void> | undefined;

  constructor(services: Pick<Services, 'database' | 'operations' | 'door' | 'log'>) {
    this.#services = services;
  }

  /** Why the service is not ready; undefined when it is. */
  async fault(): Promise<string | undefined> {
    if (this.#services.door.isDraining) return 'stopping';
    const [isRead] = await Promise.all([this.#canRead(), this.#proveWriting()]);
    if (!isRead) return 'the database does not answer';
    return this.#canWrite ? undefined : 'nothing can be written';
  }

  async #canRead(): Promise<boolean> {
    const { database } = this.#services;
    const reading = database.first(database.sql.selectFrom('migration').select('id').limit(1)).then(
      () => true,
      () => false,
    );
    return within(reading, false);
  }

  /** A write that only waits for its turn is no fault: until it is over, what was known last holds. */
  async #proveWriting(): Promise<void> {
    if (performance.now() - this.#provenAt < writeValidity) return;
    this.#proof ??= this.#write().finally(() => {
      this.#proof = undefined;
    });
    await within(this.#proof, undefined);
  }

  async #write(): Promise<void> {
    try {
      const { database, operations } = this.#services;
      await Promise.all([operations.proveWritable(systemViewer, undefined), database.requireRoom()]);
      this.#canWrite = true;
      this.#provenAt = performance.now();
    } catch (error) {
      if (this.#canWrite) this.#services.log.error({ error: String(error) }, 'nothing can be written');
      this.#canWrite = false;
    }
  }
}

/** What comes of it in time, or something else. */
async function within<T>(work: Promise<T>, otherwise: T): Promise<T> {
  const clock = new AbortController();
  const late = pause(patience, otherwise, { signal: clock.signal }).catch(() => otherwise);
  return Promise.race([work, late]).finally(() => clock.abort());
}
