import type { Tracker } from '@atelier/client/routes';
import {
  type BulkAct,
  bulkRulesOf,
  dueFieldId,
  type Field,
  type FieldPlace,
  type FieldValue,
  fieldTypes,
  statusField,
} from '../../fields/index.ts';
import type { FieldEntry } from '../../store/index.ts';

/** What shall become of one field. */
export interface FieldWish {
  readonly field: Field;
  readonly act: BulkAct;
  readonly value: FieldValue;
}

/** What shall become of every artifact that is selected. */
export interface BulkWish {
  readonly fields: readonly FieldWish[];
  readonly parent?: { readonly field: Field; readonly id: number; readonly xref: string } | undefined;
  readonly comment: string;
}

export const nothingWished: BulkWish = { fields: [], comment: '' };

export const isWished = ({ fields, parent, comment }: BulkWish): boolean =>
  fields.length > 0 || parent !== undefined || comment.trim() !== '';

/** A wish with what is said about one field in place of what was said before; undefined: nothing any more. */
export const withField = (wish: BulkWish, field: Field, next: FieldWish | undefined): BulkWish => ({
  ...wish,
  fields: [...wish.fields.filter((one) => one.field !== field), ...(next === undefined ? [] : [next])],
});

/** Fields that can be changed in many artifacts, those that people change most first. */
export function bulkFields(tracker: Tracker): readonly Field[] {
  const first = [
    statusField(tracker)?.field_id,
    tracker.semantics.contributor?.field_id,
    tracker.fields.find(({ name }) => /^(priority|severity)$/.test(name))?.field_id,
    dueFieldId(tracker),
  ];
  const place = ({ field_id: id }: Field) => {
    const at = first.indexOf(id);
    return at === -1 ? first.length : at;
  };
  return tracker.fields
    .filter((field) => bulkRulesOf(field) !== undefined)
    .toSorted((left, right) => place(left) - place(right));
}

/** Links and a parent are one field: what is said about it is sent as one. */
export function entriesOf({ fields, parent }: BulkWish): FieldEntry[] {
  const byField = new Map<number, FieldEntry>();
  const add = (entry: FieldEntry & { readonly field_id?: unknown }) => {
    const id = Number(entry.field_id);
    byField.set(id, { ...byField.get(id), ...entry });
  };
  for (const { field, act, value } of fields) {
    const entry = bulkRulesOf(field)?.entryOf(field, value, act);
    if (entry !== undefined) add(entry);
  }
  if (parent !== undefined) add({ field_id: parent.field.field_id, parent: { id: parent.id } });
  return [...byField.values()];
}

/** Whether every artifact needs something of its own, so that they are changed one after the other. */
export const isOneByOne = ({ fields }: BulkWish): boolean =>
  fields.some(({ field }) => bulkRulesOf(field)?.entryForOne !== undefined);

/** What is sent for the next artifact alone. */
export async function entriesForOne(wish: BulkWish): Promise<FieldEntry[]> {
  const entries = entriesOf(wish);
  for (const { field, value } of wish.fields) {
    const own = await bulkRulesOf(field)?.entryForOne?.(field, value);
    const place = entries.findIndex((entry) => entry['field_id'] === field.field_id);
    if (own !== undefined) entries[place] = own;
  }
  return entries;
}

/** The fields that a wish is about. */
export const fieldsOf = ({ fields, parent }: BulkWish): readonly Field[] => [
  ...new Set([...fields.map(({ field }) => field), ...(parent === undefined ? [] : [parent.field])]),
];

/** The whole value of a field as it was, to put it back. */
export function entryBefore(field: Field, before: FieldValue | undefined, hasParent: boolean): FieldEntry {
  const { field_id, type, label } = field;
  const value = { ...(before ?? { field_id, type, label }), ...(hasParent ? { changes_reverse: true } : {}) };
  return fieldTypes[field.type]?.entryOf(field, value) ?? { field_id };
}

/** Of many artifacts nobody knows where they stand: all values are offered, and the preview tells who cannot have them. */
export const placeOfMany = (tracker: Tracker): FieldPlace => ({
  projectId: tracker.project.id,
  tracker,
  isMany: true,
  seenValue: () => undefined,
});
