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

/** A cell that will have the focus, and what has it until then. */
interface Wish {
  readonly spot: Spot;
  readonly since: Element | null;
}

/** Whoever has gone on to something else by the time a cell is there stays with it. */
const hasGoneOn = ({ since }: Wish) => ![since, document.body, null].includes(document.activeElement);

/** Scrolls to a cell and gives it the focus once it is there. */
function useFocus(
  scroller: RefObject<HTMLDivElement | null>,
  { rows, items, list }: TableRows,
  edited: number | undefined,
) {
  const wanted = useRef<Wish>(undefined);
  useEffect(() => {
    const wish = wanted.current;
    if (wish === undefined) return;
    const { place, cell: column } = wish.spot;
    const isThere = place < (list.size || Number.POSITIVE_INFINITY);
    const selector = `[data-place="${isThere ? place : 0}"][data-cell="${column}"]`;
    const cell = scroller.current?.querySelector<HTMLElement>(selector);
    if (cell === null || cell === undefined) return;
    wanted.current = undefined;
    if (hasGoneOn(wish)) return;
    // The control in a cell that is edited has taken it, and would be left.
    if (place !== edited) cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  return {
    focusSoon(spot: Spot): void {
      wanted.current = { spot, since: document.activeElement };
      rows.scrollTo(items.indexOfRow(spot.place), 'auto');
    },
    /** Whether keys that nothing else takes are meant for a cell that is not there yet. */
    isComing: () => wanted.current !== undefined && !hasGoneOn(wanted.current),
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
  const { focusSoon, isComing } = useFocus(scroller, tableRows, edited);
  const go = (place: number, cell = spot.cell) => {
    const next = {
      // Rows that are on their way may be gone to.
      place: Math.max(0, Math.min((tableRows.list.size ?? Number.POSITIVE_INFINITY) - 1, place)),
      cell: Math.max(0, Math.min(lastCell, cell)),
    };
    setSpot(next);
    focusSoon(next);
    if (next.place !== spot.place) onRow(next.place);
  };
  return { spot, setSpot, focusSoon, isComing, go };
}

/** Where one stands. */
export type Standpoint = ReturnType<typeof useSpot>;
