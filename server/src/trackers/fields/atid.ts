import { factSearch } from './number-search.ts';
import { readOnly } from './read-only.ts';

/** The number of the artifact inside its tracker. */
export const atidField = readOnly('atid', {
  search: factSearch('number'),
  value: {
    isAlphanumeric: true,
    isAlwaysShown: true,
    show: (_field, _value, { artifact }) => `"value":${artifact.number}`,
    flat: (_field, _value, { artifact }) => artifact.number,
  },
});
