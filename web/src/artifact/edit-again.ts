import type { FieldValue } from '../fields/index.ts';

type Open = (typed: FieldValue | undefined) => void;

const openers = new Map<string, Open>();

const keyOf = (uri: string, fieldId: number): string => `${uri} ${fieldId}`;

/** A control of a page says how it is opened: for keys, and for changes that were refused. */
export function onEditAgain(uri: string, fieldId: number, open: Open): () => void {
  const key = keyOf(uri, fieldId);
  openers.set(key, open);
  return () => {
    if (openers.get(key) === open) openers.delete(key);
  };
}

/** Opens it, with what was typed where that was refused. False where the page has no such control. */
export function editAgain(uri: string, fieldId: number, typed?: FieldValue): boolean {
  const open = openers.get(keyOf(uri, fieldId));
  open?.(typed);
  return open !== undefined;
}
