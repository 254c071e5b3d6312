/** Where cards are put: a column, a lane, and next to which card. */
export interface Spot {
  readonly column: string;
  readonly lane: string;
  /** The card that comes after it; undefined at the end. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A card that was put elsewhere than where the server last told it to be. */
export interface Move extends Spot {
  readonly uri: string;
}

/** What the server told of a column. */
export interface ToldColumn {
  readonly id: string;
  readonly uris: readonly string[];
  /** Of all, also those that were not read. */
  readonly size: number;
}

export interface Arranged {
  readonly id: string;
  readonly uris: readonly string[];
  readonly size: number;
}

const insert = (uris: readonly string[], { uri, before, after }: Move): readonly string[] => {
  const next = before === undefined ? -1 : uris.indexOf(before);
  if (next >= 0) return uris.toSpliced(next, 0, uri);
  const last = after === undefined ? -1 : uris.indexOf(after);
  return last >= 0
    ? uris.toSpliced(last + 1, 0, uri)
    : before === undefined
      ? [...uris, uri]
      : [uri, ...uris];
};

/**
 * The columns as they are seen: each card once, in the column that its value says, and where somebody has put it. Sizes follow the cards
 * that came and went, so that they are exact before the server has said so.
 */
export function arranged(
  told: readonly ToldColumn[],
  columnOf: (uri: string) => string | undefined,
  moves: readonly Move[],
): readonly Arranged[] {
  const ids = new Set(told.map(({ id }) => id));
  const toldIn = new Map(told.flatMap(({ id, uris }) => uris.map((uri) => [uri, id] as const)));
  const seen = new Map<string, readonly string[]>(told.map(({ id }) => [id, []]));
  const strays: [string, string][] = [];
  const put = (column: string, change: (uris: readonly string[]) => readonly string[]) =>
    seen.set(column, change(seen.get(column) ?? []));
  for (const [uri, id] of toldIn) {
    const column = columnOf(uri) ?? id;
    if (column === id) put(id, (uris) => [...uris, uri]);
    else if (ids.has(column)) strays.push([column, uri]);
  }
  for (const [column, uri] of strays) put(column, (uris) => [uri, ...uris]);
  for (const move of moves) {
    if (!ids.has(move.column)) continue;
    for (const { id } of told)
      put(id, (uris) => (uris.includes(move.uri) ? uris.filter((uri) => uri !== move.uri) : uris));
    put(move.column, (uris) => insert(uris, move));
  }
  return told.map(({ id, uris, size }) => {
    const now = seen.get(id) ?? [];
    const here = new Set(now);
    const gone = uris.filter((uri) => !here.has(uri)).length;
    const come = now.filter((uri) => toldIn.get(uri) !== id).length;
    return { id, uris: now, size: size - gone + come };
  });
}
