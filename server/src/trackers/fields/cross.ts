import { readOnly } from './read-only.ts';

/** References between this artifact and other things. */
export const crossField = readOnly('cross', {
  value: {
    isAlwaysShown: true,
    needs: ['links', 'references'],
    show: (_field, _value, context) => `"value":${context.references()}`,
  },
});
