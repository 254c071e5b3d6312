/** A look for a few things by words that their names have. */
export interface QuickSearch {
  /** Folded; all of them must be there. */
  readonly words: readonly string[];
  /** Undefined: anywhere. */
  readonly projectId?: number | undefined;
  /** Ids of what the viewer likes or visited, the best first. */
  readonly preferred: readonly number[];
  readonly limit: number;
}

/** The preferred ones in their order, then the others in theirs. */
export function preferredFirst<Thing extends { readonly id: number }>(
  things: readonly Thing[],
  preferred: readonly number[],
): Thing[] {
  const places = new Map(preferred.map((id, place) => [id, place]));
  const placeOf = ({ id }: Thing) => places.get(id) ?? places.size;
  return things.toSorted((left, right) => placeOf(left) - placeOf(right));
}
