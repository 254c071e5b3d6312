import type { Condition, LinkEnd } from '../condition.ts';
import { anyOf, nothing } from '../conditions.ts';
import { integerIn } from './entry.ts';
import { readOnly } from './read-only.ts';
import { criterionText } from './text-search.ts';

/** A link refers, too. */
function referenceTo(id: number): Condition {
  const end: LinkEnd = { is: 'artifact', id };
  return anyOf([
    { is: 'referenced', id },
    { is: 'linked', direction: 'forward', end },
    { is: 'linked', direction: 'reverse', end },
  ]);
}

/** References between this artifact and other things. */
export const crossField = readOnly('cross', {
  search: {
    operators: ['contains'],
    criterion(field, { value }) {
      const text = criterionText(field, value).trim();
      if (text === '') return undefined;
      const id = integerIn(text);
      return id === undefined ? nothing : referenceTo(id);
    },
  },
  value: {
    isAlwaysShown: true,
    needs: ['links', 'references'],
    show: (_field, _value, context) => `"value":${context.references()}`,
  },
});
