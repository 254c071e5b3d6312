import { invalid } from '../../kernel/errors.ts';
import { isStorable } from '../../kernel/text.ts';
import { scalarText } from '../../kernel/values.ts';
import { xmlText } from '../../kernel/xml-text.ts';
import type { Entry, PropertyRule, WritingContext } from '../field-type.ts';
import type { Field, Properties } from '../model.ts';

/** How messages name a field. */
export const nameOf = ({ label, name }: Field) => `"${label}" (${name})`;

export const wrongValue = (field: Field, detail: string) =>
  invalid(`The value of the field ${nameOf(field)} is not valid. ${detail}`);

/** A member of an entry; null counts as absent. */
export function member(entry: Entry, name: string): unknown {
  const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
  return value === null ? undefined : value;
}

/**
 * As `member`, for what must be there: XML writes an empty text and an empty list as an empty element, and a list also as
 * white space between two tags.
 */
export function neededMember(
  entry: Entry,
  name: string,
  { isXml }: Pick<WritingContext, 'isXml'>,
  nothing: '' | readonly unknown[],
): unknown {
  const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
  const isEmptyList = nothing !== '' && typeof value === 'string' && value.trim() === '';
  return isXml && (value === null || isEmptyList) ? nothing : member(entry, name);
}

/** The member `value` of a plain field, which must be there. */
export function plainValue(field: Field, entry: Entry, context: Pick<WritingContext, 'isXml'>): unknown {
  const value = neededMember(entry, 'value', context, '');
  if (value === undefined) throw wrongValue(field, 'The entry needs the member `value`.');
  return value;
}

export function textIn(field: Field, value: unknown): string {
  if (typeof value !== 'string') throw wrongValue(field, 'Expecting text.');
  if (!isStorable(value))
    throw wrongValue(field, 'It contains a character that text cannot have (NUL or half a pair).');
  return value;
}

/** A text as somebody has it who read it: XML cannot carry every character. */
export const readBack = (text: string, isXml: boolean) => (isXml ? xmlText(text) : text);

/** A whole number, or text that is one. */
export function integerIn(value: unknown): number | undefined {
  const isWritten = typeof value === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(value);
  if (typeof value !== 'number' && !isWritten) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The items of a list. XML writes an empty one as nothing, or as the white space between two tags. */
export function itemsIn(value: unknown): readonly unknown[] | undefined {
  const isNothing = value === null || (typeof value === 'string' && value.trim() === '');
  if (isNothing) return [];
  return Array.isArray(value) ? value : undefined;
}

/** Values that one field takes at once: a change must not hold up everybody else's. */
export const mostValues = 1000;

export function refuseTooMany(field: Field, values: readonly unknown[]): void {
  if (values.length > mostValues) throw wrongValue(field, `It takes at most ${mostValues} values at once.`);
}

/** Whether a list names the same things as another, in whatever order and as numbers or text. */
export function namesSame(input: readonly unknown[], stored: readonly (number | string)[]): boolean {
  const items = input.map((item) => scalarText(item));
  return items.length === stored.length && stored.every((item) => items.includes(String(item)));
}

/** Checks of settings. */
const wrongProperty = (name: string, detail: string) =>
  invalid(`Invalid value specified for \`specific_properties.${name}\`. ${detail}`);

export const count = (initial: number): PropertyRule => ({
  initial,
  check(value, name) {
    const number = integerIn(value);
    if (number === undefined || number < 0 || number > 100_000)
      throw wrongProperty(name, 'Expecting an integer from 0 to 100000.');
    return number;
  },
});

export const switchedOn = (initial: 0 | 1): PropertyRule => ({
  initial,
  check(value, name) {
    if (value === true || value === 1 || value === '1') return 1;
    if (value === false || value === 0 || value === '0') return 0;
    throw wrongProperty(name, 'Expecting 0 or 1.');
  },
});

export const line = (initial: string, longest = 255): PropertyRule => ({
  initial,
  check(value, name) {
    if (typeof value !== 'string' || !isStorable(value)) throw wrongProperty(name, 'Expecting text.');
    if ([...value].length > longest) throw wrongProperty(name, `It must have at most ${longest} characters.`);
    return value;
  },
});

/** A number or nothing; nothing is kept as null. */
export const optionalNumber = (isWhole: boolean): PropertyRule => ({
  initial: null,
  check(value, name) {
    if (value === null || value === '') return null;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    const fits =
      typeof number === 'number' && (isWhole ? Number.isSafeInteger(number) : Number.isFinite(number));
    if (!fits) throw wrongProperty(name, isWhole ? 'Expecting an integer.' : 'Expecting a number.');
    return number;
  },
});

export const refuseProperty = wrongProperty;

export const textProperty = (properties: Properties, name: string) => String(properties[name] ?? '');
export const numberProperty = (properties: Properties, name: string) => Number(properties[name] ?? 0);
