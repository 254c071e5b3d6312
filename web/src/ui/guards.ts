let guarding: Promise<void> | undefined;

/**
 * Keeps the focus, and the page itself, from getting lost. Nobody needs that before something is pressed or dragged: it comes with the first
 * press, or once a page is there.
 */
export function guardPage(first?: Event): Promise<void> {
  guarding ??= import('./guarding.ts')
    .then(({ keepDroppedFilesOut, keepFocusBeside }) => {
      keepFocusBeside(first?.target);
      keepDroppedFilesOut();
    })
    // The server may be away: it is asked for again once a page is there.
    .catch(() => {
      guarding = undefined;
    });
  return guarding;
}
