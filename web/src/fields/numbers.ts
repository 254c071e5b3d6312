import { arriving } from './arriving.tsx';
import { numberFilterWords } from './filter-words.ts';
import { numberIn } from './model.ts';
import { simpleType } from './simple.ts';

const Reader = arriving((parts) => parts.NumberReader);
const filters = { Filter: arriving((parts) => parts.NumberFilter), filterWords: numberFilterWords };

export const intType = simpleType('int', {
  holds: 'number',
  Reader,
  Control: arriving((parts) => parts.WholeControl),
  ...filters,
});
export const floatType = simpleType('float', {
  holds: 'number',
  Reader,
  Control: arriving((parts) => parts.DecimalControl),
  ...filters,
});
export const aidType = simpleType('aid', { fact: '@id', Reader, ...filters });
export const atidType = simpleType('atid', { Reader, ...filters });
export const priorityType = simpleType('priority', { Reader, ...filters });

export const computedType = simpleType('computed', {
  isForWholeForm: true,
  Reader: arriving((parts) => parts.ComputedReader),
  Control: arriving((parts) => parts.ComputedControl),
  entryOf: (field, value) => {
    const manual = numberIn(value['manual_value']);
    return manual === null
      ? { field_id: field.field_id, is_autocomputed: true }
      : { field_id: field.field_id, manual_value: manual };
  },
  defaultOf: () => undefined,
  isEmpty: (value) => numberIn(value?.['value']) === null && numberIn(value?.['manual_value']) === null,
  summary: (value, formats) => {
    const number = numberIn(value?.['manual_value']) ?? numberIn(value?.['value']);
    return number === null ? '' : formats.number(number);
  },
});
