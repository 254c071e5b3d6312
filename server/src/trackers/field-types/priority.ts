import { count, factRow, factSearch, optionalNumber, readOnly } from '../field-kit/index.ts';

/** The rank of the artifact. */
export const priorityField = readOnly('priority', {
  properties: { maxchars: count(0), size: count(5), default_value: optionalNumber(true) },
  describe: ({ properties }) => ({ default_value: properties['default_value'] ?? null }),
  search: factSearch('rank'),
  cell: { write: (_field, _value, { artifact }) => String(artifact.rank) },
  row: factRow('rank', ({ rank }) => rank),
  value: {
    isAlphanumeric: true,
    isAlwaysShown: true,
    show: (_field, _value, { artifact }) => `"value":${artifact.rank}`,
    flat: (_field, _value, { artifact }) => artifact.rank,
  },
});
