import { startTransition, useEffect, useState } from 'react';

/** False when a part is drawn first, and true when it is drawn for the second time: in pieces, between which keys are answered. */
export function useSecondDraw(): boolean {
  const [isSecond, setSecond] = useState(false);
  useEffect(() => startTransition(() => setSecond(true)), []);
  return isSecond;
}
