import type { Field, Properties } from '../model.ts';
import {
  count,
  line,
  numberProperty,
  plainValue,
  readBack,
  refuseProperty,
  textIn,
  textProperty,
  wrongValue,
} from './entry.ts';
import type { Entry, FieldType, WritingContext } from './field-type.ts';

const mostBytes = 65_535;

/** What is wrong with a text as a value; undefined when nothing is. */
function faultOf(text: string, properties: Properties): string | undefined {
  const longest = numberProperty(properties, 'maxchars');
  if (/[\r\n]/.test(text)) return 'It must be one line of text.';
  if (Buffer.byteLength(text) > mostBytes) return `It must have at most ${mostBytes} bytes.`;
  return longest > 0 && [...text].length > longest
    ? `It must have at most ${longest} characters.`
    : undefined;
}

function accept(field: Field, entry: Entry): string {
  const text = textIn(field, plainValue(field, entry));
  const fault = faultOf(text, field.properties);
  if (fault !== undefined) throw wrongValue(field, fault);
  return text;
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
      ...line('', mostBytes),
      check: (value, name) => line('', mostBytes).check(value ?? '', name),
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
  },
};
