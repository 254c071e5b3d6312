/** Browsers lay out no more than some ten million pixels; a longer list gets a scroll bar that is scaled. */
export const highest = 10_000_000;

export interface RowGeometry {
  readonly count: number;
  /** Of one row, in pixels. */
  readonly height: number;
  /** How much of the list is seen, in pixels. */
  readonly seen: number;
}

/** How high the list is laid out. */
export const laidOutHeight = ({ count, height }: RowGeometry): number => Math.min(count * height, highest);

/** How far the rows go for a pixel of the scroll bar: 1 as long as the list is laid out whole. */
function scale(geometry: RowGeometry): number {
  const { count, height, seen } = geometry;
  const [whole, laidOut] = [count * height - seen, laidOutHeight(geometry) - seen];
  return laidOut <= 0 ? 1 : Math.max(1, whole / laidOut);
}

/** Where the first pixel that is seen lies among all rows. */
export const offsetAt = (geometry: RowGeometry, scrolled: number): number => scrolled * scale(geometry);

/** How far to scroll so that a row is seen at the top; no further than to the end. */
export function scrollFor(geometry: RowGeometry, row: number): number {
  const { count, height, seen } = geometry;
  const furthest = Math.max(0, count * height - seen);
  return Math.min(row * height, furthest) / scale(geometry);
}

/** How far to scroll so that a row is seen, and no further than needed. */
export function scrollToSee(geometry: RowGeometry, row: number, scrolled: number): number {
  const { height, seen } = geometry;
  const offset = offsetAt(geometry, scrolled);
  const [first, last] = [row * height, (row + 1) * height];
  if (first < offset) return scrollFor(geometry, row);
  if (last <= offset + seen) return scrolled;
  return (last - seen) / scale(geometry);
}

export interface PlacedRow {
  readonly index: number;
  /** Where it is laid out. */
  readonly start: number;
}

/** The rows that are seen, and some around them, where they have to be laid out to be seen there. */
export function rowsAt(geometry: RowGeometry, scrolled: number, around: number): readonly PlacedRow[] {
  const { count, height, seen } = geometry;
  const offset = offsetAt(geometry, scrolled);
  const first = Math.max(0, Math.floor(offset / height) - around);
  const last = Math.min(count - 1, Math.ceil((offset + seen) / height) + around);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => ({
    index: first + place,
    start: (first + place) * height - offset + scrolled,
  }));
}
