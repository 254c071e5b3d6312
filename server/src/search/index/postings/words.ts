import { blockSize, IdSet } from '../id-set.ts';

/*
 * The words of a field in one block of artifacts. A part of a text that is letters and digits only stands inside one word, so the
 * artifacts that have it are those that have one of the words with it: no text needs to be looked at.
 *
 * They are written a line each. Words that few artifacts have are followed by these, by how far they are from the first of the block;
 * the others have a posting of their own.
 */

const word = /[\p{L}\p{N}]+/gu;
const oneWord = /^[\p{L}\p{N}]+$/u;

/** Whether a part can only stand inside a word. */
export const isInsideWord = (part: string) => oneWord.test(part);

/** Artifacts up to which they are written behind the word. */
const mostInline = 8;
/** Characters of all words of a block; with more of them, as languages without spaces have, texts are looked at instead. */
const mostCharacters = 4_000_000;
/** Artifacts behind all words of a block together, which are held in memory until they are stored. */
const mostPlaces = 16_000_000;

export interface BlockText {
  readonly artifact_id: number;
  readonly text: string;
}

/** What is kept of the words of a block. */
export interface BlockWords {
  /** Null: too many. */
  readonly words: string | null;
  readonly postings: readonly (readonly [word: string, ids: Uint8Array])[];
}

/** A word cut out of a text would keep the whole text in memory. */
const alone = (own: string) => (own.length < 13 ? own : ` ${own}`.slice(1));

/** Gathers the words of the texts of a block. */
export class WordGathering {
  readonly #block: number;
  readonly #offsets = new Map<string, number[]>();
  #characters = 0;
  #places = 0;

  constructor(block: number) {
    this.#block = block;
  }

  /** Whether there are more words, or artifacts behind them, than are kept, however many are still to come. */
  get isTooMuch(): boolean {
    return this.#characters > mostCharacters || this.#places > mostPlaces;
  }

  add(texts: readonly BlockText[]): void {
    const first = this.#block * blockSize;
    for (const { artifact_id, text } of texts) {
      if (this.isTooMuch) return;
      for (const own of new Set(text.match(word))) {
        const known = this.#offsets.get(own);
        this.#places++;
        if (known !== undefined) known.push(artifact_id - first);
        else {
          this.#offsets.set(alone(own), [artifact_id - first]);
          this.#characters += own.length;
        }
      }
    }
  }

  words(): BlockWords {
    return this.isTooMuch ? tooMuch : wordsAt(this.#block, this.#offsets);
  }
}

const tooMuch: BlockWords = { words: null, postings: [] };

function wordsAt(block: number, offsets: ReadonlyMap<string, readonly number[]>): BlockWords {
  const lines: string[] = [];
  const postings: [string, Uint8Array][] = [];
  let characters = 0;
  for (const [own, some] of offsets) {
    const isFew = some.length <= mostInline;
    const line = isFew ? `${own}\t${some.join(',')}` : own;
    lines.push(line);
    characters += line.length;
    if (characters > mostCharacters) return tooMuch;
    if (!isFew) postings.push([own, storedOf(block, some)]);
  }
  return { words: `\n${lines.join('\n')}\n`, postings };
}

const storedOf = (block: number, offsets: readonly number[]): Uint8Array =>
  IdSet.of(offsets.map((offset) => block * blockSize + offset)).stored(block) ?? new Uint8Array();

/** Words with a part in them, and artifacts that stand behind such words. */
export interface WordsFound {
  readonly words: string[];
  readonly offsets: number[];
}

/** Looks through the words of a block; undefined when more than so many of them have a posting. */
export function findWords(words: string, part: string, most: number): WordsFound | undefined {
  const found: WordsFound = { words: [], offsets: [] };
  for (let at = words.indexOf(part); at !== -1; ) {
    const start = words.lastIndexOf('\n', at) + 1;
    const end = words.indexOf('\n', at);
    const [own = '', artifacts] = words.slice(start, end).split('\t');
    // Digits may be found behind a word, too.
    if (at < start + own.length) {
      if (artifacts === undefined) found.words.push(own);
      else found.offsets.push(...artifacts.split(',').map(Number));
    }
    if (found.words.length > most) return undefined;
    at = words.indexOf(part, end);
  }
  return found;
}
