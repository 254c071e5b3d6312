import type { VisitedPlace } from '../identity/index.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Operations } from '../operations.ts';

interface Recording {
  /** What is visited while the one before is being written; only the last of it. */
  next: VisitedPlace | undefined;
  readonly done: Promise<void>;
}

/**
 * Writes down which artifacts people read in the web pages. Nobody waits for it, and however much somebody reads, one
 * visit of theirs is written at a time.
 */
export class VisitRecorder {
  readonly #operations: Pick<Operations, 'recordVisit'>;
  readonly #running = new Map<number, Recording>();

  constructor(operations: Pick<Operations, 'recordVisit'>) {
    this.#operations = operations;
  }

  /** Notes a visit by a web session; what programs read is none. */
  note(viewer: Viewer, place: VisitedPlace): void {
    if (viewer.credential.kind !== 'session') return;
    const running = this.#running.get(viewer.userId);
    if (running !== undefined) running.next = place;
    else this.#begin(viewer, place);
  }

  /** Waits until what somebody visited by this thread is written. */
  async settled(userId: number): Promise<void> {
    for (;;) {
      const running = this.#running.get(userId);
      if (running === undefined) return;
      await running.done;
    }
  }

  #begin(viewer: Viewer, place: VisitedPlace): void {
    const written = this.#operations.recordVisit(viewer, { accountId: viewer.userId, place });
    // What cannot be written, because the service stops or only reads, is forgotten: it was never promised.
    const done = written.catch(() => undefined).then(() => this.#goOn(viewer));
    this.#running.set(viewer.userId, { next: undefined, done });
  }

  #goOn(viewer: Viewer): void {
    const next = this.#running.get(viewer.userId)?.next;
    this.#running.delete(viewer.userId);
    if (next !== undefined) this.#begin(viewer, next);
  }
}
