import { useQueries } from '@tanstack/react-query';
import { queries } from './queries.ts';
import { artifactFacet, type Facet, feed, type Known, keyOf, knownThing } from './things.ts';

export interface ListPage<Item, More = undefined> {
  readonly items: readonly Item[];
  /** How many the whole list has. */
  readonly size: number;
  /** What the answer tells beside the items: columns, for example. */
  readonly more?: More | undefined;
}

/** A list of the server: what names it, and how a page of it is read. */
export interface ListSource<Item, More = undefined> {
  /** The path with its parameters in a fixed order: what is asked with the same address is one list. */
  readonly address: string;
  readonly pageSize: number;
  read(offset: number, limit: number, signal: AbortSignal): Promise<ListPage<Item, More>>;
  uriOf(item: Item): string;
  etagOf?(item: Item): string | undefined;
  /** What the items are kept as. */
  readonly facet: Facet<Item>;
}

/** Which items are looked at: `from` up to, not including, `to`. */
export interface ListWindow {
  readonly from: number;
  readonly to: number;
}

interface KeptPage<More> {
  readonly uris: readonly string[];
  readonly size: number;
  readonly more?: More | undefined;
}

export interface List<Item, More = undefined> {
  /** Exact; absent until the first answer. */
  readonly size: number | undefined;
  readonly more: More | undefined;
  /** Absent where it was not read yet. */
  uriAt(index: number): string | undefined;
  itemAt(index: number): Item | undefined;
  readonly error: Error | null;
  readonly isAsking: boolean;
  askAgain(): void;
}

/** The address of a list: its path, and its parameters sorted by name. */
export function listAddress(path: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const sorted = given.sort(([left], [right]) => (left < right ? -1 : 1));
  return `${path}?${sorted.map(([name, value]) => `${name}=${String(value)}`).join('&')}`;
}

/** Whether an item was stored while its page was read, which may have been answered before. */
function isOlder<Item, More>(source: ListSource<Item, More>, item: Item, begun: number): boolean {
  const known = queries.getQueryState<Known<unknown>>(keyOf(source.uriOf(item), artifactFacet));
  return (known?.dataUpdatedAt ?? 0) >= begun && known?.data?.etag !== source.etagOf?.(item);
}

function pageQuery<Item, More>(source: ListSource<Item, More>, page: number) {
  return {
    queryKey: ['list', source.address, source.pageSize, page] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<KeptPage<More>> => {
      const read = () => source.read(page * source.pageSize, source.pageSize, signal);
      const begun = Date.now();
      const first = await read();
      const hasOlder =
        source.etagOf !== undefined && first.items.some((item) => isOlder(source, item, begun));
      // Once: where many change much, rows would never come.
      const { items, size, more } = hasOlder ? await read() : first;
      for (const item of items)
        feed(source.uriOf(item), source.facet, { body: item, etag: source.etagOf?.(item) });
      return { uris: items.map((item) => source.uriOf(item)), size, more };
    },
  };
}

function pagesWithin({ from, to }: ListWindow, pageSize: number): readonly number[] {
  const first = Math.max(0, Math.floor(from / pageSize));
  const last = Math.max(first, Math.ceil(to / pageSize) - 1);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A list with its exact size, filled in page by page where it is looked at. */
export function useList<Item, More = undefined>(
  source: ListSource<Item, More>,
  window: ListWindow = { from: 0, to: source.pageSize },
): List<Item, More> {
  const pages = pagesWithin(window, source.pageSize);
  const answers = useQueries({ queries: pages.map((page) => pageQuery(source, page)) });
  const kept = (page: number) => queries.getQueryData<KeptPage<More>>(pageQuery(source, page).queryKey);
  const uriAt = (index: number) => kept(Math.floor(index / source.pageSize))?.uris[index % source.pageSize];
  const known = answers.find(({ data }) => data !== undefined)?.data ?? kept(0);
  return {
    size: known?.size,
    more: known?.more,
    uriAt,
    itemAt: (index) => {
      const uri = uriAt(index);
      return uri === undefined ? undefined : knownThing(uri, source.facet)?.body;
    },
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    isAsking: answers.some(({ isFetching }) => isFetching),
    askAgain: () => void markListOld(source.address),
  };
}

/** Reads anew what is looked at of a list, and the rest when somebody comes to it. Without an address: all lists. */
export function markListOld(address?: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: address === undefined ? ['list'] : ['list', address] });
}

/** Shows an item of a list at another place, until the list is read again. */
export function moveInList<Item, More>(source: ListSource<Item, More>, from: number, to: number): void {
  const [first, last] = from < to ? [from, to] : [to, from];
  const pages = pagesWithin({ from: first, to: last + 1 }, source.pageSize);
  const kept = pages.map((page) => queries.getQueryData<KeptPage<More>>(pageQuery(source, page).queryKey));
  const uris = kept.flatMap((page) => page?.uris ?? []);
  const begin = (pages[0] ?? 0) * source.pageSize;
  const moved = uris[from - begin];
  if (moved === undefined || kept.some((page) => page === undefined)) return;
  const next = uris.toSpliced(from - begin, 1).toSpliced(to - begin, 0, moved);
  let at = 0;
  for (const [place, page] of pages.entries()) {
    const before = kept[place];
    if (before === undefined) continue;
    const own = next.slice(at, at + before.uris.length);
    at += before.uris.length;
    queries.setQueryData(pageQuery(source, page).queryKey, { ...before, uris: own });
  }
}

/** A list as it is now, of which only the values are shown yet. */
export interface FreshList {
  /** Whether other items are there, or the same elsewhere. */
  readonly hasMoved: boolean;
  /** How many more there are than are shown. */
  readonly more: number;
  /** Shows all of it. */
  show(): void;
}

/** Reads anew what is looked at of a list. Values are seen at once; items come, go and change places when `show` is called. */
export async function readListAgain<Item, More>(source: ListSource<Item, More>): Promise<FreshList> {
  const seen = queries.getQueryCache().findAll({ queryKey: ['list', source.address], type: 'active' });
  const pages = [...new Set(seen.map(({ queryKey }) => Number(queryKey[3])))];
  const read = await Promise.all(
    pages.map(async (page) => {
      const { queryKey, queryFn } = pageQuery(source, page);
      const after = await queryFn({ signal: new AbortController().signal });
      return { queryKey, before: queries.getQueryData<KeptPage<More>>(queryKey), after };
    }),
  );
  const [first] = read;
  return {
    hasMoved: read.some(
      ({ before, after }) => before?.size !== after.size || !isSame(before.uris, after.uris),
    ),
    more: Math.max(0, (first?.after.size ?? 0) - (first?.before?.size ?? 0)),
    show() {
      for (const { queryKey, after } of read) queries.setQueryData(queryKey, after);
    },
  };
}

const isSame = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((uri, index) => uri === right[index]);
