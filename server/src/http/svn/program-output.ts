import { once } from 'node:events';
import { second } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { RepositoryView } from '../../svn/index.ts';

type Program = ReturnType<RepositoryView['open']>;

/** How long a program may say nothing: it compares line by line, and with some files it is not done in hours. */
const usualPatience = 60 * second;

const cutMark = '\n\n(The rest is left out: there is too much of it.)\n';

/** Nothing else stops one in the middle of a comparison, and it only reads. */
const end = (program: Program) => program.kill('SIGKILL');

async function* none(): AsyncGenerator<Uint8Array> {}

/** What a program says while it says it, and no more of one that is silent for too long. */
async function* heard(program: Program, patience: number): AsyncGenerator<Uint8Array> {
  const parts = (program.stdout ?? none())[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => end(program), patience);
    const { value, done } = await parts.next().finally(() => clearTimeout(timer));
    if (done === true) return;
    yield value;
  }
}

async function ended(program: Program): Promise<void> {
  const isOver = program.exitCode !== null || program.signalCode !== null;
  if (!isOver) await once(program, 'exit');
}

/** What a program of Subversion says, for one answer. */
export class ProgramOutput {
  /** What it said first: by this the answer is described. */
  readonly first: Uint8Array;
  readonly #program: Program;
  readonly #rest: AsyncIterable<Uint8Array>;

  private constructor(program: Program, first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
    this.#program = program;
    this.first = first;
    this.#rest = rest;
  }

  /** Waits for the first words of a program, or for its end. */
  static async of(program: Program, patience = usualPatience): Promise<ProgramOutput> {
    const parts = heard(program, patience);
    const { value: first = new Uint8Array() } = await parts.next();
    if (first.length === 0) await ended(program);
    if (first.length === 0 && program.exitCode !== 0)
      throw unavailable('This takes Subversion too long. Ask for less of the repository.', {
        cause: `A program of Subversion ended without a word: ${program.signalCode ?? program.exitCode}.`,
      });
    return new ProgramOutput(program, first, parts);
  }

  async *#all(): AsyncGenerator<Uint8Array> {
    if (this.first.length > 0) yield this.first;
    yield* this.#rest;
  }

  /** Up to so many bytes. */
  upTo(most: number) {
    return { pour: (take: (bytes: Uint8Array) => Promise<void>) => this.#pour(most, take) };
  }

  async #pour(most: number, take: (bytes: Uint8Array) => Promise<void>): Promise<void> {
    let length = 0;
    try {
      for await (const bytes of this.#all()) {
        length += bytes.length;
        await take(length > most ? bytes.subarray(0, Math.max(0, bytes.length - (length - most))) : bytes);
        if (length > most) return await take(Buffer.from(cutMark));
      }
      await ended(this.#program);
      if (this.#program.exitCode !== 0) throw new Error('A program of Subversion failed in the middle.');
    } finally {
      end(this.#program);
    }
  }
}
