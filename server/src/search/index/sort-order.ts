import type { Fact, TrackerView } from '../../trackers/index.ts';

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

/** What the artifacts of one tracker are sorted by. Those without it come last, whatever the direction. */
export type TableKey =
  | { readonly by: 'fact'; readonly fact: Fact }
  | { readonly by: 'measure' | 'text'; readonly fieldId: number }
  /** The parent that rows show; `views`: how the viewer sees the trackers that parents can be in. */
  | { readonly by: 'parent'; readonly views: readonly TrackerView[] }
  /** Of several values the one with the first place counts. */
  | { readonly by: 'list'; readonly fieldId: number; readonly isMultiple: boolean; readonly places: Places }
  | { readonly by: 'person'; readonly who: 'submitter' | 'editor'; readonly places: Places };

export interface TableSort {
  readonly key: TableKey;
  readonly isDescending: boolean;
}

/** Sorted by several things, those that are alike in all of them by ascending id. */
export type TableOrder = readonly TableSort[];

/** Whether it is the order of ids, one way or the other: `undefined` for any other order. */
export function directionOfIds([first]: TableOrder): { readonly isDescending: boolean } | undefined {
  if (first === undefined) return { isDescending: false };
  const { key, isDescending } = first;
  return key.by === 'fact' && key.fact === 'id' ? { isDescending } : undefined;
}
