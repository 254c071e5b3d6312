import { setTimeout as pause } from 'node:timers/promises';
import { systemViewer } from '../../kernel/viewer.ts';
import type { Calls, Database } from '../../storage/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import { prepareFold, storeFold } from './merge.ts';
import { renewBlock } from './rebuild.ts';
import { foldTexts, hasTextsToFold } from './text-merge.ts';

/** What keeps the derived parts of the index. */
export const searchOperations = { storeFold, foldTexts, renewBlock };

type Operations = Pick<Calls<typeof searchOperations>, 'storeFold' | 'foldTexts'>;

/** More texts than this make searches slow. */
const manyTexts = 20_000;

interface TextFolding {
  /** Whether nobody writes meanwhile, so that nothing is left to them. */
  readonly isAlone?: boolean;
  readonly stopping?: AbortSignal;
}

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

  /** Goes once through what is pending: what comes meanwhile is gathered for the next time, since each time costs its own. */
  async foldPostings(stopping?: AbortSignal): Promise<void> {
    if (!this.#database.foldsPostings) return;
    for (let after = 0; !stopping?.aborted; ) {
      const fold = await prepareFold(this.#database, this.#trackers, after);
      if (fold === undefined) return;
      await this.#operations.storeFold(systemViewer, fold);
      after = fold.artifacts.at(-1)?.[0] ?? after;
    }
  }

  /** Until the parts of every text are known. Writes get the more time the fewer texts wait, unless there are none. */
  async foldTexts({ isAlone = false, stopping }: TextFolding): Promise<void> {
    if (!this.#database.foldsPostings) return;
    for (let share = await this.#shareForWrites(); share > 0; share = await this.#shareForWrites()) {
      const begun = performance.now();
      await this.#operations.foldTexts(systemViewer, undefined);
      if (!isAlone) await pause(share * (performance.now() - begun), undefined, { signal: stopping });
    }
  }

  /** How much longer than folding texts writes may take; 0 when none is to be folded. */
  async #shareForWrites(): Promise<number> {
    if (!(await hasTextsToFold(this.#database, 0))) return 0;
    return (await hasTextsToFold(this.#database, manyTexts)) ? 0.2 : 9;
  }
}
