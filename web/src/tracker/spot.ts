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

/** Scrolls to the cell where one stands, and gives it the focus once it is there. */
function useFocus(
  scroller: RefObject<HTMLDivElement | null>,
  { rows, items }: TableRows,
  spot: Spot,
  edited: number | undefined,
) {
  /** What has the focus until then. */
  const held = useRef<Element>(undefined);
  useEffect(() => {
    const before = held.current;
    const { place, cell: column } = spot;
    const selector = `[data-place="${place}"][data-cell="${column}"]`;
    const cell = before && scroller.current?.querySelector<HTMLElement>(selector);
    if (!cell) return;
    held.current = undefined;
    // Whoever has gone on to something else meanwhile stays there.
    if (![before, document.body].includes(focused())) return;
    // The control in a cell that is edited has taken it, and would be left.
    if (place !== edited) cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  return {
    focusSoon(place: number): void {
      held.current = focused();
      rows.scrollTo(items.indexOfRow(place), 'auto');
    },
    /** Whether keys that nothing takes are meant for a cell that is not there yet. */
    isComing: () => held.current !== undefined,
  };
}

const focused = () => document.activeElement ?? document.body;

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
  const { focusSoon, isComing } = useFocus(scroller, tableRows, spot, edited);
  const go = (place: number, cell = spot.cell) => {
    const next = {
      // Rows that are on their way may be gone to.
      place: Math.max(0, Math.min((tableRows.list.size ?? Number.POSITIVE_INFINITY) - 1, place)),
      cell: Math.max(0, Math.min(lastCell, cell)),
    };
    setSpot(next);
    focusSoon(next.place);
    if (next.place !== spot.place) onRow(next.place);
  };
  return { spot, setSpot, focusSoon, isComing, go };
}

/** Where one stands. */
export type Standpoint = ReturnType<typeof useSpot>;
