import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import { postgresIndex } from './postgres/index.ts';
import type { Fold, SearchIndex, WordsPart } from './search-index.ts';
import { sqliteIndex } from './sqlite/index.ts';

/** The index of the engine that a reader reads: the one place where that is asked. */
export const searchIndexOn = ({ keepsTextParts }: Pick<Reader, 'keepsTextParts'>): SearchIndex =>
  keepsTextParts ? sqliteIndex : postgresIndex;

/** What keeps the derived parts of the index. */
export const searchOperations = {
  storeFold: (tx: Transaction, _: Viewer, fold: Fold) => searchIndexOn(tx).upkeep.storeFold(tx, fold),
  storeWords: (tx: Transaction, _: Viewer, part: WordsPart) => searchIndexOn(tx).upkeep.storeWords(tx, part),
  foldTexts: (tx: Transaction, _: Viewer, __: undefined) => searchIndexOn(tx).upkeep.foldTexts(tx),
  renewBlock: (tx: Transaction, _: Viewer, { block }: { readonly block: number }) =>
    searchIndexOn(tx).upkeep.renewBlock(tx, block),
};
