import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { type RefObject, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { createSignal } from '../store/index.ts';
import type { ColumnVerdict, Verdict } from './allowed.ts';

/** A place where cards stand: a column within a lane. */
export interface Cell {
  readonly column: string;
  readonly lane: string;
}

export const keyOfCell = ({ column, lane }: Cell): string => `${lane}|${column}`;

/** The cards that are dragged, where they may go, and what they are held over. */
interface Drag {
  readonly uris: ReadonlySet<string>;
  readonly verdictOf: (column: string) => Verdict;
  readonly over: (Cell & { readonly index: number }) | undefined;
}

const dragged = createSignal<Drag | undefined>(undefined);

/** What a cell shows while something is dragged: `''`, `refused`, `allowed`, or the place that it would take. */
export function useDragOver(cell: Cell): '' | 'refused' | 'allowed' | number {
  return useSyncExternalStore(dragged.subscribe, () => {
    const drag = dragged.get();
    if (drag === undefined) return '';
    if (!drag.verdictOf(cell.column).isAllowed) return 'refused';
    const { over } = drag;
    return over !== undefined && over.column === cell.column && over.lane === cell.lane
      ? over.index
      : 'allowed';
  });
}

/** What was said about a column, while something is dragged. */
export const verdictWhileDragged = (column: string): Verdict | undefined => dragged.get()?.verdictOf(column);

export const useDragged = (uri: string): boolean =>
  useSyncExternalStore(dragged.subscribe, () => dragged.get()?.uris.has(uri) === true);

const cardMark = 'card';

/** Lets a card be dragged; the snapshot that follows the pointer looks lifted, and says how many go with it. */
export function useDraggable(
  place: RefObject<HTMLElement | null>,
  uri: string,
  isOn: boolean,
  countWith: (uri: string) => number,
): void {
  useEffect(() => {
    const element = place.current;
    if (element === null || !isOn) return;
    return draggable({
      element,
      getInitialData: () => ({ kind: cardMark, uri }),
      onGenerateDragPreview: () => {
        const count = countWith(uri);
        element.setAttribute('data-lifted', count > 1 ? String(count) : '');
      },
      onDragStart: () => element.removeAttribute('data-lifted'),
      onDrop: () => element.removeAttribute('data-lifted'),
    });
  }, [place, uri, isOn, countWith]);
}

/** Before which card the pointer is: the first whose middle is below it. */
function indexAt(element: Element, y: number): number {
  const cards = [...element.querySelectorAll('[data-place]')];
  const next = cards.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
  return next < 0 ? cards.length : next;
}

/** Makes a cell a place where cards can be let go. */
export function useDropPlace(place: RefObject<HTMLElement | null>, { column, lane }: Cell): void {
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data['kind'] === cardMark,
      getData: ({ input }) => ({ column, lane, index: indexAt(element, input.clientY) }),
      getIsSticky: () => false,
    });
  }, [place, column, lane]);
}

export interface DragActs {
  /** The cards that go with one: those that are selected, if it is. */
  withSelected(uri: string): readonly string[];
  verdictsFor(uris: readonly string[]): (column: string) => ColumnVerdict;
  drop(uris: readonly string[], cell: Cell, index: number): void;
  /** Let go where it may not be. */
  refuse(reason: string): void;
}

function cellIn(data: Readonly<Record<string | symbol, unknown>> | undefined) {
  const { column, lane, index } = data ?? {};
  if (typeof column !== 'string' || typeof lane !== 'string' || typeof index !== 'number') return undefined;
  return { column, lane, index };
}

/** The cell under the pointer, and the place in it, are told to those that it is about. */
function follow(data: Readonly<Record<string | symbol, unknown>> | undefined): void {
  const drag = dragged.get();
  const over = cellIn(data);
  if (drag === undefined || JSON.stringify(over) === JSON.stringify(drag.over)) return;
  dragged.set({ ...drag, over });
}

/** Follows cards that are dragged over the board, and scrolls it at its edges. */
export function useDragging(board: RefObject<HTMLElement | null>, acts: DragActs): void {
  const latest = useRef(acts);
  useLayoutEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const element = board.current;
    if (element === null) return;
    const stopScrolling = autoScrollForElements({ element });
    const stop = monitorForElements({
      canMonitor: ({ source }) => source.data['kind'] === cardMark,
      onDragStart: ({ source }) => {
        const uris = latest.current.withSelected(String(source.data['uri']));
        dragged.set({
          uris: new Set(uris),
          verdictOf: latest.current.verdictsFor(uris),
          over: undefined,
        });
      },
      onDrag: ({ location }) => follow(location.current.dropTargets[0]?.data),
      onDropTargetChange: ({ location }) => follow(location.current.dropTargets[0]?.data),
      onDrop: ({ location }) => {
        const drag = dragged.get();
        const cell = cellIn(location.current.dropTargets[0]?.data);
        dragged.set(undefined);
        if (drag === undefined || cell === undefined) return;
        const { isAllowed, reason } = drag.verdictOf(cell.column);
        if (isAllowed) latest.current.drop([...drag.uris], cell, cell.index);
        else latest.current.refuse(reason ?? '');
      },
    });
    return () => {
      stop();
      stopScrolling();
      dragged.set(undefined);
    };
  }, [board]);
}
