import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { usePreference } from '../store/index.ts';
import { useMedia } from '../ui/index.ts';

/** Tables become cards below this width. */
export const useNarrow = (): boolean => useMedia('(max-width: 599px)');

const comfortable = 40;

/** By density. Who asks the style sheet makes the browser work out all styles first. */
const knownHeights = new Map<string, number>();

/** The style sheet says how high a row is in each density. */
function rowHeight(): number {
  const root = document.documentElement;
  const density = root.dataset['density'] ?? '';
  const known = knownHeights.get(density);
  if (known !== undefined) return known;
  const written = Number.parseFloat(getComputedStyle(root).getPropertyValue('--row'));
  if (written > 0) knownHeights.set(density, written);
  return written || comfortable;
}

function subscribeToDensity(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}

export const useRowHeight = (): number => useSyncExternalStore(subscribeToDensity, rowHeight);

/** The width of an element, as it changes; 0 until it is there. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Whether id and title stay in sight while the other columns are scrolled: as everybody likes it, for all tables. */
export function useFrozenColumns(): readonly [areFrozen: boolean, set: (areFrozen: boolean) => void] {
  const [value, set] = usePreference('web.frozen_columns');
  return [value !== '0', (areFrozen) => set(areFrozen ? '1' : '0')];
}
