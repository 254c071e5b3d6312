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
