/**
 * Nothing behind a menu or a dialog takes the focus from it: not even the button that opens it, for which the press is not over yet.
 * (`overlays.plugin.ts` says how one knows what is behind.)
 */
export function keepFocusInFront(): void {
  window.addEventListener(
    'mousedown',
    (event) => {
      const pressed = event.target;
      if (pressed instanceof Element && pressed.closest('body > [aria-hidden]')) event.preventDefault();
    },
    true,
  );
}
