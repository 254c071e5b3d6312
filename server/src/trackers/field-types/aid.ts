import { factRow, factSearch, idComparing, readOnly } from '../field-kit/index.ts';

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
