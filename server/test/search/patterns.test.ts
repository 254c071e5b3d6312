import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { foldedPattern, matcherOf } from '../../src/kernel/patterns.ts';
import { fold } from '../../src/kernel/text.ts';
import { anySign } from '../fixtures/text.ts';

const finds = (expression: string, text: string) => matcherOf(foldedPattern(expression))(fold(text));

describe('a regular expression', () => {
  test.each([
    ['crash', 'A CRASH on save'],
    ['CRASH|Böse', 'bose'],
    ['^É.é$', 'ÈTE'],
    ['straße?', 'STRASSE'],
    ['^(ß)+$', 'ssss'],
    ['^ß{2}$', 'SSSS'],
    ['[É]t', 'été'],
    ['^[À-Ü]+$', 'éàü'],
    ['^[A-Z]+$', 'abc'],
    ['^[^É]+$', 'abc'],
    ['^\\p{Lu}\\d$', 'É1'],
    ['^[[:upper:]]\\w$', 'xy'],
    ['^[\\]a]+$', ']A'],
    ['^[]a]+$', ']A'],
    ['^[a\\-z]+$', 'a-z'],
    ['\\x{C9}T\\x45', 'été'],
    ['\\Qa.É+\\E', 'x A.e+'],
    ['a\\.b\\+', 'A.B+'],
    ['(?P<name>X)(?:Y)(?i:Z)', 'xyz'],
    ['e\u0301+', 'éé'],
    ['^Ａ＊$', 'a*'],
    ['1-10', '1-10'],
    ['colou?r', 'the COLOR'],
    ['^$', ''],
  ])('%s is found in %s', (expression, text) => {
    expect(finds(expression, text)).toBe(true);
  });

  test.each([
    ['^a', 'ba'],
    ['a.c', 'a\nc'],
    ['[^É]', 'éé'],
    ['\\x41{2}', 'a'],
    ['＊', 'a'],
    ['[a-c]', 'd'],
  ])('%s is not found in %s', (expression, text) => {
    expect(finds(expression, text)).toBe(false);
  });

  test.each([
    'a(b',
    'a)',
    '[a',
    '[',
    '\\',
    '*',
    'a**',
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(a)\\1',
    '\\k<x>',
    'a{1001}',
    '(a{100}){100}',
    '(a{9}){90}',
    '[z-a]',
    '\\x{110000}',
    '\\p{Nothing}',
    '[[:nothing:]]',
    '('.repeat(1001),
    '(?x)a',
  ])('%s is refused with a reason', (expression) => {
    expect(() => foldedPattern(expression)).toThrow(Refusal);
    expect(() => foldedPattern(expression)).toThrow(/^Invalid regular expression: .+\.$/);
  });

  test('or what looks like one is taken or refused, and nothing else happens', () => {
    const pieces = [
      'a',
      'É',
      'ß',
      '(',
      ')',
      '[',
      ']',
      '^',
      '-',
      '\\',
      'Q',
      'E',
      'x',
      '{',
      '}',
      '1',
      ',',
      '*',
      '?',
      ':',
      'p',
      'L',
      '😀',
    ];
    const anything = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((some) => some.join('')),
      fc.string({ unit: anySign, maxLength: 30 }),
    );
    fc.assert(
      fc.property(anything, anything, (expression, text) => {
        try {
          expect(typeof finds(expression, text)).toBe('boolean');
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
      { numRuns: 1000 },
    );
    expect(() => finds(`${'('.repeat(499)}a${')'.repeat(499)}`, 'a')).toThrow(Refusal);
  });

  test('takes no more time for a text that was made to cost much', () => {
    const text = 'a'.repeat(60_000);
    for (const expression of [
      '(a+)+b',
      '(a|aa)+$b',
      '(.*)(.*)(.*)(.*)[^a]$',
      '(a*)*c',
      '((('.repeat(20) + ')))'.repeat(20),
    ])
      expect(typeof finds(expression, text)).toBe('boolean');
  });
});
