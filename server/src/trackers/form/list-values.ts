import { invalid, invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';
import { toFlag } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import { groupName, requireGroups } from '../groups.ts';
import type { Bind, Field, ListValue, StoredBind, Tracker } from '../model.ts';
import { requireFieldForWriting } from '../policy.ts';
import { oneLine, paragraph } from '../texts.ts';

export interface NewListValue {
  readonly label: string;
  readonly description?: string;
  /** A colour of the palette, `#RRGGBB`, or null. */
  readonly color?: string | null;
  readonly isHidden?: boolean;
  readonly isDefault?: boolean;
}

/** A value ready to be stored. */
export type ValueToStore = Omit<ListValue, 'id' | 'rank'> & { readonly isDefault: boolean };

/** Values that one request may add. */
const mostValues = 1000;

function checkCount(member: string, items: readonly unknown[]): void {
  if (items.length > mostValues) throw invalidMember(member, `Maximum ${mostValues} items allowed.`);
}

export function staticValues(member: string, values: readonly NewListValue[]): ValueToStore[] {
  checkCount(member, values);
  return values.map(({ label, description = '', color, isHidden = false, isDefault = false }, index) => ({
    label: oneLine(`${member}[${index}][label]`, label),
    description: paragraph(`${member}[${index}][description]`, description),
    color: color ?? '',
    isHidden,
    isDefault,
    groupId: null,
  }));
}

export function groupValues(tracker: Tracker, groups: readonly number[]): ValueToStore[] {
  return groups.map((groupId) => ({
    label: groupName(tracker.projectGroups, groupId) ?? '',
    description: '',
    color: '',
    isHidden: false,
    isDefault: false,
    groupId,
  }));
}

export interface StoredValue extends ValueToStore {
  readonly id: number;
}

/** Stores values behind those that are there; gives them with their ids. */
export async function insertValues(
  tx: Transaction,
  { fieldId, firstRank }: { fieldId: number; firstRank: number },
  values: readonly ValueToStore[],
): Promise<StoredValue[]> {
  if (values.length === 0) return [];
  const rows = values.map(({ label, description, color, isHidden, groupId }, index) => ({
    field_id: fieldId,
    label,
    description,
    rank: firstRank + index,
    is_hidden: toFlag(isHidden),
    color,
    group_id: groupId,
    deleted_at: null,
  }));
  const stored = await tx.all(tx.sql.insertInto('list_value').values(rows).returning(['id', 'rank']));
  const ids = new Map(stored.map(({ id, rank }) => [rank, id]));
  return values.map((value, index) => ({ ...value, id: ids.get(firstRank + index) ?? 0 }));
}

export async function storeBind(
  tx: Transaction,
  fieldId: number,
  { kind, groups, isAlphabetic, defaults, noneColor }: StoredBind,
): Promise<void> {
  const bind = JSON.stringify({ kind, groups, isAlphabetic, defaults, noneColor } satisfies StoredBind);
  await tx.run(tx.sql.updateTable('tracker_field').set({ bind }).where('id', '=', fieldId));
}

interface Additions {
  readonly id: number;
  readonly values?: readonly NewListValue[];
  readonly groups?: readonly string[];
}

function valuesToAdd(tracker: Tracker, bind: Bind, { values, groups }: Additions): ValueToStore[] {
  if (bind.kind === 'users')
    throw invalid('The values of this list are people: it has no values of its own.');
  if (bind.kind === 'static') {
    if (groups !== undefined) throw invalidMember('groups', 'The values of this list are not groups.');
    return staticValues('values', values ?? []);
  }
  if (values !== undefined) throw invalidMember('values', 'The values of this list are user groups.');
  const known = bind.values.map(({ groupId }) => groupId);
  const added = requireGroups(tracker, 'groups', groups ?? []).filter((id) => !known.includes(id));
  return groupValues(tracker, added);
}

/** The defaults of a list after values were added to it: a list of one value has one default, the newest. */
function defaultsWith({ bind, type }: Field, added: readonly StoredValue[]): readonly number[] {
  const ids = added.filter(({ isDefault }) => isDefault).map(({ id }) => id);
  return type.isMultiple ? [...(bind?.defaults ?? []), ...ids] : ids.slice(-1);
}

const nextRank = ({ values }: Bind) => Math.max(-1, ...values.map(({ rank }) => rank)) + 1;

/** Adds values that are nothing but labels; `member` is what a wrong one is blamed on. */
export async function addStaticValues(
  tx: Transaction,
  { id: fieldId, bind }: Field,
  labels: readonly string[],
  member: string,
): Promise<void> {
  checkCount(member, labels);
  const values = labels.map((label) => ({
    label: oneLine(member, label),
    description: '',
    color: '',
    isHidden: false,
    isDefault: false,
    groupId: null,
  }));
  await insertValues(tx, { fieldId, firstRank: bind === null ? 0 : nextRank(bind) }, values);
}

/** Adds values to the end of a list; gives the id of its tracker. */
export async function addListValues(tx: Transaction, viewer: Viewer, additions: Additions): Promise<number> {
  const { field, tracker } = await requireFieldForWriting(tx, viewer, additions.id);
  const { bind, id: fieldId } = field;
  if (bind === null) throw invalid(`The field "${field.label}" is not a list.`);
  const values = valuesToAdd(tracker, bind, additions);
  const stored = await insertValues(tx, { fieldId, firstRank: nextRank(bind) }, values);
  if (stored.some(({ isDefault }) => isDefault))
    await storeBind(tx, fieldId, { ...bind, defaults: defaultsWith(field, stored) });
  await trackerChanged(tx, viewer, tracker);
  return tracker.id;
}
