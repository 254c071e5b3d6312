import { arriving } from './arriving.tsx';
import { type FieldValue, withValue } from './model.ts';
import { simpleType } from './simple.ts';

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const namesIn = (value: FieldValue | undefined): string[] => textsIn(value?.['granted_groups']);
export const idsIn = (value: FieldValue | undefined): string[] => textsIn(value?.['granted_groups_ids']);

export const permType = simpleType('perm', {
  isForWholeForm: true,
  Reader: arriving((parts) => parts.PermissionsReader),
  Control: arriving((parts) => parts.PermissionsControl),
  entryOf: (field, value) => ({ field_id: field.field_id, value: { granted_groups: idsIn(value) } }),
  cellOf: (_field, value) => ({
    value: namesIn(value).map((label, place) => ({ id: idsIn(value)[place], label })),
  }),
  valueOfCell: (field) => withValue(field, { granted_groups: [], granted_groups_ids: [] }),
  defaultOf: () => undefined,
  isEmpty: (value) => idsIn(value).length === 0,
  summary: (value, formats) => formats.list(namesIn(value)),
});
