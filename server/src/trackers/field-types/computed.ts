import { booleanIn } from '../../kernel/values.ts';
import { childOf, element, isTrue, textOf, type XmlElement } from '../../kernel/xml.ts';
import {
  changeOf,
  line,
  member,
  numberCell,
  optionalNumber,
  withPoint,
  wrongValue,
} from '../field-kit/index.ts';
import type { ArchiveReading, Entry, FieldType, ShowingContext } from '../field-type.ts';
import type { Field } from '../model.ts';

const numeric = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

function manualIn(field: Field, input: unknown): number | undefined {
  if (input === undefined || input === '') return undefined;
  const text = typeof input === 'number' || typeof input === 'string' ? String(input).trim() : '';
  const number = Number(text);
  if (text.length > 400 || !numeric.test(text) || !Number.isFinite(number))
    throw wrongValue(field, '`manual_value` must be a number.');
  return number === 0 ? 0 : number;
}

function automaticIn(field: Field, input: unknown): boolean | undefined {
  if (input === undefined || input === '') return undefined;
  const isAutomatic = booleanIn(input);
  if (isAutomatic === undefined) throw wrongValue(field, '`is_autocomputed` must be true or false.');
  return isAutomatic;
}

/** The value set by hand, or null: the sum counts. */
function accept(field: Field, entry: Entry): number | null {
  const isAutomatic = automaticIn(field, member(entry, 'is_autocomputed'));
  const manual = manualIn(field, member(entry, 'manual_value'));
  if (isAutomatic === undefined && manual === undefined)
    throw wrongValue(field, 'The entry needs `manual_value` or `is_autocomputed`.');
  if (!isAutomatic) {
    if (manual === undefined) throw wrongValue(field, 'Without `is_autocomputed` it needs a `manual_value`.');
    return manual;
  }
  if (manual !== undefined)
    throw wrongValue(field, '`manual_value` and `is_autocomputed` cannot be given together.');
  return null;
}

/** Both at once, and whatever is no number, say nothing. */
function readArchived(field: Field, change: XmlElement, context: ArchiveReading): number | null | undefined {
  const text = textOf(change, 'manual_value').trim();
  const isAutomatic = isTrue(textOf(change, 'is_autocomputed'));
  if (text === '') return isAutomatic || childOf(change, 'manual_value') !== undefined ? null : undefined;
  const number = Number(text);
  if (!isAutomatic && Number.isFinite(number)) return number === 0 ? 0 : number;
  if (!isAutomatic) context.warn('invalid_value', `${field.name} takes numbers only.`);
  return undefined;
}

/** Where there is room for a number alone, a sum of which the viewer sees a part only would pass for the whole. */
function wholeTotal(field: Field, context: ShowingContext): number | null {
  const { value, isPartial } = context.total(field);
  return isPartial ? null : value;
}

function show(field: Field, manual: number | null, context: ShowingContext): string {
  const { value, isPartial } = context.total(field);
  const members = `"is_autocomputed":${manual === null},"value":${value},"manual_value":${manual}`;
  return isPartial ? `${members},"is_partial":true` : members;
}

/** The sum of the fields of the same name in the linked artifacts, or a number set by hand. */
export const computedField: FieldType<number | null> = {
  code: 'computed',
  kind: 'field',
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  roles: ['amount', 'initial_effort'],
  properties: {
    target_field_name: {
      initial: null,
      check: (value, name) => (value === null || value === '' ? null : line('').check(value, name)),
    },
    default_value: optionalNumber(false),
  },
  archivedProperties: {
    // The name of another field means nothing any more: it sums up fields of its own name.
    write: ({ default_value: value }) => ({ default_value: value ?? undefined }),
    read: ({ default_value: value = '' }) => ({ default_value: value }),
  },
  archived: {
    type: 'computed',
    write: (field, manual) =>
      changeOf(field, 'computed', [
        manual === null ? element('is_autocomputed', {}, '1') : element('manual_value', {}, String(manual)),
      ]),
    read: readArchived,
  },
  cell: {
    write: (field, manual = null, context) => String(manual ?? wholeTotal(field, context) ?? ''),
    read: (_field, cell) =>
      cell.trim() === '' ? { is_autocomputed: true } : { manual_value: withPoint(cell.trim()) },
  },
  row: {
    type: () => 'numeric',
    cell: (field, manual = null, context) => numberCell(manual ?? wholeTotal(field, context)),
  },
  describe: ({ properties: { default_value: value } }) => ({
    default_value: typeof value === 'number' ? { type: 'manual_value', value } : null,
  }),
  value: {
    isAlphanumeric: true,
    isAlwaysShown: true,
    needs: ['totals'],
    accept,
    initial: ({ properties: { default_value: value } }) => (typeof value === 'number' ? value : null),
    isEmpty: () => false,
    show: (field, manual = null, context) => show(field, manual, context),
    flat: (field, manual = null, context) => manual ?? wholeTotal(field, context),
    contribution: (_field, manual = null) => manual ?? 'descend',
  },
};
