import { useEffect } from 'react';
import { typeKey } from '../ui/index.ts';
import { isTextControl, takesKeys } from './commands.ts';

/** Milliseconds after which what keys were meant for is not expected any more. */
const patience = 5000;

/** Tell whether something is on its way that a key is meant for. */
const reasons = new Set<(key: string) => boolean>();

/** Keys wait as long as this says so of the first of them, and are pressed in their order then. */
export function letKeysWait(isOnItsWay: (key: string) => boolean): () => void {
  reasons.add(isOnItsWay);
  return () => void reasons.delete(isOnItsWay);
}

const mustWait = (key: string) => [...reasons].some((isOnItsWay) => isOnItsWay(key));

let kept: string[] = [];
let latest = 0;
/** Whether what is on its way took too long: keys do what they do without it. */
let isGivenUp = false;
let isPressing = false;

function goOn(): void {
  const [first] = kept;
  if (first === undefined) return;
  if (!mustWait(first)) {
    kept.shift();
    isPressing = true;
    typeKey(first);
    isPressing = false;
  } else if (performance.now() > latest) {
    kept = [];
    isGivenUp = true;
  }
  // What one key leads to is drawn before the next one.
  if (kept.length > 0) requestAnimationFrame(goOn);
}

const forget = () => {
  kept = [];
};

/** Keys of the page and of its rows; buttons and links have theirs for themselves. */
const isKey = ({ key, target }: KeyboardEvent) =>
  key === 'Enter'
    ? target === document.body || (target instanceof Element && target.role === 'gridcell')
    : [...key].length === 1 && key !== ' ';

function keep(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (isPressing || event.isComposing || ctrlKey || metaKey || altKey) return;
  if (key === 'Escape') return forget();
  const isFirst = kept.length === 0;
  if (isFirst) {
    if (!isKey(event) || isTextControl(target) || takesKeys(target)) return;
    const isEarly = mustWait(key);
    isGivenUp &&= isEarly;
    if (isGivenUp || !isEarly) return;
    latest = performance.now() + patience;
    requestAnimationFrame(goOn);
  } else if ([...key].length > 1 && key !== 'Enter') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  kept.push(key);
}

export function startWaitingKeys(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  // Before anything else hears of a key.
  window.addEventListener('keydown', keep, { capture: true, signal });
  window.addEventListener('pointerdown', forget, { capture: true, signal });
  return () => ending.abort();
}

/** Stands where a part of a page will be that has keys of its own. */
export function KeysWait() {
  useEffect(() => letKeysWait(() => true), []);
  return null;
}
