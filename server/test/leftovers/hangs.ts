import { test } from 'vitest';
import { startAndTell } from './start.ts';

test('never ends', async () => {
  await startAndTell();
  await new Promise(() => {});
});
