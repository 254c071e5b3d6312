import { invalidMember } from '../../kernel/errors.ts';
import { groupIds } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import type { FieldType } from '../field-type.ts';
import { groupsOfOpenLists, requireGroups } from '../groups.ts';
import { candidatesAmong } from '../lists/index.ts';
import { type BindKind, type StoredBind, submitters, type Tracker } from '../model.ts';
import {
  groupValues,
  insertValues,
  type NewListValue,
  type StoredValue,
  staticValues,
  storeBind,
  type ValueToStore,
} from './list-values.ts';

/** Where a new list takes its values from. */
export interface NewBind {
  readonly kind: BindKind;
  readonly isAlphabetic?: boolean;
  readonly values?: readonly NewListValue[];
  readonly groups?: readonly string[];
}

/** A bind that was checked and can be stored. */
export interface BindToStore {
  readonly bind: Omit<StoredBind, 'defaults'>;
  readonly values: readonly ValueToStore[];
  /** As the request names them: labels, ids of users, ids of groups. */
  readonly defaults: readonly string[];
}

/** Groups that a list of groups offers unless it is told which. */
const usualGroups = ({ projectGroups }: Tracker, { isOpen }: FieldType) =>
  isOpen
    ? groupsOfOpenLists(projectGroups)
    : [groupIds.projectMembers, groupIds.projectAdmins, ...projectGroups.keys()];

/** The sources of a list of people that a request names. */
export function sourcesOf(tracker: Tracker, input: readonly string[], member = 'bind[groups]'): number[] {
  const isSubmitters = (text: string) => text === String(submitters);
  const groups = requireGroups(
    tracker,
    member,
    input.filter((text) => !isSubmitters(text)),
  );
  return [...(input.some(isSubmitters) ? [submitters] : []), ...groups];
}

function refuseMember(member: 'groups' | 'values', kind: BindKind, input: unknown): void {
  if (input !== undefined) throw invalidMember(`bind[${member}]`, `The bind ${kind} has no ${member}.`);
}

function sourceAndValues(tracker: Tracker, type: FieldType, { kind, values, groups }: NewBind) {
  switch (kind) {
    case 'static':
      refuseMember('groups', kind, groups);
      return { groups: [], values: staticValues('bind[values]', values ?? []) };
    case 'users':
      refuseMember('values', kind, values);
      return { groups: sourcesOf(tracker, groups ?? [String(groupIds.projectMembers)]), values: [] };
    case 'ugroups': {
      refuseMember('values', kind, values);
      const chosen = groups && requireGroups(tracker, 'bind[groups]', groups);
      return { groups: [], values: groupValues(tracker, chosen ?? usualGroups(tracker, type)) };
    }
  }
}

/** Checks the bind of a new element; null for what is no list. */
export function newBind(
  tracker: Tracker,
  type: FieldType,
  asked: NewBind | undefined,
  defaults: readonly string[] | undefined,
): BindToStore | null {
  if (type.binds === undefined) {
    if (asked !== undefined) throw invalidMember('bind', `The type ${type.code} is not a list.`);
    if (defaults !== undefined) throw invalidMember('default_values', `The type ${type.code} is not a list.`);
    return null;
  }
  const [usual = 'static'] = type.binds;
  const input = asked ?? { kind: usual };
  if (!type.binds.includes(input.kind))
    throw invalidMember('bind[type]', `The type ${type.code} takes: ${type.binds.join(', ')}.`);
  const { groups, values } = sourceAndValues(tracker, type, input);
  const bind = { kind: input.kind, groups, isAlphabetic: input.isAlphabetic ?? false };
  return { bind, values, defaults: defaults ?? [] };
}

export const notAValue = (text: string) =>
  invalidMember('default_values', `${JSON.stringify(text)} is not a value of this list.`);

function idsAmong(
  values: readonly StoredValue[],
  texts: readonly string[],
  isMeant: (value: StoredValue, text: string) => boolean,
): number[] {
  return texts.map((text) => {
    const value = values.find((candidate) => isMeant(candidate, text));
    if (value === undefined) throw notAValue(text);
    return value.id;
  });
}

/** The ids of people, each of whom can be chosen from the sources. */
export async function userIds(
  tx: Transaction,
  tracker: Tracker,
  groups: readonly number[],
  texts: readonly string[],
): Promise<number[]> {
  const ids = texts.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0));
  const people = new Set(await candidatesAmong(tx, tracker, groups, ids));
  const wrong = texts.find((_, index) => !people.has(ids[index] ?? 0));
  if (wrong !== undefined) throw notAValue(wrong);
  return ids;
}

async function defaultIds(
  tx: Transaction,
  tracker: Tracker,
  { bind, defaults }: BindToStore,
  values: readonly StoredValue[],
): Promise<number[]> {
  const marked = values.filter(({ isDefault }) => isDefault).map(({ id }) => id);
  switch (bind.kind) {
    case 'static':
      return [...marked, ...idsAmong(values, defaults, ({ label }, text) => label === text)];
    case 'users':
      return userIds(tx, tracker, bind.groups, defaults);
    case 'ugroups': {
      const meant = new Map(
        defaults.map((text) => [text, requireGroups(tracker, 'default_values', [text])[0]]),
      );
      return idsAmong(values, defaults, ({ groupId }, text) => groupId === meant.get(text));
    }
  }
}

/** Stores the values of a new list, and which of them are chosen unless something else is. */
export async function storeNewBind(
  tx: Transaction,
  tracker: Tracker,
  { fieldId, isMultiple }: { fieldId: number; isMultiple: boolean },
  input: BindToStore,
): Promise<void> {
  const values = await insertValues(tx, { fieldId, firstRank: 0 }, input.values);
  const defaults = [...new Set(await defaultIds(tx, tracker, input, values))];
  if (!isMultiple && defaults.length > 1)
    throw invalidMember('default_values', 'This list takes one value only.');
  await storeBind(tx, fieldId, { ...input.bind, defaults });
}
