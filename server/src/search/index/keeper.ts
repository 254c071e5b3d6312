import type { Reader, Transaction } from '../../storage/index.ts';
import { searchIndexOn } from './engines.ts';
import type { KeepingDeps, SearchIndex, TextFolding } from './search-index.ts';

/** Folds in what changed, part by part, without keeping anybody waiting. */
export class IndexKeeper {
  readonly #deps: KeepingDeps;
  readonly #index: SearchIndex;
  #hasFolded = false;

  constructor(deps: KeepingDeps) {
    this.#deps = deps;
    this.#index = searchIndexOn(deps.database);
  }

  foldPostings(stopping?: AbortSignal): Promise<void> {
    return this.#index.foldPostings(this.#deps, stopping);
  }

  /** The same once it is worth it. */
  async foldPostingsInTime(stopping: AbortSignal): Promise<void> {
    if (await this.#index.isFoldDue(this.#deps)) await this.foldPostings(stopping);
  }

  foldTexts(how: TextFolding): Promise<void> {
    const isFirst = !this.#hasFolded;
    this.#hasFolded = true;
    return this.#index.foldTexts(this.#deps, { isFirst, ...how });
  }
}

/** For a database whose rows came from elsewhere: nothing is derived from them yet. */
export const pendEverything = (tx: Transaction) => searchIndexOn(tx).pendEverything(tx);

/** Parts of what is derived from rows that can be made anew one by one. */
export const blocksInUse = (reader: Reader) => searchIndexOn(reader).blocksInUse(reader);
