import type { RefObject } from 'react';

/**
 * Focuses in the next frame what is drawn again in place of a control that was left, unless somebody has gone on to something else by then.
 * Not at once: the key that was pressed to leave would press it.
 */
export function focusBack(to: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) to.current?.focus();
  });
}
