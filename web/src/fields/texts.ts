import { arriving } from './arriving.tsx';
import { wordsFilterWords } from './filter-words.ts';
import { type Field, type FieldValue, isMembers, textIn, withValue } from './model.ts';
import { simpleType } from './simple.ts';

export type TextFormat = 'text' | 'html' | 'commonmark';

/** The API calls Markdown `html` and puts its source beside it. */
export function formatOf(value: FieldValue | undefined): TextFormat {
  if (value === undefined || typeof value['commonmark'] === 'string') return 'commonmark';
  return value['format'] === 'html' ? 'html' : 'text';
}

export const sourceOf = (value: FieldValue | undefined): string =>
  textIn(formatOf(value) === 'commonmark' ? value?.['commonmark'] : value?.['value']);

/** A text that is not stored yet has no rendering: its source is shown meanwhile. */
export const withText = (field: Field, format: TextFormat, content: string): FieldValue =>
  withValue(field, {
    value: format === 'commonmark' ? '' : content,
    format: format === 'text' ? 'text' : 'html',
    post_processed_value: '',
    commonmark: format === 'commonmark' ? content : undefined,
  });

export const textType = simpleType('text', {
  holds: 'text',
  Reader: arriving((parts) => parts.TextReader),
  Control: arriving((parts) => parts.TextControl),
  Filter: arriving((parts) => parts.WordsFilter),
  filterWords: wordsFilterWords,
  isWide: true,
  entryOf: (field, value) => ({
    field_id: field.field_id,
    value: { content: sourceOf(value), format: formatOf(value) },
  }),
  cellOf: (_field, value) => ({ value: sourceOf(value).slice(0, 300), is_cut: sourceOf(value).length > 300 }),
  valueOfCell: (field, cell) => withText(field, 'text', textIn(cell.value)),
  defaultOf: (field) => {
    const given = isMembers(field.default_value) ? field.default_value : {};
    const content = textIn(given['content']);
    return content === '' ? undefined : withText(field, 'commonmark', content);
  },
  isEmpty: (value) => sourceOf(value).trim() === '',
  summary: (value) => sourceOf(value),
});
