import { useEffect, useLayoutEffect, useRef } from 'react';

/** How many have their turn in a frame: so many rows are drawn before the next frame is due. */
const most = 5;

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

/** Runs something when it is one's turn, while one waits for it. */
export function useInTurn(isWaiting: boolean, run: () => void): void {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isWaiting) return undefined;
    const begin = () => latest.current();
    waiting.add(begin);
    plan();
    return () => void waiting.delete(begin);
  }, [isWaiting]);
}
