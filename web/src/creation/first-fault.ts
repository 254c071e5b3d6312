/** In the next frame the words are there. */
export function focusFirstFault(): void {
  requestAnimationFrame(() => {
    const control = document.querySelector<HTMLElement>(
      '[role="dialog"] [aria-invalid="true"], [role="dialog"] [data-invalid] button, main [aria-invalid="true"], main [data-invalid] button',
    );
    control?.focus();
  });
}
