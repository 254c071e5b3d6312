import { useLayoutEffect, useRef, useState } from 'react';

/** One function for good that does what the last one given would: parts that are handed it need not be drawn anew. */
export function useLasting<Given extends readonly unknown[]>(
  act: (...given: Given) => void,
): (...given: Given) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  const [lasting] = useState(
    () =>
      (...given: Given) =>
        latest.current(...given),
  );
  return lasting;
}
