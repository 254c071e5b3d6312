import { arrayCell, criterionText, integerIn, joinedItems, readOnly } from '../field-kit/index.ts';
import { anyOf, type Condition, type LinkEnd, nothing } from '../query/index.ts';

/** A link refers, too. */
function referenceTo(id: number): Condition {
  const end: LinkEnd = { is: 'artifact', id };
  return anyOf([
    { is: 'referenced', id },
    { is: 'linked', direction: 'forward', end },
    { is: 'linked', direction: 'reverse', end },
  ]);
}

const namesIn = (references: string): string[] =>
  JSON.parse(references).map(({ ref }: { readonly ref: string }) => ref);

/** References between this artifact and other things. */
export const crossField = readOnly('cross', {
  search: {
    operators: ['contains'],
    filled: null,
    criterion(field, { value }) {
      const text = criterionText(field, value).trim();
      if (text === '') return undefined;
      const id = integerIn(text);
      return id === undefined ? nothing : referenceTo(id);
    },
  },
  cell: {
    write: (_field, _value, context) => joinedItems(namesIn(context.references())),
  },
  row: {
    type: () => 'references',
    cell: (_field, _value, context) => arrayCell(JSON.parse(context.references())),
  },
  value: {
    isAlwaysShown: true,
    needs: ['links', 'references'],
    show: (_field, _value, context) => `"value":${context.references()}`,
  },
});
