import { expect, test } from 'vitest';
import { arranged, type ToldColumn } from '../../src/board/arrange.ts';

const told: readonly ToldColumn[] = [
  { id: 'open', uris: ['a', 'b', 'c'], size: 30 },
  { id: 'done', uris: ['d'], size: 1 },
];
const columnOf =
  (changed: Readonly<Record<string, string>> = {}) =>
  (uri: string) =>
    changed[uri] ?? told.find(({ uris }) => uris.includes(uri))?.id;
const seen = (...given: Parameters<typeof arranged>) =>
  arranged(...given).map(({ id, uris, size }) => [id, uris.join(''), size]);

test('cards stand as the server told them, with its sizes', () => {
  expect(seen(told, columnOf(), [])).toEqual([
    ['open', 'abc', 30],
    ['done', 'd', 1],
  ]);
});

test('a card whose value was changed stands in the other column, and both sizes follow', () => {
  expect(seen(told, columnOf({ b: 'done' }), [])).toEqual([
    ['open', 'ac', 29],
    ['done', 'bd', 2],
  ]);
});

test('a card stands where somebody put it, before and after the server has said so', () => {
  const move = { uri: 'a', column: 'done', lane: '', after: 'd' };
  const wanted = [
    ['open', 'bc', 29],
    ['done', 'da', 2],
  ];
  expect(seen(told, columnOf(), [move])).toEqual(wanted);
  expect(seen(told, columnOf({ a: 'done' }), [move])).toEqual(wanted);
  const after: readonly ToldColumn[] = [
    { id: 'open', uris: ['b', 'c'], size: 29 },
    { id: 'done', uris: ['a', 'd'], size: 2 },
  ];
  const byNow = (uri: string) => after.find(({ uris }) => uris.includes(uri))?.id;
  expect(seen(after, byNow, [move])).toEqual(wanted);
});

test('the last of several moves counts, and a neighbour that is gone puts it at an end', () => {
  const moves = [
    { uri: 'a', column: 'done', lane: '', before: 'd' },
    { uri: 'a', column: 'open', lane: '', before: 'gone' },
    { uri: 'd', column: 'open', lane: '' },
  ];
  expect(seen(told, columnOf(), moves)).toEqual([
    ['open', 'abcd', 31],
    ['done', '', 0],
  ]);
});

test('a value without a column takes the card away', () => {
  expect(seen(told, columnOf({ a: 'elsewhere' }), [])).toEqual([
    ['open', 'bc', 29],
    ['done', 'd', 1],
  ]);
});
