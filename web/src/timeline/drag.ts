import { type PointerEvent, useRef, useState } from 'react';
import type { Item } from './items.ts';

/** Which part of an item is held. */
export type Grip = 'whole' | 'start' | 'end';

export interface Dragged {
  readonly item: Item;
  readonly grip: Grip;
  /** How many days it is away from where it was. */
  readonly days: number;
}

/** Pixels that a pointer may tremble before it drags. */
const tremble = 4;

/**
 * Dragging in time: `daysFrom` tells how many days lie between two places of the pointer. What is dropped elsewhere than it was goes
 * to `onDrop`; Escape gives it back.
 */
export function useDayDrag(
  daysFrom: (from: { x: number; y: number }, to: { x: number; y: number }) => number,
  onDrop: (dragged: Dragged) => void,
) {
  const [dragged, setDragged] = useState<Dragged>();
  /** A press that became a drag is no click. */
  const wasDragged = useRef(false);
  const begin = (event: PointerEvent<HTMLElement>, item: Item, grip: Grip) => {
    if (event.button !== 0 || !item.isMovable) return;
    event.stopPropagation();
    const from = { x: event.clientX, y: event.clientY };
    let current: Dragged | undefined;
    wasDragged.current = false;
    const move = (moved: globalThis.PointerEvent) => {
      const to = { x: moved.clientX, y: moved.clientY };
      if (current === undefined && Math.hypot(to.x - from.x, to.y - from.y) < tremble) return;
      wasDragged.current = true;
      const days = daysFrom(from, to);
      if (current?.days === days) return;
      current = { item, grip, days };
      setDragged(current);
    };
    const end = (isDropped: boolean) => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', giveBack, true);
      setDragged(undefined);
      if (isDropped && current !== undefined && current.days !== 0) onDrop(current);
    };
    const up = () => end(true);
    const cancel = () => end(false);
    const giveBack = (pressed: KeyboardEvent) => {
      if (pressed.key !== 'Escape') return;
      pressed.stopPropagation();
      end(false);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', giveBack, true);
  };
  return { dragged, begin, wasDragged };
}

/** Where an item is while it is dragged. */
export function placeOf(
  item: Item,
  dragged: Dragged | undefined,
): { readonly start: number; readonly end: number } {
  if (dragged === undefined || dragged.item.row.uri !== item.row.uri) return item;
  const { grip, days } = dragged;
  if (grip === 'whole') return { start: item.start + days, end: item.end + days };
  if (grip === 'end') return { start: item.start, end: Math.max(item.start, item.end + days) };
  return { start: Math.min(item.end, item.start + days), end: item.end };
}
