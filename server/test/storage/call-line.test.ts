import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { unavailable } from '../../src/kernel/errors.ts';
import { anonymousViewer } from '../../src/kernel/viewer.ts';
import { answerCalls, CallLine, remoteCalls } from '../../src/storage/index.ts';

const viewer = anonymousViewer('anonymous');
const table = { name: async (_context: never, _viewer: unknown, _input: null) => '' };

/** A thread that works for others, as far as they can tell. */
function worker(answer: () => Promise<string>) {
  const { port1, port2 } = new MessageChannel();
  answerCalls<typeof table>(port2, { name: answer });
  return { port: port1, die: () => port2.close() };
}

test('the line to the next thread may be laid before the end of the last one is known', async () => {
  const line = new CallLine({ refusal: () => unavailable('Lost.'), isMended: true });
  const { name } = remoteCalls(line, table);
  const first = worker(() => new Promise(() => {}));
  const second = worker(async () => 'second');
  line.lay(first.port, () => {});
  const lost = name(viewer, null);
  const closed = once(first.port, 'close');
  first.die();
  line.lay(second.port, () => {});
  await expect(lost).rejects.toThrow('Lost.');
  await closed;
  expect(await name(viewer, null)).toBe('second');
  second.die();
});
