import { expect, test } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { namedEntries } from '../../src/trackers/lists/list-search.ts';
import type { ComparedValue } from '../../src/trackers/query/search-terms.ts';

const named = (arePeople: boolean, ...values: ComparedValue[]) =>
  namedEntries({ kind: 'list field' }, { name: 'owner' }, values, arePeople);

test('a list is compared with words, and a list of people with the viewer, too', () => {
  const texts: ComparedValue[] = [
    { is: 'text', text: 'alice' },
    { is: 'number', text: '7' },
  ];
  expect(named(false, ...texts)).toEqual({ texts: ['alice', '7'], hasViewer: false });
  expect(named(true, ...texts, { is: 'myself' })).toEqual({ texts: ['alice', '7'], hasViewer: true });
  expect(() => named(false, { is: 'myself' })).toThrow(Refusal);
});

test('a list of people is compared with no other function, nor with one that queries learn later', () => {
  const later: ComparedValue = JSON.parse('{ "is": "everybody" }');
  for (const value of [{ is: 'open' } as const, later])
    expect(() => named(true, { is: 'text', text: 'alice' }, value)).toThrow(Refusal);
});
