import { nothing } from '../conditions.ts';
import { joinedItems } from './cell.ts';
import { integerIn } from './entry.ts';
import { readOnly } from './read-only.ts';
import { criterionText } from './text-search.ts';

const namesIn = (references: string): string[] =>
  JSON.parse(references).map(({ ref }: { readonly ref: string }) => ref);

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
  cell: {
    write: (_field, _value, context) => joinedItems(namesIn(context.references())),
  },
  value: {
    isAlwaysShown: true,
    needs: ['links', 'references'],
    show: (_field, _value, context) => `"value":${context.references()}`,
  },
});
