import type { Reader } from '../../../storage/index.ts';
import type { WordBlock } from '../search-index.ts';

/** Characters of words that a thread remembers. */
const mostCharacters = 32_000_000;

/**
 * The words of blocks, which are long, and stay as they are until the block is told anew under another number: the database
 * is asked for them once.
 */
class WordCache {
  readonly #words = new Map<string, string>();
  #characters = 0;

  get(key: string): string | undefined {
    const words = this.#words.get(key);
    if (words === undefined) return undefined;
    // Those that were not asked for the longest time are forgotten first.
    this.#words.delete(key);
    this.#words.set(key, words);
    return words;
  }

  set(key: string, words: string): void {
    this.#characters += words.length - (this.#words.get(key)?.length ?? 0);
    this.#words.set(key, words);
    for (const [oldest, long] of this.#words) {
      if (this.#characters <= mostCharacters) return;
      this.#words.delete(oldest);
      this.#characters -= long.length;
    }
  }
}

const cache = new WordCache();

/** The words of a field in some blocks, where they are known. */
export async function wordBlocks(
  reader: Reader,
  fieldId: number,
  blocks: readonly number[],
): Promise<WordBlock[]> {
  if (blocks.length === 0) return [];
  const told = reader.sql.selectFrom('word_block').where('field_id', '=', fieldId);
  const known = await reader.all(
    told.select(['block', 'build']).where('words', 'is not', null).where('block', 'in', blocks),
  );
  const rows: WordBlock[] = [];
  for (const { block, build } of known) {
    const key = `${fieldId} ${block} ${build}`;
    const remembered = cache.get(key);
    // One by one: all of them together are long.
    const words = remembered ?? (await reader.first(told.select('words').where('block', '=', block)))?.words;
    if (words === undefined || words === null) continue;
    if (remembered === undefined) cache.set(key, words);
    rows.push({ block, words });
  }
  return rows;
}
