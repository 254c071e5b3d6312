import { defineConfig } from 'vitest/config';

/** `npm run pictures`: the tools of the tests make the pictures of README and docs. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['web/test/pictures.ts'],
    setupFiles: ['server/test/harness/each-file.ts'],
    globalSetup: ['server/test/harness/global-setup.ts'],
    pool: 'forks',
    execArgv: ['--conditions=atelier-source'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
