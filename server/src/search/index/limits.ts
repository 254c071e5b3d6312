/** Where one way of looking gets dearer than another. */
export interface Limits {
  /** Artifacts outside the postings up to which these are asked; with more of them, rows alone are quicker. */
  readonly pending: number;
  /** Texts outside the index of parts up to which it is asked. */
  readonly pendingTexts: number;
  /** Texts that may have the parts in them up to which looking at each is quicker than looking at all. */
  readonly candidates: number;
  /** Words of one block with a part in them up to which they are asked; 0: never. */
  readonly words: number;
  /** So few artifacts are looked at one by one, whatever the index. */
  readonly few: number;
  /** So many of those that come first are looked at before all are sorted. */
  readonly sorted: number;
}

export const usualSearchLimits: Limits = {
  pending: 20_000,
  pendingTexts: 40_000,
  candidates: 40_000,
  words: 500,
  few: 5000,
  sorted: 10_000,
};

/** Parts of texts that are shorter than this are in no index. */
export const partLength = 3;
