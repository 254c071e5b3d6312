import { fold } from '../../kernel/text.ts';
import { booleanIn, isObject } from '../../kernel/values.ts';
import { attributeOf, childrenOf, element, isTrue, type XmlElement } from '../../kernel/xml.ts';
import { builtInGroups, formatGroupId, groupIds } from '../../projects/index.ts';
import {
  arrayCell,
  changeOf,
  itemsIn,
  itemsOf,
  joinedItems,
  member,
  namesSame,
  neededMember,
  wrongValue,
} from '../field-kit/index.ts';
import type { ArchiveReading, Entry, FieldType, WritingContext } from '../field-type.ts';
import { groupName, sameGroups } from '../groups.ts';
import { isSameSet } from '../lists/index.ts';
import type { Field, Tracker } from '../model.ts';

/** Groups that exist in every project and can be chosen. */
const offered: readonly number[] = [
  groupIds.everybody,
  groupIds.registered,
  groupIds.projectMembers,
  groupIds.projectAdmins,
];

const choices = ({ projectGroups }: Tracker) => [
  ...offered,
  ...[...projectGroups.keys()].sort((a, b) => a - b),
];

/** A group by its id in the API, or by the bare number of a built-in one. */
function groupFor(tracker: Tracker, input: unknown): number | undefined {
  const text = typeof input === 'string' || typeof input === 'number' ? String(input).trim() : '';
  const known = [...choices(tracker), groupIds.authenticated];
  return (
    known.find((id) => formatGroupId(id, tracker.project.id) === text) ??
    known.find((id) => builtInGroups.has(id) && String(id) === text)
  );
}

function accept(field: Field, entry: Entry, context: WritingContext): readonly number[] {
  const { tracker } = context;
  const value = member(entry, 'value');
  const input = isObject(value) ? neededMember(value, 'granted_groups', context, []) : undefined;
  const items = input === undefined ? undefined : itemsIn(input);
  if (items === undefined)
    throw wrongValue(field, 'The entry needs `value.granted_groups`, an array of user group ids.');
  if (items.length === 0 && isObject(value) && booleanIn(value['is_used_by_default']))
    throw wrongValue(field, 'A restriction needs at least one user group.');
  const groups = items.map((item) => {
    const group = groupFor(tracker, item);
    if (group === undefined)
      throw wrongValue(field, `${JSON.stringify(item)} is not a user group of this project.`);
    return group;
  });
  return [...new Set(groups)];
}

/** The groups of an entry as it was read, or in the form of a change. */
function groupsIn(entry: Entry): unknown {
  if (!Object.hasOwn(entry, 'value')) return entry['granted_groups_ids'];
  const value = member(entry, 'value');
  const groups = isObject(value) ? value['granted_groups'] : undefined;
  // Whoever sends none may ask for a restriction to nobody, which is for `accept` to refuse.
  return Array.isArray(groups) && groups.length > 0 ? groups : undefined;
}

/** Groups that are gone are not shown any more; without them the artifact is still closed, to everybody. */
function shownGroups(value: readonly number[], isKnown: (id: number) => boolean): readonly number[] {
  const known = value.filter(isKnown);
  return known.length === 0 && value.length > 0 ? [groupIds.nobody] : known;
}

/** Numbers of groups are those of another platform, but for the groups that every platform has. */
function archivedGroup(input: XmlElement, context: ArchiveReading): number | undefined {
  const name = attributeOf(input, 'ugroup_name');
  const id = Number(attributeOf(input, 'ugroup_id'));
  return name === undefined ? (builtInGroups.has(id) ? id : undefined) : context.group(name);
}

/** Where none of the groups is known, administrators alone may see the artifact: it was not meant for everybody. */
function readArchived(field: Field, change: XmlElement, context: ArchiveReading): readonly number[] {
  if (!isTrue(attributeOf(change, 'use_perm'))) return [];
  const input = childrenOf(change, 'ugroup');
  const groups = input.flatMap((group) => archivedGroup(group, context) ?? []);
  if (groups.length < input.length)
    context.warn('unknown_group', `${field.name} names a user group that does not exist.`);
  return groups.length === 0 ? [groupIds.projectAdmins] : [...new Set(groups)];
}

/** The short name in the reference form of a group. */
const shortNameIn = (group: string): string => JSON.parse(group).short_name;

/** The id in the API of the group with a short name. */
function groupNamed(field: Field, name: string, tracker: Tracker): string {
  const known = [...choices(tracker), groupIds.authenticated];
  const id = known.find((group) => fold(groupName(tracker.projectGroups, group) ?? '') === fold(name));
  if (id === undefined)
    throw wrongValue(field, `${JSON.stringify(name)} is not a user group of this project.`);
  return formatGroupId(id, tracker.project.id);
}

/** Who alone may see the artifact. */
export const permField: FieldType<readonly number[]> = {
  code: 'perm',
  kind: 'field',
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  isUnique: true,
  properties: {},
  describe: (_field, context) => ({
    values: {
      is_used_by_default: false,
      ugroup_representations: choices(context.tracker).flatMap((id) => context.group(id) ?? []),
    },
  }),
  value: {
    accept,
    isEmpty: (value) => value.length === 0,
    isEmptyRemoval: true,
    isSame: isSameSet,
    isEcho({ projectId }, entry, stored, { tracker }) {
      const input = itemsIn(groupsIn(entry));
      const groups = shownGroups(stored, (id) => groupName(tracker.projectGroups, id) !== undefined);
      const ids = groups.map((id) => formatGroupId(id, projectId));
      return input !== undefined && namesSame(input, ids);
    },
    show({ projectId }, value = [], context) {
      const groups = shownGroups(value, (id) => context.groupLabel(id) !== undefined);
      const labels = JSON.stringify(groups.map((id) => context.groupLabel(id)));
      const ids = JSON.stringify(groups.map((id) => formatGroupId(id, projectId)));
      return `"granted_groups":${labels},"granted_groups_ids":${ids}`;
    },
    grantedGroups: (value) => value,
  },
  cell: {
    write(_field, value = [], context) {
      const groups = shownGroups(value, (id) => context.group(id) !== undefined);
      return joinedItems(groups.flatMap((id) => context.group(id) ?? []).map(shortNameIn));
    },
    read: (field, cell, { tracker }) => ({
      value: { granted_groups: itemsOf(field, cell).map((name) => groupNamed(field, name, tracker)) },
    }),
  },
  row: {
    type: () => 'list_user_group',
    cell({ projectId }, value = [], context) {
      const groups = shownGroups(value, (id) => context.groupLabel(id) !== undefined);
      return arrayCell(
        groups.map((id) => ({ id: formatGroupId(id, projectId), label: context.groupLabel(id) })),
      );
    },
  },
  archived: {
    type: 'permissions_on_artifact',
    write(field, value, context) {
      const names = value.flatMap((id) => context.group(id) ?? []);
      const groups = names.map((name) => element('ugroup', { ugroup_name: name }));
      return changeOf(field, 'permissions_on_artifact', groups, { use_perm: value.length > 0 ? '1' : '0' });
    },
    read: readArchived,
  },
  move: {
    family: () => 'perm',
    async take(_field, value, _from, { reader, tracker }) {
      const groups = Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
      const found = [...(await sameGroups(reader, groups, tracker)).values()];
      // Nobody shall see an artifact because their project has not the groups that it was kept for.
      const kept = found.length === 0 && groups.length > 0 ? [groupIds.projectAdmins] : found;
      return { value: [...new Set(kept)], isWhole: found.length === groups.length };
    },
  },
};
