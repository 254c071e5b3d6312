import { type CSSProperties, type RefObject, useDeferredValue, useMemo, useState } from 'react';
import type { TableColumn } from './columns.ts';
import { useFrozenColumns, useWidth } from './sizes.ts';

const leadingWidth = 44 + 48 + 12;
const leastTitle = 300;

/** Columns from the left, as long as titles keep their room. */
function fitting(columns: readonly TableColumn[], width: number): readonly TableColumn[] {
  let room = width - leadingWidth - leastTitle;
  const fits = columns.filter((column) => {
    room -= column.width;
    return room >= 0;
  });
  // The same list, so that no row is drawn anew.
  return fits.length === columns.length ? columns : fits;
}

const leastWidth = (columns: readonly TableColumn[]) =>
  columns.reduce((sum, column) => sum + column.width, leadingWidth + leastTitle);

/** Widths of all columns, once for head and rows. Rows are as wide as their room was when their columns were chosen. */
export function gridStyle(columns: readonly TableColumn[], room: number): CSSProperties {
  const widths = columns.map(({ width }) => `${width}px`).join(' ');
  const style: CSSProperties & Record<'--columns' | '--width' | '--room', string> = {
    '--columns': `44px 48px minmax(${leastTitle}px, 1fr) ${widths} 12px`,
    '--width': `${leastWidth(columns)}px`,
    '--room': room === 0 ? '100%' : `${room}px`,
  };
  return style;
}

/** Which of the columns there is room for, and whether the first of them must be told to stay in sight. */
export function useColumnRoom(
  scroller: RefObject<HTMLDivElement | null>,
  wanted: readonly TableColumn[],
  hasPanel: boolean,
): { readonly columns: readonly TableColumn[]; readonly room: number; readonly areFrozen: boolean } {
  const width = useWidth(scroller);
  // Cells that come and go with the panel are drawn after it, and let the next keys through meanwhile.
  const roomNow = hasPanel ? width : 0;
  const room = useDeferredValue(roomNow);
  const columns = useMemo(() => (room === 0 ? wanted : fitting(wanted, room)), [wanted, room]);
  const [frozenWished] = useFrozenColumns();
  // Each cell that stays in sight costs time in every frame; where all fits, none need be told to stay.
  const areFrozen = frozenWished && width > 0 && room === roomNow && leastWidth(columns) > width;
  // Rows that became wider or narrower at once, and had other columns after that, would be laid out and painted twice. Where no panel was
  // opened yet they need not be told: all of them would be styled anew as soon as they are there.
  const [hadPanel, setHadPanel] = useState(hasPanel);
  if (hasPanel && !hadPanel) setHadPanel(true);
  const settled = useDeferredValue(width);
  return { columns, room: hadPanel ? settled : 0, areFrozen };
}
