import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Slots } from './slots.ts';

type Receive = (request: IncomingMessage, response: ServerResponse) => void;

/** How often one looks whether nobody new has come, in milliseconds. */
const lookPause = 5;

/** On a busy machine those who come are as late as one's own looks, and some of them later: so many times as late are waited for. */
const busyTimes = 4;

/** How long what stops takes its time, in milliseconds. */
export interface StopTimes {
  /** For which everybody is still served, so that others can take over. */
  readonly grace: number;
  /** That what runs then has at the most. */
  readonly running: number;
}

/** So long must nobody new come before the listener closes; and so long is that waited for. */
const quietOf = ({ grace }: StopTimes) => ({ quiet: 20 + Math.min(grace / 4, 500), longest: 500 + grace });

/**
 * Where requests come in, and how that ends without anybody being thrown out. First nobody's connection is kept after
 * its answer. Then the listener closes: whoever has connected by then but was not accepted yet would be cut off by the
 * system, so requests are held back until nobody new comes, because those who wait for an answer do not connect again.
 * They are answered when no thread listens any more, so that nobody comes back to one that is about to close.
 */
export class Door {
  /** Answers to requests whose headers have arrived, until they are written. */
  readonly #running = new Slots<ServerResponse>();
  /** Answers that go on until either side ends them. */
  #open = 0;
  #held: (() => void)[] | undefined;
  #lastArrival = 0;
  #isDraining = false;
  #isClosed = false;
  #isLate = false;

  /** The service is about to stop. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Nobody comes any more; what would take long is not begun. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What runs still has not much time left. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** The listener for requests. */
  letIn(receive: Receive): Receive {
    return (request, response) => {
      const place = this.#running.add(response);
      response.once('close', () => this.#running.free(place));
      if (!this.#isDraining) return receive(request, response);
      response.shouldKeepAlive = false;
      this.#lastArrival = performance.now();
      if (this.#held === undefined) receive(request, response);
      else this.#held.push(() => receive(request, response));
    };
  }

  /** An answer that goes on is waited for until it is over, as all others are. */
  keepOpen(connection: { onceOver(act: () => void): void }): void {
    this.#open++;
    connection.onceOver(this.#isOver);
  }

  readonly #isOver = (): void => {
    this.#open--;
  };

  /** Lets everybody in, but for the last time: no connection is kept. */
  drain(server: Server): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const response of this.#running) response.shouldKeepAlive = false;
    server.on('connection', () => {
      this.#lastArrival = performance.now();
    });
  }

  /** Closes the listener. */
  async closeListener(server: Server, times: StopTimes): Promise<void> {
    this.drain(server);
    setTimeout(() => {
      this.#isLate = true;
    }, times.running / 2).unref();
    const { quiet, longest } = quietOf(times);
    this.#held = [];
    const began = performance.now();
    this.#lastArrival = began;
    let lateness = 0;
    for (let now = began; now - this.#lastArrival <= quiet + lateness && now - began <= longest; ) {
      await pause(lookPause);
      const looked = performance.now();
      lateness = Math.max(lateness, busyTimes * (looked - now - lookPause));
      now = looked;
    }
    server.close();
  }

  /** Goes on with those who were held back, and waits for all that runs. */
  async finish(server: Server): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const receive of held) receive();
    this.#isClosed = true;
    // Connections on which nothing runs are closed, whatever their clients may still have in mind.
    while (this.#running.size + this.#open > 0) {
      server.closeIdleConnections();
      await pause(20);
    }
    server.closeAllConnections();
  }
}
