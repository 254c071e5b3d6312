import { vi } from 'vitest';

/** Waits until what is expected is so. The limit ends what hangs: a busy machine may take its time. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 240_000, interval: 50 });
