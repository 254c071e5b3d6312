import type { Formats } from '../messages/index.ts';
import { cellTypes, FieldCell } from './cells.tsx';
import type { Field, FieldType, FieldValue, RowCell } from './model.ts';
import { withValue } from './model.ts';

/** What types that nobody can change have in common, and those that keep one member `value`. */
export function simpleType(code: string, given: Pick<FieldType, 'Reader'> & Partial<FieldType>): FieldType {
  return {
    code,
    Cell: cellTypes[code] ?? FieldCell,
    isChoice: false,
    isWide: false,
    entryOf: (field: Field, value: FieldValue) => ({ field_id: field.field_id, value: value['value'] ?? '' }),
    cellOf: (_field: Field, value: FieldValue): RowCell => ({ value: value['value'] }),
    valueOfCell: (field: Field, cell: RowCell) => withValue(field, { value: cell.value }),
    defaultOf: (field: Field) =>
      field.default_value === null || field.default_value === undefined || field.default_value === ''
        ? undefined
        : withValue(field, { value: field.default_value }),
    isEmpty: (value) =>
      value === undefined || value['value'] === null || value['value'] === '' || value['value'] === undefined,
    summary: (value: FieldValue | undefined, _formats: Formats) => String(value?.['value'] ?? ''),
    ...given,
  };
}
