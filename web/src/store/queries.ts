import { ApiError } from '@atelier/client';
import { QueryClient } from '@tanstack/react-query';

/** What the way to the server or a busy server may do better a moment later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status === 503;
  return error instanceof TypeError;
}

const half = 30_000;
const fiveMinutes = 300_000;

/** Everything that is known of the server. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: half,
      gcTime: Number.POSITIVE_INFINITY,
      networkMode: 'always',
      retry: (count, error) => count < 3 && mayPass(error),
      retryDelay: (count, error) =>
        error instanceof ApiError && error.retryAfter !== undefined
          ? error.retryAfter * 1000
          : Math.min(500 * 2 ** count, 5000),
      refetchOnReconnect: true,
      refetchOnWindowFocus: ({ state }) => Date.now() - state.dataUpdatedAt > fiveMinutes,
    },
  },
});

/** Longest time that is waited for a page to be whole. */
const patience = 5000;

const isQuiet = () => queries.isFetching() === 0;

/** When all that the page asked for is there and the browser has nothing else to do. */
export async function whenAnswered(): Promise<void> {
  const until = Date.now() + patience;
  do await new Promise<void>((rest) => setTimeout(() => whenIdle(rest), 200));
  while (!isQuiet() && Date.now() < until);
}

/** Safari has no other way than to wait. */
function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => run(), { timeout: 1000 });
  else setTimeout(run, 50);
}
