import { textOf } from '../../kernel/xml.ts';
import {
  changeOf,
  count,
  line,
  lineCell,
  numberProperty,
  plainValue,
  readBack,
  refuseProperty,
  textCell,
  textIn,
  textProperty,
  textSearch,
  valueElement,
  wrongValue,
} from '../field-kit/index.ts';
import type { Entry, FieldType, Stored, WritingContext } from '../field-type.ts';
import type { Field, Properties } from '../model.ts';
import { mostTextBytes, plainText } from '../text/index.ts';

/** What is wrong with a text as a value; undefined when nothing is. */
function faultOf(text: string, properties: Properties): string | undefined {
  const longest = numberProperty(properties, 'maxchars');
  if (/[\r\n]/.test(text)) return 'It must be one line of text.';
  if (Buffer.byteLength(text) > mostTextBytes) return `It must have at most ${mostTextBytes} bytes.`;
  return longest > 0 && [...text].length > longest
    ? `It must have at most ${longest} characters.`
    : undefined;
}

function accept(field: Field, entry: Entry, context: WritingContext): string {
  const text = textIn(field, plainValue(field, entry, context));
  const fault = faultOf(text, field.properties);
  if (fault !== undefined) throw wrongValue(field, fault);
  return text;
}

/** What fits on one line of a text in any format; nothing where the value is no text. */
export function lineOf(value: Stored | undefined): string {
  if (typeof value === 'string') return value;
  const isText = typeof value === 'object' && value !== null && 'content' in value;
  return isText
    ? plainText(value.content, value.format)
        .trim()
        .replaceAll(/\s*[\r\n]+\s*/g, ' ')
    : '';
}

/** One line of text. */
export const stringField: FieldType<string> = {
  code: 'string',
  kind: 'field',
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  roles: ['title'],
  properties: {
    maxchars: count(0),
    size: count(30),
    default_value: {
      ...line('', mostTextBytes),
      check: (value, name) => line('', mostTextBytes).check(value ?? '', name),
    },
  },
  checkProperties(properties) {
    const fault = faultOf(textProperty(properties, 'default_value'), properties);
    if (fault !== undefined) throw refuseProperty('default_value', fault);
  },
  describe: ({ properties }) => ({ default_value: textProperty(properties, 'default_value') }),
  value: {
    isAlphanumeric: true,
    accept,
    acceptByName: accept,
    initial: ({ properties }: Field, _context: WritingContext) => textProperty(properties, 'default_value'),
    isEmpty: (value) => value === '',
    isEcho: (_field, entry, stored, { isXml }) =>
      Object.hasOwn(entry, 'value') && (entry['value'] ?? '') === readBack(stored, isXml),
    show: (_field, value = '') => `"value":${JSON.stringify(value)}`,
    flat: (_field, value = '') => value,
    texts: (content) => [{ content, format: 'text' }],
    searchable: (value) => value,
  },
  cell: { write: (_field, value = '') => value, read: (_field, cell) => ({ value: cell }) },
  row: {
    type: () => 'text',
    cell: (_field, value = '', _context, texts) => textCell(value, texts),
    sort: 'text',
  },
  archived: {
    type: 'string',
    alsoReads: ['text', 'int', 'float'],
    write: (field, value) => changeOf(field, 'string', [valueElement(value)]),
    // A line that is too long, or more than one, is kept: it was possible where it comes from.
    read: (_field, change) => textOf(change, 'value').replaceAll(/[\r\n]+/g, ' '),
  },
  search: textSearch,
  across: { family: () => 'text', cell: (_field, value = '') => lineCell(value) },
  move: { family: () => 'text', take: async (_field, value) => ({ value: lineOf(value), isWhole: true }) },
};
