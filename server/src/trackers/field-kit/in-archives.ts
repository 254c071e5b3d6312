import { element, isTrue, type XmlElement } from '../../kernel/xml.ts';
import type { ArchivedProperties, PropertyRule } from '../field-type.ts';
import type { Field } from '../model.ts';

/** A change of a field; `more` are attributes that only some types have. */
export const changeOf = (
  { name }: Field,
  type: string,
  children: readonly XmlElement[],
  more: Readonly<Record<string, string>> = {},
): XmlElement => element('field_change', { field_name: name, type, ...more }, children);

export const valueElement = (text: string, format?: string) => element('value', { format }, text);

/** A setting that is written even when it is the usual one, for readers with another idea of what is usual. */
export const alwaysWritten = (rules: Readonly<Record<string, PropertyRule>>): ArchivedProperties => ({
  write: (properties) =>
    Object.fromEntries(
      Object.entries(rules).map(([name, { initial }]) => [name, properties[name] ?? initial ?? undefined]),
    ),
  read: (attributes) =>
    Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, isTrue(text) ? 1 : 0])),
});
