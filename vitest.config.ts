import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './server/test/harness/longest-first.ts';

if (Number(process.versions.node.split('.')[0]) < 26) {
  throw new Error(
    'The tests need Node 26. Use `npm test -- FILE`, or put node_modules/.bin in front of your PATH.',
  );
}

export default defineConfig({
  test: {
    include: ['server/test/**/*.test.ts', 'bench/test/**/*.test.ts', 'web/test/**/*.test.ts'],
    setupFiles: ['server/test/harness/each-file.ts'],
    globalSetup: ['server/test/harness/global-setup.ts'],
    pool: 'forks',
    // A process for each file would take half a second of it.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Two more than cores, because tests also wait: for disks, for programs, for what happens in the background. Each has a server or
    // two, of a quarter of a gigabyte, and its code to make quick.
    maxWorkers: Math.max(2, Math.min(availableParallelism() + 2, Math.floor(totalmem() / 2 ** 30), 6)),
    execArgv: [
      // Packages of this repository are used from their sources.
      '--conditions=atelier-source',
      // Most of what a test makes is soon thrown away: with more room for it the collector of garbage has less to do.
      '--min-semi-space-size=4',
      '--max-semi-space-size=16',
    ],
    // Node loads the files as they are, as it does for the service.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // For machines that are busy with other things: nothing here should take this long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
