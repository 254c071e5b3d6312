import { type RefObject, useLayoutEffect, useState } from 'react';
import { laidOutHeight, offsetAt, rowsAt, scrollFor, scrollToSee } from '../kernel/scaled-rows.ts';

/** The rows that are there to be seen, out of all. */
export interface RowsInView {
  readonly shown: readonly { readonly index: number; readonly start: number; readonly size: number }[];
  /** How high all of them are laid out. */
  readonly height: number;
  /** The first that is seen. */
  readonly topIndex: number;
  scrollTo(index: number, align: 'auto' | 'start'): void;
}

const around = 10;
/** Of the column heads, which lie on the first rows. */
const headHeight = 32;

/** Rows of a list that is too long to be laid out: the scroll bar goes from its first to its last row, in larger steps. */
export function useScaledRows(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  height: number,
): RowsInView {
  const [view, setView] = useState({ scrolled: 0, seen: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (count === 0 || element === null) return;
    const look = () => setView({ scrolled: element.scrollTop, seen: element.clientHeight });
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller, count]);
  const geometry = { count, height, seen: Math.max(0, view.seen - headHeight) };
  return {
    shown: rowsAt(geometry, view.scrolled, around).map((row) => ({ ...row, size: height })),
    height: laidOutHeight(geometry),
    topIndex: Math.floor(offsetAt(geometry, view.scrolled) / height),
    scrollTo(index, align) {
      const element = scroller.current;
      if (element === null) return;
      element.scrollTop =
        align === 'start' ? scrollFor(geometry, index) : scrollToSee(geometry, index, element.scrollTop);
    },
  };
}
