import { invalidMember } from '../kernel/errors.ts';
import type { FieldType } from './fields/field-type.ts';
import type { Properties } from './model.ts';

const namesOf = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));

/** The settings of a new element: those given, checked by its type, and the usual ones for the rest. */
export function newProperties(type: FieldType, given: Readonly<Record<string, unknown>>): Properties {
  const rules = Object.entries(type.properties);
  const usual: Properties = Object.fromEntries(rules.map(([name, { initial }]) => [name, initial]));
  // What is only shown may be sent back.
  const known = Object.keys(type.shownProperties?.(usual) ?? usual);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidMember(
      `specific_properties[${unknown}]`,
      `The properties of the type ${type.code} are: ${namesOf(known)}.`,
    );
  const checked = rules
    .filter(([name]) => Object.hasOwn(given, name))
    .map(([name, rule]) => [name, rule.check(given[name], name)]);
  const properties: Properties = { ...usual, ...Object.fromEntries(checked) };
  type.checkProperties?.(properties);
  return properties;
}

/** The settings of an element as answers give them. */
export function shownProperties(type: FieldType, properties: Properties): Properties {
  const own = Object.entries(type.properties).map(([name, { initial, show }]) => {
    const value = properties[name] ?? initial;
    return [name, show === undefined ? value : show(value)];
  });
  const shown: Properties = Object.fromEntries(own);
  return type.shownProperties?.(shown) ?? shown;
}
