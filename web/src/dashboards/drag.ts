import { type PointerEvent, useRef, useState } from 'react';
import { columns, placeOf, type Rows, type Target } from './arrange.ts';

/** Pixels that a pointer may tremble before it drags. */
const tremble = 4;

export interface Dragged {
  readonly key: string;
  readonly target: Target | undefined;
}

/** Where a tile would go that is held over a point: beside the tile there, above or below it, or into a row of its own. */
function targetAt(rows: Rows, key: string, x: number, y: number): Target | undefined {
  const under = document.elementFromPoint(x, y);
  const gap = under?.closest<HTMLElement>('[data-gap]');
  if (gap?.dataset['gap'] !== undefined) return { kind: 'row', row: Number(gap.dataset['gap']) };
  const element = under?.closest<HTMLElement>('[data-tile]');
  const over = element?.dataset['tile'];
  const place = over === undefined ? undefined : placeOf(rows, over);
  if (element === null || element === undefined || place === undefined || over === key) return undefined;
  const box = element.getBoundingClientRect();
  const [right, down] = [(x - box.left) / box.width, (y - box.top) / box.height];
  if (right < 0.25) return { kind: 'cell', row: place.row, cell: place.cell };
  if (right > 0.75) return { kind: 'cell', row: place.row, cell: place.cell + 1 };
  return { kind: 'stack', row: place.row, cell: place.cell, at: down < 0.5 ? place.at : place.at + 1 };
}

/** Follows the pointer until it is let go; Escape gives back what is held. */
function hold(
  event: PointerEvent<HTMLElement>,
  follow: (at: { x: number; y: number }) => void,
  end: (isDropped: boolean) => void,
) {
  const from = { x: event.clientX, y: event.clientY };
  let isHeld = false;
  const move = (moved: globalThis.PointerEvent) => {
    const at = { x: moved.clientX, y: moved.clientY };
    if (!isHeld && Math.hypot(at.x - from.x, at.y - from.y) < tremble) return;
    isHeld = true;
    follow(at);
  };
  const finish = (isDropped: boolean) => {
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    window.removeEventListener('pointercancel', cancel);
    window.removeEventListener('keydown', giveBack, true);
    end(isDropped && isHeld);
  };
  const up = () => finish(true);
  const cancel = () => finish(false);
  const giveBack = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Escape') return;
    pressed.stopPropagation();
    finish(false);
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', cancel);
  window.addEventListener('keydown', giveBack, true);
}

/** Dragging tiles by their grips. */
export function useTileDrag(rows: Rows, onDrop: (key: string, target: Target) => void) {
  const [dragged, setDragged] = useState<Dragged>();
  const current = useRef<Dragged>(undefined);
  const begin = (event: PointerEvent<HTMLElement>, key: string) => {
    if (event.button !== 0) return;
    const set = (next: Dragged | undefined) => {
      current.current = next;
      setDragged(next);
    };
    hold(
      event,
      ({ x, y }) => set({ key, target: targetAt(rows, key, x, y) }),
      (isDropped) => {
        const target = current.current?.target;
        set(undefined);
        if (isDropped && target !== undefined) onDrop(key, target);
      },
    );
  };
  return { dragged, begin };
}

/** Dragging the right edge of a cell; told in columns. */
export function beginResize(event: PointerEvent<HTMLElement>, onWidth: (width: number) => void): void {
  if (event.button !== 0) return;
  event.preventDefault();
  const cell = event.currentTarget.closest<HTMLElement>('[data-cell]');
  const row = cell?.parentElement;
  if (cell === null || row === null || row === undefined) return;
  const { left } = cell.getBoundingClientRect();
  const { width } = row.getBoundingClientRect();
  hold(
    event,
    ({ x }) => onWidth(Math.round((x - left) / (width / columns))),
    () => undefined,
  );
}
