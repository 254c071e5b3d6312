/** An object of JSON: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const booleans = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** A boolean, or a text or number that stands for one; undefined for anything else. */
export function booleanIn(value: unknown): boolean | undefined {
  const isScalar = typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string';
  return isScalar ? booleans.get(String(value).trim().toLowerCase()) : undefined;
}
