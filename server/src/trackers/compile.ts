import type { Reader } from '../storage/index.ts';
import { fieldTypes } from './fields/index.ts';
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
import { compileGovernance } from './workflow/compile.ts';

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

/** A group may have been renamed since it became a value. */
const labelOf = ({ label, group_id }: ValueRow, names: GroupNames) =>
  group_id === null ? label : (names.get(group_id) ?? label);

const toListValue = (row: ValueRow, names: GroupNames): ListValue => ({
  id: row.id,
  label: labelOf(row, names),
  description: row.description,
  rank: row.rank,
  isHidden: row.is_hidden === 1,
  color: row.color,
  groupId: row.group_id,
});

const byLabel = (left: ListValue, right: ListValue) => (left.label < right.label ? -1 : 1);

function toBind(stored: string | null, rows: readonly ValueRow[], names: GroupNames): Bind | null {
  if (stored === null) return null;
  const bind: StoredBind = JSON.parse(stored);
  const [live = [], gone = []] = [
    rows.filter(({ deleted_at }) => deleted_at === null),
    rows.filter(({ deleted_at }) => deleted_at !== null),
  ].map((some) => some.map((row) => toListValue(row, names)));
  return { ...bind, values: bind.isAlphabetic ? live.sort(byLabel) : live, removed: gone };
}

type ElementRow = TrackerRows['elements'][number];

/** A type that this program does not know (any more) makes no element. */
function toField(
  row: ElementRow,
  projectId: number,
  bind: Bind | null,
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
      bind,
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
  const bindOf = ({ id, bind }: ElementRow) => toBind(bind, values.get(id) ?? [], projectGroups);
  const elements = inFormOrder(
    rows.elements.flatMap((row) => toField(row, tracker.project_id, bindOf(row), grants.get(row.id) ?? [])),
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
    ...compileGovernance(rows.governance, tracker.id, elementById),
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
