import { ApiError } from '@atelier/client';
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/** Answers of a busy server, and of a proxy whose server is away. */
const passing = [429, 502, 503, 504];

/** What the way to the server or a busy server may do better a moment later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return passing.includes(error.status);
  return error instanceof TypeError;
}

const half = 30_000;
const fiveMinutes = 300_000;

/**
 * What is asked for the first time is not asked for anew by the library, as an answer to show is better than none: it may be older than
 * what was just stored. Here it is asked for once more after it has come.
 */
class Queries extends QueryClient {
  override async invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    const firsts = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    await super.invalidateQueries(filters, options);
    await Promise.allSettled(firsts.map(({ promise }) => promise));
    await Promise.all(
      firsts.map(({ queryKey }) => super.invalidateQueries({ queryKey, exact: true }, options)),
    );
  }
}

/** Everything that is known of the server. */
export const queries = new Queries({
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

/** Keeps what the answer to a change told. Another answer that is on its way may be older: it is asked for once more. */
export function keepStored<Answer>(queryKey: QueryKey, answer: Answer): void {
  const isAsked = queries.getQueryState(queryKey)?.fetchStatus === 'fetching';
  queries.setQueryData<Answer>(queryKey, answer);
  if (isAsked) void queries.invalidateQueries({ queryKey, exact: true, refetchType: 'all' });
}

/** Longest time that is waited for a page to be whole. */
const patience = 30_000;
/** Looks in a row at which nothing may be under way: between an answer and the next question there is a moment of silence. */
const looks = 3;

/** When the page is there with all that it asked for, and the browser has nothing else to do. */
export async function whenAnswered(isThere: () => boolean = () => true): Promise<void> {
  const until = Date.now() + patience;
  let quiet = 0;
  while (quiet < looks && Date.now() < until) {
    await new Promise<void>((rest) => setTimeout(() => whenIdle(rest), 100));
    quiet = isThere() && queries.isFetching() === 0 ? quiet + 1 : 0;
  }
}

/** When the browser has nothing else to do. Safari has no other way than to wait. */
export function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => run(), { timeout: 1000 });
  else setTimeout(run, 50);
}
