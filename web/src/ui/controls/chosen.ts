import { useEffect, useRef, useState } from 'react';

/**
 * What somebody chose is seen at once, until it is stored or refused: a second choice goes on from the first, and is sent after it. Where
 * nothing is awaited, it is what is given.
 */
export function useChosen<T, Next extends T>(stored: T, onChange: ((next: Next) => unknown) | undefined) {
  const [wish, setWish] = useState<{ readonly value: Next }>();
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const turn = useRef<Promise<void>>(undefined);
  const choose = (value: Next) => {
    const sent =
      turn.current === undefined ? onChange?.(value) : turn.current.then(() => latest.current?.(value));
    if (!(sent instanceof Promise)) return;
    setWish({ value });
    const over = () => {
      if (turn.current !== settled) return;
      turn.current = undefined;
      setWish(undefined);
    };
    const settled: Promise<void> = sent.then(over, over);
    turn.current = settled;
  };
  return [wish === undefined ? stored : wish.value, choose] as const;
}
