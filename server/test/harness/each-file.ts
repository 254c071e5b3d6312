import { afterAll } from 'vitest';
import { endLeftovers } from './processes.ts';

// Runs after everything that the file itself does at its end.
afterAll(endLeftovers);
