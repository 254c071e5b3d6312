/** Something that the server found by its name. */
export interface FoundPlace {
  readonly uri: string;
  readonly label: string;
  readonly detail: string;
  readonly color: string | null;
  readonly to: string;
}

/** What the server finds by the words of the palette. */
export function useQuickSearch(_words: string): Readonly<Partial<Record<string, readonly FoundPlace[]>>> {
  return {};
}
