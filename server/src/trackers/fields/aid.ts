import { readOnly } from './read-only.ts';

/** The id of the artifact. */
export const aidField = readOnly('aid', {
  value: {
    isAlphanumeric: true,
    isAlwaysShown: true,
    show: (_field, _value, { artifact }) => `"value":${artifact.id}`,
    flat: (_field, _value, { artifact }) => artifact.id,
  },
});
