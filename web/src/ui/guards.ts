/** What nobody needs before something is on the page: it keeps the focus, and the page itself, from getting lost. */
export async function guardPage(): Promise<void> {
  const { keepDroppedFilesOut, keepFocusBeside, keepFocusInFront } = await import('./guarding.ts');
  keepFocusInFront();
  keepFocusBeside();
  keepDroppedFilesOut();
}
