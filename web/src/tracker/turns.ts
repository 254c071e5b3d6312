import { useEffect, useState } from 'react';

/** How many have their turn in a frame: so many rows are drawn before the next frame is due. */
const most = 8;

const waiting = new Set<() => void>();
let isPlanned = false;

function plan(): void {
  if (isPlanned || waiting.size === 0) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    for (const begin of [...waiting].slice(0, most)) {
      waiting.delete(begin);
      begin();
    }
    plan();
  });
}

/**
 * Whether it was one's turn, for which one waits from when `isReady`. Rows that come into sight together show what they are at once, and their values when it is their turn: whoever
 * jumps or throws through a long table sees titles in every frame.
 */
export function useTurn(isReady: boolean): boolean {
  const [isNow, setNow] = useState(false);
  useEffect(() => {
    if (!isReady) return undefined;
    const begin = () => setNow(true);
    waiting.add(begin);
    plan();
    return () => void waiting.delete(begin);
  }, [isReady]);
  return isNow;
}
