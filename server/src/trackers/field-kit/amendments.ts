import { scalarText } from '../../kernel/values.ts';
import type { Entry } from '../field-type.ts';
import type { Field } from '../model.ts';
import { integerIn, itemsIn, member, refuseTooMany, wrongValue } from './entry.ts';

/** Members of an entry that add single items to a value, change them or take them away, so that nobody need know the others. */
const amendingMembers = [
  'add_value_ids',
  'remove_value_ids',
  'add_values',
  'add_links',
  'remove_links',
  'add_files',
  'remove_files',
  'describe_files',
] as const;

export type AmendingMember = (typeof amendingMembers)[number];

/** Those that an entry has. */
export const amendingIn = (entry: Entry): AmendingMember[] =>
  amendingMembers.filter((name) => member(entry, name) !== undefined);

/** Refuses an entry that says the whole value as well: one of the two would be forgotten. */
export function refuseBoth(
  field: Field,
  entry: Entry,
  amending: readonly string[],
  whole: readonly string[],
): void {
  const both = whole.find((name) => member(entry, name) !== undefined);
  if (both !== undefined)
    throw wrongValue(
      field,
      `\`${amending[0]}\` cannot be combined with \`${both}\`, which is the whole value.`,
    );
}

/** The items of an amending member; none where it is absent. */
export function amendedItems(field: Field, entry: Entry, name: AmendingMember): readonly unknown[] {
  const value = member(entry, name);
  const items = value === undefined ? [] : itemsIn(value);
  if (items === undefined) throw wrongValue(field, `\`${name}\` must be an array.`);
  refuseTooMany(field, items);
  return items;
}

/** Ids that are numbers or texts such as `101_3`, each once, as text. */
export function amendedIds(field: Field, entry: Entry, name: AmendingMember): string[] {
  const ids = amendedItems(field, entry, name).map((item) => {
    const id = typeof item === 'object' ? '' : (scalarText(item)?.trim() ?? '');
    if (id === '') throw wrongValue(field, `${JSON.stringify(item)} in \`${name}\` is not an id.`);
    return id;
  });
  return [...new Set(ids)];
}

/** Ids that are numbers. */
export function amendedNumbers(field: Field, entry: Entry, name: AmendingMember): number[] {
  return amendedIds(field, entry, name).map((text) => {
    const id = integerIn(text);
    if (id === undefined || id < 1)
      throw wrongValue(field, `${JSON.stringify(text)} in \`${name}\` is not an id.`);
    return id;
  });
}

/** Nothing can be added and taken away by one change. */
export function refuseCommon(
  field: Field,
  added: readonly (number | string)[],
  removed: readonly (number | string)[],
  [adding, removing]: readonly [AmendingMember, AmendingMember],
): void {
  const common = added.find((id) => removed.includes(id));
  if (common !== undefined) throw wrongValue(field, `\`${adding}\` and \`${removing}\` both name ${common}.`);
}
