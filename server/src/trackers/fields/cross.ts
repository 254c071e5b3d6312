import { nothing } from '../conditions.ts';
import { integerIn } from './entry.ts';
import { readOnly } from './read-only.ts';
import { criterionText } from './text-search.ts';

/** References between this artifact and other things. */
export const crossField = readOnly('cross', {
  search: {
    operators: ['contains'],
    criterion(field, { value }) {
      const text = criterionText(field, value).trim();
      if (text === '') return undefined;
      const id = integerIn(text);
      return id === undefined ? nothing : { is: 'referenced', id };
    },
  },
  value: {
    isAlwaysShown: true,
    needs: ['links', 'references'],
    show: (_field, _value, context) => `"value":${context.references()}`,
  },
});
