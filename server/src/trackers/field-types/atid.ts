import { factRow, factSearch, readOnly } from '../field-kit/index.ts';

/** The number of the artifact inside its tracker. */
export const atidField = readOnly('atid', {
  search: factSearch('number'),
  cell: { write: (_field, _value, { artifact }) => String(artifact.number) },
  row: factRow('number', ({ number }) => number),
  value: {
    isAlphanumeric: true,
    isAlwaysShown: true,
    show: (_field, _value, { artifact }) => `"value":${artifact.number}`,
    flat: (_field, _value, { artifact }) => artifact.number,
  },
});
