import { readOnly } from '../field-kit/index.ts';

/** The chart of the work that remains. */
export const burndownField = readOnly('burndown', {
  isUnique: true,
  value: {
    isAlwaysShown: true,
    needs: ['burndown'],
    show: (_field, _value, context) => `"value":${context.burndown()}`,
  },
});
