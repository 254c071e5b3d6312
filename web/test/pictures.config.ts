import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** `npm run pictures`: the tools of the tests make the pictures of README and docs. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['atelier-source', ...defaultServerConditions] } },
  test: {
    include: ['web/test/pictures.ts'],
    setupFiles: ['server/test/harness/each-file.ts'],
    globalSetup: ['server/test/harness/global-setup.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
