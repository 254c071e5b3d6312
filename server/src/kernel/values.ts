/** An object of JSON: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const booleans = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/*
 * What people send may be an object with a `toString` of its own, which nothing can be made of: so what is not known to be a
 * scalar is converted here and nowhere else.
 */

/** A number, or a text that is one; NaN for anything else. */
export const numberIn = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

/** The text of a scalar; undefined for anything else. */
export const scalarText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;

/** A boolean, or a text or number that stands for one; undefined for anything else. */
export function booleanIn(value: unknown): boolean | undefined {
  return booleans.get(scalarText(value)?.trim().toLowerCase() ?? '');
}
