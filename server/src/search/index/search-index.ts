import type { Page } from '../../kernel/paging.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Database, Expression, Reader, SqlBool, Transaction } from '../../storage/index.ts';
import type { Condition, Trackers, TrackerView } from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import type { SearchDeadline } from './deadline.ts';
import type { IdSet } from './id-set.ts';
import type { Limits } from './limits.ts';
import type { LinkedTrackers } from './linked-trackers.ts';
import type { Leaf, Plan, Ranged, SearchScope } from './predicates.ts';
import type { Order, TableOrder } from './sort-order.ts';
import type { SqlPiece } from './sql.ts';

/** Ids of one page, and how many there are in all that the viewer may see. */
export interface IdPage {
  readonly ids: readonly number[];
  readonly size: number;
}

export interface FindingPage extends Page {
  readonly isDescending: boolean;
  /** Milliseconds after which the search is given up. */
  readonly patience?: number;
  /** Other limits than the usual ones. */
  readonly limits?: Limits;
}

export type SearchOptions = Pick<FindingPage, 'patience' | 'limits'>;

/** What is looked for in one tracker. */
export interface Target {
  readonly view: TrackerView;
  readonly condition: Condition;
}

/** A field of a tracker in whose texts something is looked for. */
export interface TextPlace {
  readonly view: TrackerView;
  readonly fieldId: number;
}

/** A few artifacts whose texts have all of some parts, the newest first. */
export interface NewestRequest {
  /** Folded. */
  readonly parts: readonly string[];
  /** Artifacts of one place at the most. */
  readonly most: number;
  /** How many places are looked at. */
  readonly places: number;
}

/** A search on its way: its reads see one state, and it ends in time. */
export interface Finding {
  readonly index: SearchIndex;
  readonly readContext: ReadContext;
  readonly clock: SearchDeadline;
  readonly limits: Limits;
  readonly linkedTrackers: LinkedTrackers;
  /** Artifacts that the postings do not tell the truth about; undefined when they are too many to be asked about one by one. */
  readonly pending: () => Promise<IdSet | undefined>;
  /** What was found on the way and is the same in several trackers. */
  readonly known: Map<string, IdSet>;
}

/** A search in one tracker. */
export interface SearchRun extends Finding {
  readonly scope: SearchScope;
}

export const searchRunIn = (finding: Finding, { view }: Pick<Target, 'view'>): SearchRun => ({
  ...finding,
  scope: { view, viewer: finding.readContext.viewer },
});

/** What merging some artifacts changes: made where nobody waits for it, stored in a moment. */
export interface Merge {
  /** The state that it was made from. */
  readonly revision: number;
  readonly block: number;
  /** Blocks of postings as they shall be; null: gone. */
  readonly postings: readonly (readonly [key: string, ids: Uint8Array | null])[];
  readonly artifacts: readonly (readonly [id: number, ticket: number])[];
}

/** Some of the words of a block, which are stored part by part. */
export interface WordsPart {
  readonly fieldId: number;
  readonly block: number;
  /** The same for all parts of the block, and for no others. */
  readonly build: number;
  readonly isFirst: boolean;
  readonly postings: readonly (readonly [word: string, ids: Uint8Array])[];
  /** With the last part: all words, and what tells which notes they know of. */
  readonly whole?: { readonly words: string | null; readonly tickets: readonly number[] };
}

/** What the derived parts of an index are kept with. */
export interface KeepingDeps {
  readonly database: Database;
  readonly trackers: Trackers;
  readonly operations: {
    storeMerge(viewer: Viewer, merge: Merge): Promise<boolean>;
    mergeTexts(viewer: Viewer, input: undefined): Promise<void>;
    storeWords(viewer: Viewer, part: WordsPart): Promise<boolean>;
  };
}

export interface TextMerging {
  /** Whether nobody writes meanwhile, so that nothing is left to them. */
  readonly isAlone?: boolean;
  readonly stopping?: AbortSignal;
  /** Whether nobody looked yet which words wait to be taken in. */
  readonly isFirst?: boolean;
  /** Texts of a block whose words wait, from which on its words are told anew. */
  readonly leastWaiting?: number;
}

/** A field in a block of artifacts. */
export interface WordPlace {
  readonly fieldId: number;
  readonly block: number;
}

/** A word of a block that has a posting. */
export type PostedWord = readonly [block: number, word: string];

/** A block of a posting. */
export interface StoredPosting {
  readonly key: string;
  readonly block: number;
  readonly ids: Uint8Array;
}

/** The words of a block of a field, as `words.ts` writes them. */
export interface WordBlock {
  readonly block: number;
  readonly words: string;
}

export type TextLeaf = Extract<Leaf, { is: 'containing' | 'file' }>;

/** What an engine does in its own way for postings: its SQL, how texts are looked through, and how it notes what changed. */
export interface PostingsEngine {
  /** Whether the database answers searches by itself where too much waits to be merged. */
  readonly hasOwnAnswers: boolean;
  /** True where the column has one of these numbers. */
  isOneOf(column: SqlPiece, numbers: readonly number[]): Expression<SqlBool>;
  /** A query for pairs of numbers. */
  pairs(pairs: readonly (readonly [number, number])[]): SqlPiece;
  /** Blocks of the postings with these keys. */
  postings(reader: Reader, keys: readonly string[]): Promise<readonly StoredPosting[]>;
  /** The whole number that the text in a column begins with; 0 where there is none. */
  leadingNumber(column: string): string;

  /** True where the column has an artifact that the postings do not tell of. */
  isPending(column: SqlPiece, pending: IdSet): Expression<SqlBool>;
  /** Forgets notes of artifacts that were merged. */
  settle(tx: Transaction, notes: Merge['artifacts']): Promise<void>;
  /** Notes all artifacts of a block. */
  pendBlock(tx: Transaction, block: number): Promise<void>;

  /** Artifacts whose field has the part in its text; maybe more than those within. */
  findContaining(
    searchRun: SearchRun,
    leaf: TextLeaf,
    within: IdSet,
    filled: () => Promise<IdSet>,
  ): Promise<IdSet>;
  /** Artifacts with a comment that the viewer may read and that has the part in its text; maybe of other trackers, too. */
  findCommented(searchRun: SearchRun, part: string, within: IdSet): Promise<IdSet>;

  /** The words of a field, where they are known. */
  wordBlocks(reader: Reader, fieldId: number, blocks: readonly number[]): Promise<readonly WordBlock[]>;
  postedWords(
    reader: Reader,
    fieldId: number,
    words: readonly PostedWord[],
  ): Promise<readonly { readonly block: number; readonly ids: Uint8Array }[]>;
  /** Artifacts whose texts the words of these blocks do not know; undefined when they are more than so many. */
  waitingTexts(
    reader: Reader,
    fieldId: number,
    blocks: readonly number[],
    most: number,
  ): Promise<IdSet | undefined>;
  /** What tells, once the words of a place are stored, which of its notes these know of. */
  wordTickets(reader: Reader, place: WordPlace): Promise<readonly number[]>;
  settleWords(tx: Transaction, place: WordPlace, tickets: readonly number[]): Promise<void>;
  /** Notes the texts of a field in a block. */
  pendWords(tx: Transaction, place: WordPlace): Promise<void>;
}

/**
 * How artifacts are found by what they hold, on one engine. All implementations find the same artifacts and tell their exact
 * number; they may differ in how, and in what they keep for it. Only what the viewer may see is ever found.
 */
export interface SearchIndex {
  /** A page of a target, by id. */
  page(finding: Finding, target: Target, page: FindingPage): Promise<IdPage>;
  /** All ids of a target, in their order. */
  ids(finding: Finding, target: Target): Promise<readonly number[]>;
  /** The next so many behind an id. */
  idsAfter(
    finding: Finding,
    target: Target,
    next: { readonly after: number; readonly limit: number },
  ): Promise<readonly number[]>;
  /** What a plan means in one tracker, as a set. */
  setOf(finding: Finding, view: TrackerView, plan: Plan): Promise<IdSet>;
  /** A page of what is found in any of the targets, in an order of its own. */
  sortedPage(finding: Finding, targets: readonly Target[], order: Order, page: Page): Promise<IdPage>;
  /** A page of one target, sorted by several things. */
  tablePage(finding: Finding, target: Target, order: TableOrder, page: Page): Promise<IdPage>;
  /** Trackers in whose texts, comments and files a part may be; undefined when that is not worth asking. */
  trackersWith(finding: Finding, part: string): Promise<Set<number> | undefined>;
  /** The newest artifacts of a place, whoever may see them; where many texts would have to be looked at, maybe not all. */
  newest(finding: Finding, place: TextPlace, input: NewestRequest): Promise<readonly number[]>;
  /** How instants or days in a range are looked for. */
  planRange(asked: Ranged, view: TrackerView): Plan;

  /** Something changed by which these artifacts are found, texts among it, as `textId` numbers them. In the transaction of the change. */
  noteChanged(tx: Transaction, ids: readonly number[], textIds?: readonly number[]): Promise<void>;
  /** The same for texts alone. */
  noteTexts(tx: Transaction, textIds: readonly number[]): Promise<void>;
  /** For a database whose rows came from elsewhere: nothing is derived from them yet. */
  pendEverything(tx: Transaction): Promise<void>;
  /** Parts of what is derived that can be made anew one by one. */
  blocksInUse(reader: Reader): Promise<number[]>;
  /** Takes in what changed, part by part, in the background. Searches find the same before and after. */
  mergePostings(deps: KeepingDeps, stopping?: AbortSignal): Promise<void>;
  /** Whether as much waits, or as long, that merging it is worth what it costs. */
  isMergeDue(deps: KeepingDeps): Promise<boolean>;
  mergeTexts(deps: KeepingDeps, how: TextMerging): Promise<void>;

  /** What the engine does in its own way for postings. */
  readonly engine: PostingsEngine;
  /** Units of work that keep what is derived. */
  readonly upkeep: {
    storeMerge(tx: Transaction, merge: Merge): Promise<boolean>;
    storeWords(tx: Transaction, part: WordsPart): Promise<boolean>;
    mergeTexts(tx: Transaction): Promise<void>;
    /** Forgets what is derived of one block of artifacts: rows tell until it is merged once more. */
    renewBlock(tx: Transaction, block: number): Promise<void>;
  };
}
