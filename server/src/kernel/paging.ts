/** Which part of a collection is asked for. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** A page of what this viewer may see, and how much there is of it in all. */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly size: number;
}

/** Cuts a page out of a collection that is small enough to be held whole. */
export function slice<T>(all: readonly T[], { limit, offset }: Page): Slice<T> {
  return { items: all.slice(offset, offset + limit), size: all.length };
}
