import { compareNames } from '../kernel/text.ts';
import type { Reader } from '../storage/index.ts';
import { compileGovernance } from './compile-governance.ts';
import type { FieldType } from './field-type.ts';
import { fieldTypes } from './field-types/index.ts';
import { groupName, groupsOfOpenLists } from './groups.ts';
import {
  type Bind,
  type Field,
  fieldPermissions,
  type Grants,
  type ListValue,
  type StoredBind,
  type Tracker,
  trackerPermissions,
} from './model.ts';
import { findRemovedRows, findTrackerRows, type TrackerRows } from './store.ts';

function grantsOf<Permission extends string>(
  permissions: readonly Permission[],
  rows: readonly { permission: string; group_id: number }[],
): Grants<Permission> {
  const entries = permissions.map((permission) => [
    permission,
    rows.filter((row) => row.permission === permission).map(({ group_id }) => group_id),
  ]);
  return Object.fromEntries(entries);
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => number): ReadonlyMap<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

type GroupNames = ReadonlyMap<number, string>;

type ValueRow = TrackerRows['values'][number];

/** A group may have been renamed since it became a value; one that is gone is a value no more. */
function toListValue(row: ValueRow, names: GroupNames): ListValue[] {
  const { id, description, rank, color, group_id: groupId } = row;
  const label = groupId === null ? row.label : groupName(names, groupId);
  return label === undefined
    ? []
    : [{ id, label, description, rank, isHidden: row.is_hidden === 1, color, groupId }];
}

/** The values of an open list of groups: its own, and all other groups, which are known by their ids below zero. */
function withAllGroups(values: readonly ListValue[], names: GroupNames): ListValue[] {
  const own = new Set(values.map(({ groupId }) => groupId));
  const others = groupsOfOpenLists(names).filter((id) => !own.has(id));
  const plain = { description: '', isHidden: false, color: '' };
  return [
    ...values,
    ...others.map((groupId, index) => ({
      id: -groupId,
      label: groupName(names, groupId) ?? '',
      rank: values.length + index,
      groupId,
      ...plain,
    })),
  ];
}

const byLabel = (left: ListValue, right: ListValue) => compareNames(left.label, right.label);

function toBind(
  stored: string | null,
  { isOpen }: FieldType,
  rows: readonly ValueRow[],
  names: GroupNames,
): Bind | null {
  if (stored === null) return null;
  const bind: StoredBind = JSON.parse(stored);
  const [live = [], removed = []] = [
    rows.filter(({ deleted_at }) => deleted_at === null),
    rows.filter(({ deleted_at }) => deleted_at !== null),
  ].map((some) => some.flatMap((row) => toListValue(row, names)));
  const values = isOpen && bind.kind === 'ugroups' ? withAllGroups(live, names) : live;
  return { ...bind, values: bind.isAlphabetic ? [...values].sort(byLabel) : values, removed };
}

type ElementRow = TrackerRows['elements'][number];

/** A type that this program does not know (any more) makes no element. */
function toField(
  row: ElementRow,
  projectId: number,
  names: GroupNames,
  values: readonly ValueRow[],
  grants: readonly { permission: string; group_id: number }[],
): Field[] {
  const type = fieldTypes.get(row.type);
  if (type === undefined) return [];
  return [
    {
      id: row.id,
      trackerId: row.tracker_id,
      projectId,
      parentId: row.parent_id,
      type,
      name: row.name,
      label: row.label,
      description: row.description,
      rank: row.rank,
      isRequired: row.is_required === 1,
      isUsed: row.is_used === 1,
      hasNotifications: row.has_notifications === 1,
      properties: JSON.parse(row.properties),
      bind: toBind(row.bind, type, values, names),
      grants: grantsOf(fieldPermissions, grants),
      head: `{"field_id":${row.id},"type":"${row.type}","label":${JSON.stringify(row.label)},`,
    },
  ];
}

/** Elements by rank, ties by id. */
export const byRank = (left: Field, right: Field) => left.rank - right.rank || left.id - right.id;

/** Elements as somebody reads the form: each container before what is in it. */
function inFormOrder(elements: readonly Field[]): Field[] {
  const known = new Set(elements.map(({ id }) => id));
  const children = groupBy([...elements].sort(byRank), ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : 0,
  );
  const below = (parent: number): Field[] =>
    (children.get(parent) ?? []).flatMap((element) => [element, ...below(element.id)]);
  return below(0);
}

export function compile(rows: TrackerRows): Tracker {
  const { tracker } = rows;
  const values = groupBy(rows.values, ({ field_id }) => field_id);
  const grants = groupBy(rows.fieldGrants, ({ field_id }) => field_id);
  const projectGroups = new Map(rows.projectGroups.map(({ id, name }) => [id, name]));
  const elements = inFormOrder(
    rows.elements.flatMap((row) =>
      toField(row, tracker.project_id, projectGroups, values.get(row.id) ?? [], grants.get(row.id) ?? []),
    ),
  );
  const elementById = new Map(elements.map((element) => [element.id, element]));
  return {
    id: tracker.id,
    project: { id: tracker.project_id, label: tracker.project_label, icon: tracker.project_icon },
    name: tracker.name,
    itemName: tracker.item_name,
    description: tracker.description,
    color: tracker.color,
    notificationLevel: tracker.notification_level,
    parentId: tracker.parent_id,
    hasPrivateComments: tracker.has_private_comments === 1,
    isDeleted: tracker.deleted_at !== null,
    kept: JSON.parse(tracker.kept),
    elements,
    elementById,
    semantics: Object.fromEntries(rows.semantics.map(({ name, settings }) => [name, JSON.parse(settings)])),
    grants: grantsOf(trackerPermissions, rows.trackerGrants),
    projectGroups,
    ...compileGovernance(rows, tracker.id, elementById),
  };
}

/** Reads a tracker as the reader sees it, deleted ones too. */
export async function loadTracker(reader: Reader, id: number): Promise<Tracker | undefined> {
  const rows = await findTrackerRows(reader, id);
  return rows && compile(rows);
}

/** Form elements that were removed and can be brought back. */
export async function loadRemovedElements(reader: Reader, trackerId: number): Promise<readonly Field[]> {
  const rows = await findRemovedRows(reader, trackerId);
  return rows === undefined ? [] : compile(rows).elements;
}
