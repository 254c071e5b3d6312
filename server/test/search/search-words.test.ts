import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from '../../src/search/index/id-set.ts';
import {
  type BlockText,
  findWords,
  isInsideWord,
  WordGathering,
} from '../../src/search/index/postings/words.ts';

const block = 2;
const first = block * 32_768;
const letters = fc.constantFrom(
  'a',
  'b',
  'é',
  '1',
  '2',
  '日',
  '😀',
  '𝒳',
  ' ',
  '-',
  ',',
  '\n',
  '\t',
  '\u0001',
);
const text = fc.array(letters, { maxLength: 12 }).map((some) => some.join(''));

/** By two halves, as long texts are read. */
function wordsOf(of: number, texts: readonly BlockText[]) {
  const gathering = new WordGathering(of);
  const half = Math.floor(texts.length / 2);
  for (const some of [texts.slice(0, half), texts.slice(half)]) gathering.add(some);
  return gathering.words();
}

test('the words of a block tell who has a part that stands inside a word', () => {
  const texts = fc.array(text, { maxLength: 30 });
  fc.assert(
    fc.property(texts, text, (all, part) => {
      const sought = part.replaceAll(/[\s,-]/g, '').slice(0, 2);
      fc.pre(isInsideWord(sought));
      const rows = all.map((own, index) => ({ artifact_id: first + index, text: own }));
      const { words, postings } = wordsOf(block, rows);
      const stored = new Map(postings);
      const some = findWords(words ?? '', sought, 1000);
      const found = new IdSet();
      found.addOffsets(block, Uint16Array.from(some?.offsets ?? []));
      for (const word of some?.words ?? []) found.addStored(block, stored.get(word) ?? new Uint8Array());
      const expected = rows.filter(({ text: own }) => own.includes(sought));
      expect(found.all()).toEqual(expected.map(({ artifact_id }) => artifact_id));
    }),
    { numRuns: 5000 },
  );
});

test('parts with anything but letters and digits may stand between words', () => {
  expect(['page', 'été', '42', '日本'].every(isInsideWord)).toBe(true);
  expect(['', 'a b', 'a-b', '100%', '\ud83d', '"'].some(isInsideWord)).toBe(false);
});

test('words that are too many are not asked, nor kept where they are too long', () => {
  const texts = Array.from({ length: 20 }, (_, index) => ({
    artifact_id: first + index,
    text: 'one two three',
  }));
  const { words } = wordsOf(block, texts);
  expect(findWords(words ?? '', 'o', 1)).toBeUndefined();
  expect(findWords(words ?? '', 'o', 2)?.words.toSorted()).toEqual(['one', 'two']);
  const long = texts.map(({ artifact_id }) => ({ artifact_id, text: String(artifact_id).repeat(50_000) }));
  expect(wordsOf(block, long)).toEqual({ words: null, postings: [] });
});
