import { useLayoutEffect } from 'react';

/** Milliseconds that a control has to take the focus after a part of it is there: other parts may be on their way. */
const longestWait = 15_000;

const isTypedInto = (element: Element): boolean =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLElement && element.isContentEditable);

const press = (element: Element, key: string) =>
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

/** The one way to type for somebody that every control hears, undo included; a list without a box takes letters as keys. */
function typeInto(element: Element, text: string): void {
  if (isTypedInto(element)) document.execCommand('insertText', false, text);
  else for (const letter of text) press(element, letter);
}

/** Presses a key for somebody who pressed it too early. */
export function typeKey(key: string): void {
  const element = document.activeElement ?? document.body;
  if ([...key].length === 1) typeInto(element, key);
  else press(element, key);
}

/** Types what was held into the control that took the focus. */
function passOn({ text, last }: Held, element: Element): void {
  typeInto(element, text);
  // What was typed is told in the next frame.
  if (last !== undefined) requestAnimationFrame(() => press(document.activeElement ?? element, last));
}

interface Held {
  readonly text: string;
  /** The key that ends the typing: what follows it is not for this control. */
  readonly last: string | undefined;
}

function withKey(held: Held, key: string, hasLines: boolean): Held {
  if (held.last !== undefined) return held;
  if (key === 'Enter' && hasLines) return { ...held, text: `${held.text}\n` };
  if (key === 'Enter' || key === 'Tab') return { ...held, last: key };
  if (key === 'Backspace') return { ...held, text: held.text.slice(0, -1) };
  return { ...held, text: held.text + key };
}

/** What is typed for a control that is not there yet. */
export interface Holding {
  /** The control is there, or about to take the focus: it gets what was typed. */
  release(): void;
  /** The control that was meant: it gets the focus, and what was typed. */
  giveTo(control: HTMLElement): void;
  /** It does not come. */
  end(): void;
}

/** Holds what is typed for a control that will take the focus. In one that has lines, Enter is typed as well. */
export function holdKeys({ hasLines = false } = {}): Holding {
  const before = document.activeElement;
  const holding = new AbortController();
  const { signal } = holding;
  const end = () => holding.abort();
  let held: Held = { text: '', last: undefined };
  const isEmpty = () => held.text === '' && held.last === undefined;
  const hold = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key === 'Escape') return end();
    const isHeld = [...key].length === 1 || key === 'Enter' || key === 'Tab' || key === 'Backspace';
    if (!isHeld || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = withKey(held, key, hasLines);
  };
  // Before any single key that is a command of the page.
  window.addEventListener('keydown', hold, { capture: true, signal });
  // Who turns to something else does not type for this control any more.
  window.addEventListener('pointerdown', end, { capture: true, signal });
  const release = () => {
    const latest = performance.now() + longestWait;
    const look = () => {
      if (signal.aborted) return;
      const element = document.activeElement;
      const isTaken = element !== null && element !== document.body && element !== before;
      if (!isTaken && !isEmpty() && performance.now() < latest) return void requestAnimationFrame(look);
      end();
      if (isTaken && !isEmpty()) passOn(held, element);
    };
    look();
  };
  const giveTo = (control: HTMLElement) => {
    const isWanted = !signal.aborted;
    end();
    control.focus();
    if (isWanted && !isEmpty()) passOn(held, control);
  };
  return { release, giveTo, end };
}

/** Stands where a control will be that takes the focus as soon as it arrives: what is typed meanwhile is typed into it. */
export function HeldKeys() {
  useLayoutEffect(() => holdKeys().release, []);
  return null;
}
