import { type RefObject, useEffect, useRef, useState } from 'react';
import { leadingCells } from './row.tsx';
import type { TableRows } from './table-rows.ts';

/** The place of the cell that has the focus: a row, and a cell of it. */
export interface Spot {
  readonly place: number;
  readonly cell: number;
}

/** The cell that an element is in. */
export function spotOf(target: EventTarget): Spot | undefined {
  const { place, cell } =
    (target instanceof Element && target.closest<HTMLElement>('[data-cell]')?.dataset) || {};
  return place === undefined ? undefined : { place: Number(place), cell: Number(cell) };
}

/** Scrolls to a cell and gives it the focus once it is there. */
function useFocus(
  scroller: RefObject<HTMLDivElement | null>,
  { rows, items }: TableRows,
  edited: number | undefined,
) {
  const wanted = useRef<Spot>(undefined);
  useEffect(() => {
    const spot = wanted.current;
    if (spot === undefined) return;
    const selector = `[data-place="${spot.place}"][data-cell="${spot.cell}"]`;
    const cell = scroller.current?.querySelector<HTMLElement>(selector);
    if (cell === null || cell === undefined) return;
    wanted.current = undefined;
    // The control in a cell that is edited has taken it, and would be left.
    if (spot.place !== edited) cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  return (spot: Spot) => {
    wanted.current = spot;
    rows.scrollTo(items.indexOfRow(spot.place), 'auto');
  };
}

/** Where one stands in a table, and how one goes to another cell. `edited` is the place of the row that is edited; `onRow` is told of each row that is gone to. */
export function useSpot(
  scroller: RefObject<HTMLDivElement | null>,
  tableRows: TableRows,
  lastCell: number,
  edited: number | undefined,
  onRow: (place: number) => void,
) {
  const [stood, setSpot] = useState<Spot>({ place: 0, cell: leadingCells.title });
  // Where there are fewer rows now, Tab still finds one.
  const isThere = stood.place < (tableRows.list.size || Number.POSITIVE_INFINITY);
  const spot = isThere ? stood : { ...stood, place: 0 };
  const focusSoon = useFocus(scroller, tableRows, edited);
  const go = (place: number, cell = spot.cell) => {
    const next = {
      place: Math.max(0, Math.min((tableRows.list.size ?? 1) - 1, place)),
      cell: Math.max(0, Math.min(lastCell, cell)),
    };
    setSpot(next);
    focusSoon(next);
    if (next.place !== spot.place) onRow(next.place);
  };
  return { spot, setSpot, focusSoon, go };
}

/** Where one stands. */
export type Standpoint = ReturnType<typeof useSpot>;
