import type { Reader, Transaction } from '../../storage/index.ts';
import { searchIndexOn } from './engines.ts';
import type { KeepingDeps, SearchIndex, TextMerging } from './search-index.ts';

/** Merges what changed, part by part, without keeping anybody waiting. */
export class IndexKeeper {
  readonly #deps: KeepingDeps;
  readonly #index: SearchIndex;
  #hasMerged = false;

  constructor(deps: KeepingDeps) {
    this.#deps = deps;
    this.#index = searchIndexOn(deps.database);
  }

  mergePostings(stopping?: AbortSignal): Promise<void> {
    return this.#index.mergePostings(this.#deps, stopping);
  }

  /** The same once it is worth it. */
  async mergePostingsInTime(stopping: AbortSignal): Promise<void> {
    if (await this.#index.isMergeDue(this.#deps)) await this.mergePostings(stopping);
  }

  mergeTexts(how: TextMerging): Promise<void> {
    const isFirst = !this.#hasMerged;
    this.#hasMerged = true;
    return this.#index.mergeTexts(this.#deps, { isFirst, ...how });
  }
}

/** For a database whose rows came from elsewhere: nothing is derived from them yet. */
export const pendEverything = (tx: Transaction) => searchIndexOn(tx).pendEverything(tx);

/** Parts of what is derived from rows that can be made anew one by one. */
export const blocksInUse = (reader: Reader) => searchIndexOn(reader).blocksInUse(reader);
