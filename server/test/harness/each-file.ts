import { afterAll } from 'vitest';
import { endTakenHosts } from './hosts.ts';
import { endLeftovers } from './processes.ts';

// Runs after everything that the file itself does at its end.
afterAll(async () => {
  await endLeftovers();
  await endTakenHosts();
});
