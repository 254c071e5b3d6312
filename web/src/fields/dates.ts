import type { Formats } from '../messages/index.ts';
import { arriving } from './arriving.tsx';
import { dateFilterWords } from './filter-words.ts';
import { type Field, type FieldType, type FieldValue, textIn, withValue } from './model.ts';
import { simpleType } from './simple.ts';

export const hasTime = (field: Field): boolean => field.is_time_displayed === true;

const summary = (value: FieldValue | undefined, formats: Formats): string => {
  const at = textIn(value?.['value']);
  if (at === '') return '';
  return value?.['is_time_displayed'] === true ? formats.moment(at) : formats.day(at);
};

const filters: Partial<FieldType> = {
  Filter: arriving((parts) => parts.DateFilter),
  filterWords: dateFilterWords,
  groupedBy: 'date',
};

export const dateType = simpleType('date', {
  holds: 'day',
  Reader: arriving((parts) => parts.DateReader),
  Control: arriving((parts) => parts.DateControl),
  summary,
  ...filters,
  cellOf: (field, value) => ({ value: value['value'], with_time: hasTime(field) }),
  valueOfCell: (field, cell) => withValue(field, { value: cell.value, is_time_displayed: hasTime(field) }),
  defaultOf: (field) => {
    const at = textIn(field.default_value);
    return at === ''
      ? undefined
      : withValue(field, { value: at.replace(' ', 'T'), is_time_displayed: hasTime(field) });
  },
});

const moments = {
  Reader: arriving((parts) => parts.MomentReader),
  summary,
  defaultOf: () => undefined,
  ...filters,
};
export const subonType = simpleType('subon', { ...moments, fact: '@submitted_on' });
export const ludType = simpleType('lud', { ...moments, fact: '@last_update_date' });
