import { invalid } from '../../kernel/errors.ts';
import { textOf } from '../../kernel/xml.ts';
import type { Field } from '../model.ts';
import { plainText } from '../text/index.ts';
import { changeOf, valueElement } from './archived.ts';
import { count, line, numberProperty, plainValue, textIn, textProperty, wrongValue } from './entry.ts';
import type { Entry, FieldType, Stored, WritingContext } from './field-type.ts';

function checkLength(field: Field, text: string): string {
  const longest = numberProperty(field.properties, 'maxchars');
  if (longest > 0 && [...text].length > longest)
    throw wrongValue(field, `It must have at most ${longest} characters.`);
  return text;
}

function accept(field: Field, entry: Entry): string {
  const text = textIn(field, plainValue(field, entry));
  if (/[\r\n]/.test(text)) throw wrongValue(field, 'It must be one line of text.');
  if (Buffer.byteLength(text) > 65_535) throw wrongValue(field, 'It must have at most 65535 bytes.');
  return checkLength(field, text);
}

/** What fits on one line of a text in any format. */
function lineOf(value: Stored): string {
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
      ...line('', 65_535),
      check(value, name) {
        const text = line('', 65_535).check(value ?? '', name);
        if (/[\r\n]/.test(String(text)))
          throw invalid(`Invalid value specified for \`specific_properties.${name}\`. It must be one line.`);
        return text;
      },
    },
  },
  describe: ({ properties }) => ({ default_value: textProperty(properties, 'default_value') }),
  value: {
    isAlphanumeric: true,
    accept,
    acceptByName: accept,
    initial: ({ properties }: Field, _context: WritingContext) => textProperty(properties, 'default_value'),
    isEmpty: (value) => value === '',
    isEcho: (_field, entry, stored) => (entry['value'] ?? '') === stored && Object.hasOwn(entry, 'value'),
    show: (_field, value = '') => `"value":${JSON.stringify(value)}`,
    flat: (_field, value = '') => value,
    texts: (content) => [{ content, format: 'text' }],
  },
  archived: {
    type: 'string',
    alsoReads: ['text', 'int', 'float'],
    write: (field, value) => changeOf(field, 'string', [valueElement(value)]),
    // A line that is too long, or more than one, is kept: it was possible where it comes from.
    read: (_field, change) => textOf(change, 'value').replaceAll(/[\r\n]+/g, ' '),
  },
  move: { family: () => 'text', take: async (_field, value) => ({ value: lineOf(value), isWhole: true }) },
};
