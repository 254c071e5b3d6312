import { useLayoutEffect } from 'react';

/** Frames that a control has to take the focus after it is there. */
const mostFrames = 60;

const isTypedInto = (element: Element): boolean =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLElement && element.isContentEditable);

const press = (element: Element, key: string) =>
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

/** Types what was held into the control that took the focus; a list without a box takes letters as keys. */
function passOn({ text, last }: Held, before: Element | null, framesLeft = mostFrames): void {
  if (text === '' && last === undefined) return;
  const element = document.activeElement;
  if (element === null || element === document.body || element === before) {
    if (framesLeft > 0) requestAnimationFrame(() => passOn({ text, last }, before, framesLeft - 1));
    return;
  }
  // The one way to type for somebody that every control hears, undo included.
  if (isTypedInto(element)) document.execCommand('insertText', false, text);
  else for (const letter of text) press(element, letter);
  // What was typed is told in the next frame.
  if (last !== undefined) requestAnimationFrame(() => press(document.activeElement ?? element, last));
}

interface Held {
  readonly text: string;
  /** The key that ends the typing: what follows it is not for this control. */
  readonly last: string | undefined;
}

function withKey(held: Held, key: string): Held {
  if (held.last !== undefined) return held;
  if (key === 'Enter' || key === 'Tab') return { ...held, last: key };
  if (key === 'Backspace') return { ...held, text: held.text.slice(0, -1) };
  return { ...held, text: held.text + key };
}

/** Stands where a control will be that takes the focus as soon as it arrives: what is typed meanwhile is typed into it. */
export function HeldKeys() {
  useLayoutEffect(() => {
    const before = document.activeElement;
    let held: Held = { text: '', last: undefined };
    const hold = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isHeld = [...key].length === 1 || key === 'Enter' || key === 'Tab' || key === 'Backspace';
      if (!isHeld || ctrlKey || metaKey || altKey) return;
      event.preventDefault();
      event.stopPropagation();
      held = withKey(held, key);
    };
    // Before any single key that is a command of the page.
    window.addEventListener('keydown', hold, { capture: true });
    return () => {
      window.removeEventListener('keydown', hold, { capture: true });
      passOn(held, before);
    };
  }, []);
  return null;
}
