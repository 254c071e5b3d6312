import type { Plugin } from 'vite';

const asksForInert = "'inert' in HTMLElement.prototype";

/**
 * Makes what is behind a menu or a dialog `aria-hidden` and not `inert`, as React Aria does in browsers that do not know `inert`. With it,
 * browsers match all rules with all elements of the page again, which takes as long as drawing the menu; and once more when it closes.
 * Presses reach what lies behind as little without it, and keys stay inside.
 */
export function overlays(): Plugin {
  let isFound = false;
  return {
    name: 'atelier-overlays',
    apply: 'build',
    transform(code, id) {
      if (!code.includes(asksForInert) || !id.includes('/ariaHideOutside.')) return undefined;
      isFound = true;
      return { code: code.replace(asksForInert, 'false'), map: null };
    },
    buildEnd(error) {
      if (error === undefined && !isFound)
        this.error('React Aria hides what is behind overlays in another way.');
    },
  };
}
