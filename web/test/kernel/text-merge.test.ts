import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isConflict, mergeTexts } from '../../src/kernel/text-merge.ts';

const line = fc.constantFrom('a', 'b', 'c', 'd', '', 'the basket forgets');
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

describe('texts that two people changed', () => {
  test('what only one of them changed is taken', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts(base, changed, base).text).toBe(changed);
        expect(mergeTexts(base, base, changed).text).toBe(changed);
      }),
    );
  });

  test('the same change on both sides is no conflict', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts(base, changed, changed).text).toBe(changed);
      }),
    );
  });

  test('sides can be exchanged: what conflicts and what is merged stays the same', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const [one, other] = [mergeTexts(base, mine, theirs), mergeTexts(base, theirs, mine)];
        expect(other.text).toBe(one.text);
        const turned = other.parts.map((part) =>
          isConflict(part) ? { mine: part.theirs, theirs: part.mine } : part,
        );
        expect(turned).toEqual(one.parts);
      }),
    );
  });

  test('nothing that somebody wrote is lost: choosing one side in every conflict keeps all of its lines', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const { parts } = mergeTexts(base, mine, theirs);
        const lines = parts.flatMap((part) => (isConflict(part) ? part.mine : part));
        const kept = new Set(base.split('\n'));
        for (const own of mine.split('\n')) if (!kept.has(own)) expect(lines).toContain(own);
      }),
    );
  });

  test('changes in distant paragraphs are merged', () => {
    const base = 'one\n\ntwo\n\nthree';
    expect(mergeTexts(base, 'ONE\n\ntwo\n\nthree', 'one\n\ntwo\n\nTHREE').text).toBe('ONE\n\ntwo\n\nTHREE');
  });

  test('both versions stand beside each other where they conflict', () => {
    const merged = mergeTexts('one\ntwo', 'one\nmine', 'one\ntheirs');
    expect(merged.text).toBeUndefined();
    expect(merged.parts).toEqual([['one'], { mine: ['mine'], theirs: ['theirs'] }]);
  });
});
