import type { Field, TrackerView } from '../trackers/index.ts';

/** A key is a field id or a short name, exact or but for letter case. */
export function fieldNamed(elements: readonly Field[], key: string): Field | undefined {
  return (
    elements.find(({ name }) => name === key) ??
    elements.find(({ name }) => name.toLowerCase() === key.toLowerCase())
  );
}

export function fieldFor(
  { tracker: { elements, elementById } }: TrackerView,
  key: string,
): Field | undefined {
  const byId = /^\d{1,15}$/.test(key) ? elementById.get(Number(key)) : undefined;
  return byId ?? fieldNamed(elements, key);
}
