import { defineConfig } from 'vitest/config';
import usual from '../../../vitest.config.ts';

/** Runs the files beside it, which `server/test/platform/leftovers.test.ts` wants to see fail and hang. */
export default defineConfig({
  ...usual,
  test: { ...usual.test, include: ['server/test/leftovers/{fails,hangs}.ts'] },
});
