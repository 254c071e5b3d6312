import type { FieldSettings } from '../calls.ts';
import { formElementType } from '../form-elements.ts';

export const rights = ['read', 'submit', 'update'] as const;
export type Right = (typeof rights)[number];

/** `field right group`: whether it is given. */
export type Marks = ReadonlyMap<string, boolean>;

export const markKey = (fieldId: number, right: Right, groupId: string): string =>
  `${fieldId} ${right} ${groupId}`;

const lists = { read: 'can_read', submit: 'can_submit', update: 'can_update' } as const;

/** All that is granted on the fields of a tracker. */
export function marksOf(elements: readonly FieldSettings[]): Map<string, boolean> {
  const marks = new Map<string, boolean>();
  for (const { field_id: id, permissions_for_groups: groups } of elements)
    for (const right of rights)
      for (const group of groups?.[lists[right]] ?? []) marks.set(markKey(id, right, group.id), true);
  return marks;
}

/** Marks with changes laid over them. */
export const changed = (marks: Marks, changes: Marks): Map<string, boolean> =>
  new Map([...marks, ...changes]);

/** Changes without those that change nothing. */
export const onlyChanges = (marks: Marks, changes: Marks): Map<string, boolean> =>
  new Map([...changes].filter(([key, isGiven]) => (marks.get(key) ?? false) !== isGiven));

/** What a type of field has rights for. */
export function rightsOfType(type: string): readonly Right[] {
  const { kind, isFilled, isUpdated } = formElementType(type);
  if (kind !== 'field') return [];
  return ['read', ...(isFilled ? ['submit' as const] : []), ...(isUpdated ? ['update' as const] : [])];
}

/** Groups that hold a right because everybody in them is in another group that has it. */
export function impliedBy(groupId: string): (other: string) => boolean {
  const number = Number(groupId.split('_').at(-1));
  const isOwn = !groupId.includes('_') && number > 100;
  const isMembers = groupId.endsWith('_3');
  const isAdministrators = groupId.endsWith('_4');
  return (other) => {
    if (other === groupId) return false;
    if (other === '1') return true;
    if (other === '5') return groupId !== '1';
    if (other === '2') return isMembers || isAdministrators || isOwn;
    return other.endsWith('_3') && isAdministrators;
  };
}
