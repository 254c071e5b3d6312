import { expect, test } from 'vitest';
import { Places } from '../../src/kernel/places.ts';

const minute = 60_000;

/** Work that goes on until it is told to end. */
function endless(places: Places) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (who: string, what: string) =>
    places.run(who, async () => {
      begun.push(what);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const endFirst = async () => {
    ends.shift()?.();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { begun, ask, endFirst };
}

test('whoever takes all that is for one person waits, and others do not', async () => {
  const places = new Places({ all: 4, ofOne: 2, waitingOfOne: 10, patience: minute });
  const { begun, ask, endFirst } = endless(places);
  const asked = ['a1', 'a2', 'a3', 'a4'].map((what) => ask('a', what));
  asked.push(ask('b', 'b1'));
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  expect(places.awaited).toBe(2);
  await endFirst();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  await endFirst();
  for (let left = 0; left < 3; left++) await endFirst();
  await Promise.all(asked);
  expect(places.awaited).toBe(0);
});

test('those who wait have turns, one after the other', async () => {
  const places = new Places({ all: 1, ofOne: 1, waitingOfOne: 10, patience: minute });
  const { begun, ask, endFirst } = endless(places);
  const all = [
    ask('a', 'a1'),
    ask('a', 'a2'),
    ask('a', 'a3'),
    ask('b', 'b1'),
    ask('c', 'c1'),
    ask('b', 'b2'),
  ];
  for (const _ of all) await endFirst();
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('whoever waits for too long, or for too much, is told so, and takes no place', async () => {
  const places = new Places({ all: 1, ofOne: 1, waitingOfOne: 2, patience: 20 });
  const { begun, ask, endFirst } = endless(places);
  const first = ask('a', 'a1');
  const late = [ask('a', 'a2'), ask('a', 'a3')];
  await expect(ask('a', 'a4')).rejects.toThrow('so much to do');
  for (const one of late) await expect(one).rejects.toThrow('so much to do');
  const last = ask('b', 'b1');
  await endFirst();
  await endFirst();
  await Promise.all([first, last]);
  expect(begun).toEqual(['a1', 'b1']);
});

test('work that fails gives its place back', async () => {
  const places = new Places({ all: 1, ofOne: 1, waitingOfOne: 2, patience: minute });
  await expect(places.run('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await places.run('a', async () => 'yes')).toBe('yes');
});
