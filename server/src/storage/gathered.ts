import type { Engine } from './engine.ts';
import { type Executable, isScript, type Row, type Session } from './session.ts';

/** Statements of one group at the most. */
const mostAtOnce = 64;

interface Asked {
  readonly statement: Executable;
  found(rows: Row[]): void;
  failed(error: unknown): void;
}

/**
 * Reads of several pieces of work that go on side by side. Whatever they ask for before others get their turn goes over the network as one group on
 * one connection: they get on in step, and both sides write and wake up once for all of them. A slow read holds up those of its
 * group, so this is for work that nobody waits for, and for reads of which all are needed.
 */
export class GatheredReads implements Session {
  readonly #engine: Engine;
  #asked: Asked[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  all(statement: Executable): Promise<Row[]> {
    if (isScript(statement)) return this.#engine.all(statement);
    const { promise, resolve: found, reject: failed } = Promise.withResolvers<Row[]>();
    this.#asked.push({ statement, found, failed });
    if (this.#asked.length === 1) process.nextTick(() => this.#send());
    if (this.#asked.length === mostAtOnce) this.#send();
    return promise;
  }

  run(statement: Executable): Promise<number> {
    return this.#engine.run(statement);
  }

  write(statement: Executable): Promise<void> {
    return this.#engine.write(statement);
  }

  #send(): void {
    const asked = this.#asked;
    this.#asked = [];
    if (asked.length > 0) void this.#answer(asked);
  }

  async #answer(asked: readonly Asked[]): Promise<void> {
    try {
      const answers = await this.#engine.allOf(asked.map(({ statement }) => statement));
      for (const [index, { found }] of asked.entries()) found(answers[index] ?? []);
    } catch {
      // One that fails takes those behind it along: each is told what comes of its own.
      for (const { statement, found, failed } of asked) this.#engine.all(statement).then(found, failed);
    }
  }
}
