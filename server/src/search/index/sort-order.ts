/** Entries of a list, or people, by the place that each has among all of them. */
export type Places = ReadonlyMap<number, number>;

/** Entries of the list of one tracker. */
export interface PlacedList {
  readonly fieldId: number;
  readonly places: Places;
}

/** By what artifacts are sorted; the fields of trackers by the ids of the trackers. Those that are alike come by id, the newest first. */
export type Key =
  | { readonly by: 'id' }
  | { readonly by: 'fact'; readonly fact: 'submittedOn' | 'modifiedOn' }
  | { readonly by: 'measure' | 'text'; readonly fields: ReadonlyMap<number, number> }
  | { readonly by: 'list'; readonly lists: ReadonlyMap<number, PlacedList> }
  | {
      readonly by: 'person';
      readonly who: 'submitter' | 'editor';
      readonly people: ReadonlyMap<number, Places>;
    };

export interface Order {
  readonly key: Key;
  readonly isDescending: boolean;
}

/** The newest first. */
export const newestFirst: Order = { key: { by: 'id' }, isDescending: true };
