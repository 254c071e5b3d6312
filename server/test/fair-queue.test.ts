import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairQueue } from '../src/threads/fair-queue.ts';

/** A queue with a protocol of what was done in which order. */
function recorded(patience = 60_000) {
  const queue = new FairQueue(patience);
  const done: string[] = [];
  const ask = (who: number, what: string) =>
    queue.run(who, async () => {
      done.push(`${what} begins`);
      await nextTurn();
      done.push(what);
      return what;
    });
  return { queue, done, ask };
}

test('one thing at a time, of everybody in turn', async () => {
  const { done, ask } = recorded();
  const asked = [ask(1, 'a1'), ask(1, 'a2'), ask(1, 'a3'), ask(2, 'b1'), ask(3, 'c1'), ask(2, 'b2')];
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
  const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'];
  expect(done).toEqual(order.flatMap((what) => [`${what} begins`, what]));
});

test('a fault is told to whoever asked, and others get their turn', async () => {
  const { queue, ask } = recorded();
  const failing = queue.run(1, () => Promise.reject(new Error('broken')));
  const others = [ask(1, 'a'), ask(2, 'b')];
  await expect(failing).rejects.toThrow('broken');
  expect(await Promise.all(others)).toEqual(['a', 'b']);
  expect(await ask(1, 'again')).toBe('again');
});

test('what waited for too long does not begin', async () => {
  const { done, ask } = recorded(-1);
  await expect(ask(1, 'late')).rejects.toThrow('did not begin');
  expect(done).toEqual([]);
});
