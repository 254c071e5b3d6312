import { textOf } from '../../kernel/xml.ts';
import type { ArchiveReading, Entry, FieldType, WritingContext } from '../field-type.ts';
import type { Field } from '../model.ts';
import { numberCell } from './across-trackers.ts';
import { withPoint } from './csv-cell.ts';
import { count, optionalNumber, plainValue, wrongValue } from './entry.ts';
import { changeOf, valueElement } from './in-archives.ts';
import { longestNumber, numberSearch, signedNumber } from './number-search.ts';

interface NumberKind {
  readonly code: string;
  readonly isWhole: boolean;
  readonly form: RegExp;
  readonly words: string;
}

function numberIn({ form, isWhole, words }: NumberKind, field: Field, value: unknown): number | null {
  if (value === '') return null;
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (text.length > longestNumber || !form.test(text)) throw wrongValue(field, words);
  const number = signedNumber(text);
  if (isWhole ? !Number.isSafeInteger(number) : !Number.isFinite(number))
    throw wrongValue(field, 'The number is too large.');
  return number;
}

/** The number that a workflow sets; texts that are one come from XML. */
function settingIn({ isWhole }: NumberKind, input: unknown): number | undefined {
  const number = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  if (typeof number !== 'number') return undefined;
  const fits = isWhole ? Number.isSafeInteger(number) : Number.isFinite(number);
  return fits ? number : undefined;
}

/** Archives write numbers with as many digits as they like: `49.3000`, and `3.0` for a whole one. */
function readArchived(
  { isWhole }: NumberKind,
  { name }: Field,
  text: string,
  context: ArchiveReading,
): number | null | undefined {
  if (text === '') return null;
  const number = text.length > longestNumber ? Number.NaN : Number(text);
  if (isWhole ? Number.isSafeInteger(number) : Number.isFinite(number)) return number === 0 ? 0 : number;
  context.warn('invalid_value', `${JSON.stringify(text.slice(0, 50))} is no number for the field ${name}.`);
  return undefined;
}

/** Fields that hold one number. */
export function numberField(kind: NumberKind): FieldType<number | null> {
  const accept = (field: Field, entry: Entry, context: WritingContext) =>
    numberIn(kind, field, plainValue(field, entry, context));
  return {
    code: kind.code,
    kind: 'field',
    parents: ['column', 'fieldset', null],
    isUpdatable: true,
    isSubmittable: true,
    roles: ['amount', 'initial_effort'],
    properties: { maxchars: count(0), size: count(5), default_value: optionalNumber(kind.isWhole) },
    describe: ({ properties }) => ({ default_value: properties['default_value'] ?? null }),
    value: {
      isAlphanumeric: true,
      accept,
      acceptByName: accept,
      initial: ({ properties: { default_value: initial } }) =>
        typeof initial === 'number' ? initial : undefined,
      isEmpty: (value) => value === null,
      isEcho: (_field, { value }, stored) => stored === null && value === null,
      show: (_field, value = null) => `"value":${value}`,
      flat: (_field, value = null) => value,
      contribution: (_field, value = null) => value,
      measured: (_field, value) => (value === null ? [] : [value]),
      hasSortedMeasures: true,
    },
    cell: {
      write: (_field, value = null) => (value === null ? '' : String(value)),
      read: (_field, cell) => ({ value: withPoint(cell.trim()) }),
    },
    row: { type: () => 'numeric', cell: (_field, value = null) => numberCell(value), sort: 'measure' },
    archived: {
      type: kind.code,
      alsoReads: ['int', 'float', 'string'],
      write: (field, value) =>
        changeOf(field, kind.code, [valueElement(value === null ? '' : String(value))]),
      read: (field, change, context) => readArchived(kind, field, textOf(change, 'value').trim(), context),
    },
    search: numberSearch(kind.isWhole ? 'integer field' : 'float field', kind.isWhole),
    across: { family: () => 'number', cell: (_field, value = null) => numberCell(value) },
    move: {
      family: () => 'number',
      async take(_field, value) {
        const number = typeof value === 'number' && kind.isWhole ? Math.trunc(value) : value;
        return { value: typeof number === 'number' ? number : null, isWhole: true };
      },
    },
    workflow: {
      setting: (input) => settingIn(kind, input),
      accepts: kind.isWhole ? 'an integer' : 'a number',
      value: (_field, setting) => Number(setting),
    },
  };
}
