import { test } from 'vitest';
import { startAndTell } from './start.ts';

test('fails and leaves everything as it is', async () => {
  await startAndTell();
  throw new Error('as expected');
});
