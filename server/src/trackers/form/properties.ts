import { invalidMember } from '../../kernel/errors.ts';
import type { FieldType } from '../field-type.ts';
import type { Field, Properties } from '../model.ts';

const namesOf = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));

const usualOf = ({ properties }: FieldType): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, { initial }]) => [name, initial]));

/** The given settings after the checks of their type. */
function checked(type: FieldType, input: Readonly<Record<string, unknown>>): Properties {
  const usual = usualOf(type);
  // What is only shown may be sent back.
  const known = Object.keys(type.shownProperties?.(usual) ?? usual);
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidMember(
      `specific_properties[${unknown}]`,
      `The properties of the type ${type.code} are: ${namesOf(known)}.`,
    );
  const settings = Object.entries(type.properties)
    .filter(([name]) => Object.hasOwn(input, name))
    .map(([name, rule]) => [name, rule.check(input[name], name)]);
  return Object.fromEntries(settings);
}

/** Settings with some of them changed, which must fit each other. */
function withGiven(type: FieldType, properties: Properties, input: Readonly<Record<string, unknown>>) {
  const complete: Properties = { ...properties, ...checked(type, input) };
  type.checkProperties?.(complete);
  return complete;
}

/** The settings of a new element: those given, checked by its type, and the usual ones for the rest. */
export const newProperties = (type: FieldType, input: Readonly<Record<string, unknown>>): Properties =>
  withGiven(type, usualOf(type), input);

/** The settings of an element after some of them were changed. */
export const changedProperties = (
  { type, properties }: Pick<Field, 'type' | 'properties'>,
  input: Readonly<Record<string, unknown>>,
): Properties => withGiven(type, properties, input);

/** The settings of an element as answers give them. */
export function shownProperties(type: FieldType, properties: Properties): Properties {
  const own = Object.entries(type.properties).map(([name, { initial, show }]) => {
    const value = properties[name] ?? initial;
    return [name, show === undefined ? value : show(value)];
  });
  const shown: Properties = Object.fromEntries(own);
  return type.shownProperties?.(shown) ?? shown;
}
