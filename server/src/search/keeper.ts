import { setTimeout as pause } from 'node:timers/promises';
import { commandLineViewer } from '../kernel/viewer.ts';
import type { Calls, Database } from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';
import { prepareFold, storeFold } from './folding.ts';
import { renewBlock } from './renewal.ts';
import { foldTexts, hasTextsToFold } from './text-folding.ts';

/** What keeps the derived parts of the index. */
export const searchOperations = { storeFold, foldTexts, renewBlock };

type Operations = Pick<Calls<typeof searchOperations>, 'storeFold' | 'foldTexts'>;

/** Nobody in particular. */
const platform = commandLineViewer('regular');

/** Folds in what changed, part by part, without keeping anybody waiting. */
export class IndexKeeper {
  readonly #database: Database;
  readonly #trackers: Trackers;
  readonly #operations: Operations;

  constructor(database: Database, trackers: Trackers, operations: Operations) {
    this.#database = database;
    this.#trackers = trackers;
    this.#operations = operations;
  }

  /** Until the postings tell the truth about every artifact. */
  async foldPostings(): Promise<void> {
    if (!this.#database.foldsPostings) return;
    for (;;) {
      const fold = await prepareFold(this.#database, this.#trackers);
      if (fold === undefined) return;
      await this.#operations.storeFold(platform, fold);
    }
  }

  /** Until the parts of every text are known. Writes get as much time as this takes. */
  async foldTexts(): Promise<void> {
    if (!this.#database.foldsPostings || !(await hasTextsToFold(this.#database))) return;
    for (let isMore = true; isMore; ) {
      const begun = performance.now();
      isMore = await this.#operations.foldTexts(platform, undefined);
      await pause(performance.now() - begun);
    }
  }
}
