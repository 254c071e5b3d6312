import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

/** A list that is read page by page, as far as it was read. */
export interface Paged<Item> {
  /** Undefined until the first page is there. */
  readonly items: readonly Item[] | undefined;
  readonly size: number | undefined;
  readonly error: Error | null;
  readonly isAsking: boolean;
  readMore(): void;
  askAgain(): void;
}

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly size: number;
}

/** What administrators see is not kept on the device. */
export const notKept = { isKept: false };

/** Reads a list page by page; `every`: how many milliseconds after which what was read is asked for again. */
export function usePaged<Item>(
  queryKey: readonly unknown[],
  read: (offset: number, signal: AbortSignal) => Promise<PageOf<Item>>,
  { every, isOn = true }: { readonly every?: number | false; readonly isOn?: boolean } = {},
): Paged<Item> {
  const query = useInfiniteQuery({
    queryKey,
    enabled: isOn,
    initialPageParam: 0,
    meta: notKept,
    placeholderData: keepPreviousData,
    refetchInterval: every ?? false,
    queryFn: ({ pageParam, signal }): Promise<PageOf<Item>> => read(pageParam, signal),
    getNextPageParam: (last, pages) => {
      const seen = pages.reduce((sum, { items }) => sum + items.length, 0);
      return last.items.length > 0 && seen < last.size ? seen : undefined;
    },
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items),
    size: query.data?.pages[0]?.size,
    error: query.error,
    isAsking: query.isFetching,
    readMore: () => void query.fetchNextPage(),
    askAgain: () => void query.refetch(),
  };
}
