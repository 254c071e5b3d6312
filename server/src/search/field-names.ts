import { idInXml, xmlName } from '../kernel/xml-text.ts';
import type { Field, TrackerView } from '../trackers/index.ts';

/** A key is a field id or a short name, exact or but for letter case. */
export function fieldNamed(elements: readonly Field[], key: string): Field | undefined {
  return (
    elements.find(({ name }) => name === key) ??
    elements.find(({ name }) => name.toLowerCase() === key.toLowerCase())
  );
}

/** XML cannot write every key: an element that is like one stands for it. */
export function fieldFor(
  { tracker: { elements, elementById } }: TrackerView,
  key: string,
): Field | undefined {
  const byId = (id: string) => (/^\d{1,15}$/.test(id) ? elementById.get(Number(id)) : undefined);
  const field = byId(key) ?? fieldNamed(elements, key);
  return field ?? byId(idInXml(key)) ?? elements.find(({ name }) => xmlName(name) === key);
}
