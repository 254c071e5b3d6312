/** Puts a text into the clipboard. Browsers give it only to pages of addresses that they trust; to those of `http://server` they leave what a person copies. */
export async function copyText(text: string): Promise<void> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) await clipboard.writeText(text);
  else copyAsPerson(text);
}

/** Copies as a person would who had chosen the text: nothing on the page is chosen or focused instead. */
function copyAsPerson(text: string): void {
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // Safari copies without a selection only where somebody asked for it before.
  const allow = (event: Event) => event.preventDefault();
  document.addEventListener('beforecopy', allow, true);
  document.addEventListener('copy', give, true);
  try {
    if (!document.execCommand('copy')) throw new Error('The browser copies nothing.');
  } finally {
    document.removeEventListener('beforecopy', allow, true);
    document.removeEventListener('copy', give, true);
  }
}
