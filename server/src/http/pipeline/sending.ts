import type { ServerResponse } from 'node:http';
import { second } from '../../kernel/clock.ts';
import { AnswerRoom } from '../limits/index.ts';
import type { Services } from '../services.ts';
import { leastRate } from './arrival.ts';

/** Bytes that are written at once at the most; longer answers leave in parts, as their callers take them. */
export const largestWrite = 256 * 1024;

/** Bytes that the system took of what was written to the connection of an answer. */
function takenOf({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}

/** How one answer leaves: as fast as its caller takes it, and no longer than they take any of it. */
export class Sending {
  readonly #response: ServerResponse;
  readonly #services: Services;
  #room: AnswerRoom | undefined;

  constructor(services: Services, response: ServerResponse) {
    this.#services = services;
    this.#response = response;
  }

  /** What the answer holds while it is made. */
  get room(): AnswerRoom {
    this.#room ??= this.#newRoom();
    return this.#room;
  }

  #newRoom(): AnswerRoom {
    return new AnswerRoom(this.#services.answerMemory, () => this.#giveUp());
  }

  /** Milliseconds that a caller gets to take a part of an answer. */
  get #patience(): number {
    return this.#services.config.sendSeconds * second;
  }

  /** The caller has got headers: from now on the answer can be cut, but not refused. */
  begin(): void {
    this.room.hasBegun = true;
    this.#response.once('close', () => this.done());
  }

  /** Waits until the caller has taken enough of it. One who went away gets nothing more; one who takes nothing is cut. */
  async offer(part: Uint8Array): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.write(part)) return;
    this.room.offered();
    await new Promise<void>((done) => {
      const go = () => {
        stop();
        response.off('drain', go).off('close', go);
        done();
      };
      const stop = this.#giveUpLater();
      response.on('drain', go).on('close', go);
    });
    this.room.taken();
  }

  /** As `offer`, but done only when the bytes are with the system, and their memory can be used for others. */
  handOver(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = this.#giveUpLater();
      this.#response.write(bytes, (error) => {
        stop();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** For what somebody else writes, and waits to be taken: cuts the answer when the caller takes nothing, or next to nothing, of what there is for so long. */
  watch(): void {
    const response = this.#response;
    response.setTimeout(this.#patience, () => {
      if (response.writableLength > 0) this.#giveUp();
    });
    let before = takenOf(response);
    let wasWaiting = false;
    const timer = setInterval(() => {
      const taken = takenOf(response);
      const isWaiting = response.writableLength > 0;
      const isSlow = taken - before < leastRate * this.#services.config.sendSeconds;
      if (isWaiting && wasWaiting && isSlow) this.#giveUp();
      [before, wasWaiting] = [taken, isWaiting];
    }, this.#patience);
    response.once('close', () => clearInterval(timer));
  }

  /** Counts what the caller has not taken yet of an answer that is written, and cuts those who never do. */
  linger(): void {
    const response = this.#response;
    const unsent = response.writableLength;
    if (unsent === 0 || response.destroyed) return;
    const room = this.#newRoom();
    room.hasBegun = true;
    room.hold(unsent);
    room.offered();
    const stop = this.#giveUpLater();
    response.once('close', () => {
      stop();
      room.leave();
    });
  }

  /** Cuts the answer when the time is up, unless it is stopped before. */
  #giveUpLater(): () => void {
    let isStopped = false;
    const giveUp = () => {
      if (!isStopped) this.#giveUp();
    };
    // After whatever has arrived: where this thread was busy, the caller was not slow.
    const timer = setTimeout(() => setImmediate(giveUp), this.#patience);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }

  /** The caller does not take what there is. */
  #giveUp(): void {
    this.#services.metrics.count('answers_cut');
    this.cut();
  }

  /** Breaks the connection, so that nobody takes what they have for the whole. */
  cut(): void {
    const { socket } = this.#response;
    if (socket === null) this.#response.destroy();
    else socket.resetAndDestroy();
  }

  /** Nothing more is made for this answer. */
  done(): void {
    this.#room?.leave();
  }
}
