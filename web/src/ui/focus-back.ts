import type { RefObject } from 'react';

/**
 * Focuses what is drawn again in place of a control that was left, unless somebody has gone on to something else: as soon as it is there,
 * so that the next key finds it. Called after the change that takes the control away.
 */
export function focusBack(to: RefObject<HTMLElement | null>): void {
  // What was pressed to leave would press it.
  if (window.event instanceof KeyboardEvent && window.event.key === 'Enter') window.event.preventDefault();
  const give = () => {
    if (document.activeElement === document.body) to.current?.focus();
  };
  queueMicrotask(give);
  requestAnimationFrame(give);
}
