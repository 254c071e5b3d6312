import { describe, expect, test } from 'vitest';
import { differs, eachPerson, type PersonFacts, withPeople } from '../../src/kernel/people.ts';

const ada = { id: 2, display_name: 'Ada (ada)', avatar_url: '/a.png', real_name: 'Ada' };
const answer = {
  id: 42,
  by: ada,
  rows: [
    { cells: { owner: { value: [{ id: 2, display_name: 'Ada (ada)', avatar_url: '/a.png' }] } } },
    { n: 1 },
  ],
};

describe('people inside answers', () => {
  test('are found wherever they stand', () => {
    const found: PersonFacts[] = [];
    eachPerson(answer, (person) => found.push(person));
    expect(found.map(({ id }) => id)).toEqual([2, 2]);
  });

  test('differ only where both tell something', () => {
    const { real_name: _, ...fewer } = ada;
    expect(differs(ada, fewer)).toBe(false);
    expect(differs(ada, { ...ada, real_name: null })).toBe(false);
    expect(differs(ada, { ...fewer, display_name: 'Ada L. (ada)' })).toBe(true);
  });

  test('get their new names, and what has none of them stays the same object', () => {
    const known = new Map([[2, { ...ada, display_name: 'Ada L. (ada)', real_name: 'Ada L.' }]]);
    const next = withPeople(answer, known);
    expect(next.by).toEqual({ ...ada, display_name: 'Ada L. (ada)', real_name: 'Ada L.' });
    expect(next.rows[0]?.cells?.owner.value).toEqual([
      { id: 2, display_name: 'Ada L. (ada)', avatar_url: '/a.png' },
    ]);
    expect(next.rows[1]).toBe(answer.rows[1]);
    expect(withPeople(next, known)).toBe(next);
    expect(answer.by.real_name).toBe('Ada');
  });
});
