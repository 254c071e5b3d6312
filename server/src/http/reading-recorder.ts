import type { Viewer } from '../kernel/viewer.ts';
import { isUnread } from '../notify/index.ts';
import type { Operations } from '../operations.ts';
import type { Database } from '../storage/index.ts';

/** Whoever looks at an artifact in the web pages has read what they were told of it. Nobody waits for that to be written. */
export class ReadingRecorder {
  readonly #database: Database;
  readonly #operations: Pick<Operations, 'readNotification'>;
  readonly #running = new Map<number, Set<Promise<void>>>();

  constructor(database: Database, operations: Pick<Operations, 'readNotification'>) {
    this.#database = database;
    this.#operations = operations;
  }

  /** Notes a reading by a web session; what programs read is none. */
  note(viewer: Viewer, artifactId: number): void {
    if (viewer.credential.kind !== 'session') return;
    const { userId } = viewer;
    const running = this.#running.get(userId) ?? new Set();
    this.#running.set(userId, running);
    // What cannot be written, because the service stops or only reads, stays unread.
    const written = this.#write(viewer, artifactId)
      .catch(() => undefined)
      .then(() => {
        running.delete(written);
        if (running.size === 0) this.#running.delete(userId);
      });
    running.add(written);
  }

  /** Waits until what somebody read by this thread is written. */
  async settled(userId: number): Promise<void> {
    await Promise.all(this.#running.get(userId) ?? []);
  }

  async #write(viewer: Viewer, artifactId: number): Promise<void> {
    if (await isUnread(this.#database, viewer.userId, artifactId))
      await this.#operations.readNotification(viewer, { artifactId });
  }
}
