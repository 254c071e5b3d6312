/** Rows that belong together under a heading. */
export interface Section {
  readonly key: string;
  readonly count: number;
}

/** What stands at a place of a list with headings. */
export type SectionItem =
  | { readonly kind: 'heading'; readonly section: number }
  | { readonly kind: 'row'; readonly section: number; readonly row: number };

/** A list in which headings stand between rows, and rows below folded headings do not. */
export interface SectionedList {
  readonly length: number;
  at(index: number): SectionItem | undefined;
  /** The place of a row; of its heading where that is folded. */
  indexOfRow(row: number): number;
}

interface Placed {
  /** Where its heading stands. */
  readonly index: number;
  readonly firstRow: number;
  readonly shownRows: number;
  readonly count: number;
}

function place(sections: readonly Section[], folded: ReadonlySet<string>): readonly Placed[] {
  let index = 0;
  let firstRow = 0;
  return sections.map(({ key, count }) => {
    const shownRows = folded.has(key) ? 0 : count;
    const placed = { index, firstRow, shownRows, count };
    index += 1 + shownRows;
    firstRow += count;
    return placed;
  });
}

/** The last of the sorted ones that begins at or before a place. */
function lastUpTo(placed: readonly Placed[], at: number, beginning: (one: Placed) => number): number {
  let [low, high] = [0, placed.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const one = placed[middle];
    if (one !== undefined && beginning(one) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Without sections every place has a row. */
export function sectionedList(
  size: number,
  sections: readonly Section[] | undefined,
  folded: ReadonlySet<string>,
): SectionedList {
  if (sections === undefined || sections.length === 0)
    return {
      length: size,
      at: (index) => (index < size ? { kind: 'row', section: -1, row: index } : undefined),
      indexOfRow: (row) => row,
    };
  const placed = place(sections, folded);
  const last = placed.at(-1);
  const length = last === undefined ? 0 : last.index + 1 + last.shownRows;
  return {
    length,
    at(index) {
      if (index < 0 || index >= length) return undefined;
      const section = lastUpTo(placed, index, (one) => one.index);
      const { index: head = 0, firstRow = 0 } = placed[section] ?? {};
      if (index === head) return { kind: 'heading', section };
      return { kind: 'row', section, row: firstRow + index - head - 1 };
    },
    indexOfRow(row) {
      const {
        index = 0,
        firstRow = 0,
        shownRows = 0,
      } = placed[lastUpTo(placed, row, (one) => one.firstRow)] ?? {};
      return row - firstRow < shownRows ? index + 1 + row - firstRow : index;
    },
  };
}
