import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import { postgresIndex } from './postgres/index.ts';
import type { Merge, SearchIndex, WordsPart } from './search-index.ts';
import { sqliteIndex } from './sqlite/index.ts';

/** The index of the engine that a reader reads: the one place where that is asked. */
export const searchIndexOn = ({ keepsTextParts }: Pick<Reader, 'keepsTextParts'>): SearchIndex =>
  keepsTextParts ? sqliteIndex : postgresIndex;

/** What keeps the derived parts of the index. */
export const searchOperations = {
  storeMerge: (tx: Transaction, _: Viewer, merge: Merge) => searchIndexOn(tx).upkeep.storeMerge(tx, merge),
  storeWords: (tx: Transaction, _: Viewer, part: WordsPart) => searchIndexOn(tx).upkeep.storeWords(tx, part),
  mergeTexts: (tx: Transaction, _: Viewer, __: undefined) => searchIndexOn(tx).upkeep.mergeTexts(tx),
  renewBlock: (tx: Transaction, _: Viewer, { block }: { readonly block: number }) =>
    searchIndexOn(tx).upkeep.renewBlock(tx, block),
};
