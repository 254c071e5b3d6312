import { type FocusEvent, type MouseEvent, useEffect, useRef } from 'react';
import { useLasting } from './lasting.ts';
import { leadingCells } from './row.tsx';
import type { Selection } from './selection.ts';
import { type Spot, type Standpoint, spotOf } from './spot.ts';

/** What is done in a grid by its own keys and by the mouse. */
interface GridActs {
  readonly at: Standpoint;
  /** How many rows there are. */
  readonly size: number;
  readonly lastCell: number;
  readonly selection: Selection;
  moveRow(from: number, to: number): void;
  openSpot(): void;
  editAt(spot: Spot): void;
  readonly isEditing: boolean;
}

/** As React and the document tell of it. */
type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'preventDefault'>;

const isOfCell = (target: EventTarget) =>
  target instanceof HTMLElement && target.dataset['cell'] !== undefined;

function gridKeys({ at, size, lastCell, selection, moveRow, openSpot, editAt }: GridActs) {
  const { spot, go } = at;
  const edit = () => editAt(spot);
  return (event: KeyPress, isForCell: boolean) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(spot.place + 1),
      ArrowUp: () => go(spot.place - 1),
      ArrowLeft: () => go(spot.place, spot.cell - 1),
      ArrowRight: () => go(spot.place, spot.cell + 1),
      Home: () => go(event.ctrlKey ? 0 : spot.place, leadingCells.title),
      End: () => go(event.ctrlKey ? size - 1 : spot.place, lastCell),
      PageDown: () => go(spot.place + 10),
      PageUp: () => go(spot.place - 10),
      Enter: spot.cell >= leadingCells.first ? edit : openSpot,
      F2: edit,
      ' ': () => selection.toggle(spot.place),
    };
    if ((event.ctrlKey || event.metaKey) && event.key === 'a' && isForCell) {
      event.preventDefault();
      return selection.selectAll();
    }
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step !== 0 && (event.altKey || event.shiftKey)) {
      event.preventDefault();
      const next = spot.place + step;
      if (event.altKey) return moveRow(spot.place, next);
      if (next < 0 || next >= size) return;
      selection.extend(spot.place, next);
      return go(next);
    }
    const move = moves[event.key];
    if (!isForCell || move === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    move();
  };
}

/** Keys of the grid itself, where it has the focus, and the mouse; keys.ts has those that work on the whole page. */
export function useGridEvents(acts: GridActs) {
  const { selection, editAt, isEditing } = acts;
  const { spot, setSpot } = acts.at;
  const pressed = useRef<Spot>(undefined);
  const press = gridKeys(acts);
  const pressEarly = useLasting((event: KeyboardEvent) => {
    if (event.target === document.body && acts.at.isComing()) press(event, true);
  });
  // Who goes to a row that is still on its way, and presses the next key, need not wait for it.
  useEffect(() => {
    document.addEventListener('keydown', pressEarly);
    return () => document.removeEventListener('keydown', pressEarly);
  }, [pressEarly]);
  return {
    onKeyDown: (event: KeyPress & { readonly target: EventTarget }) => press(event, isOfCell(event.target)),
    /** Keys act on the cell that has the focus, also where a mouse gave it. */
    onFocus({ target }: FocusEvent) {
      const focused = spotOf(target);
      if (focused && (focused.place !== spot.place || focused.cell !== spot.cell)) setSpot(focused);
    },
    /** Shift and a press select all rows up to there. */
    onMouseDown(event: MouseEvent) {
      const { target, shiftKey } = event;
      const at = spotOf(target);
      if (event.detail < 2) pressed.current = at;
      if (!shiftKey || !at || !(target instanceof Element) || target.closest('a,input,button') !== null)
        return;
      event.preventDefault();
      selection.beginAt(spot.place);
      selection.selectTo(at.place);
    },
    /** The cell that was pressed first is meant, also where another one is under the pointer by now. */
    onDoubleClick() {
      if (isEditing || pressed.current === undefined) return;
      setSpot(pressed.current);
      editAt(pressed.current);
    },
  };
}
