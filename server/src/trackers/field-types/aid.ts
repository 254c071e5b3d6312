import { factSearch, idComparing } from '../field-kit/number-search.ts';
import { readOnly } from '../field-kit/read-only.ts';
import { factRow } from '../field-kit/row-cell.ts';

/** The id of the artifact. */
export const aidField = readOnly('aid', {
  search: factSearch('id'),
  cell: { isArtifactId: true, write: (_field, _value, { artifact }) => String(artifact.id) },
  row: factRow('id', ({ id }) => id),
  alwaysThere: { name: '@id', compare: idComparing },
  value: {
    isAlphanumeric: true,
    isAlwaysShown: true,
    show: (_field, _value, { artifact }) => `"value":${artifact.id}`,
    flat: (_field, _value, { artifact }) => artifact.id,
  },
});
