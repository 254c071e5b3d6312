import { attributeOf, listedIn, textOf, type XmlElement } from '../kernel/xml.ts';
import { groupIds } from '../projects/index.ts';
import {
  type FieldPermission,
  fieldPermissions,
  type Grants,
  grantable,
  type TrackerPermission,
  trackerPermissions,
} from '../trackers/index.ts';
import type { DraftNumbers } from './draft-numbers.ts';
import type { DraftField } from './form-reader.ts';
import { fieldPermissionName, trackerPermissionName } from './keys.ts';
import { clipped } from './words.ts';

interface Line<Permission> {
  readonly permission: Permission;
  readonly group: number;
}

interface FieldLine extends Line<FieldPermission> {
  /** Where it comes among all lines, the last time that it does. */
  readonly place: number;
}

const keyOf = (permission: FieldPermission, group: number) => `${permission} ${group}`;

interface Lines {
  readonly tracker: Line<TrackerPermission>[];
  /** The lines of each field, every one once. */
  readonly fields: Map<number, Map<string, FieldLine>>;
  count: number;
}

/** Tells that a line names a group that there is not. */
export function warnOfGroup(numbers: DraftNumbers, element: XmlElement, name: string): void {
  if (name.trim() === '') return numbers.warn('unknown_group', element, 'A permission names no user group.');
  const like = { what: 'permissions name user groups that there are not', subject: name };
  numbers.warn('unknown_group', element, `There is no user group ${JSON.stringify(clipped(name))}.`, like);
}

function warnOfPermission(numbers: DraftNumbers, element: XmlElement, type: string): void {
  if (type.trim() === '') return numbers.warn('unknown_permission', element, 'A permission has no type.');
  const like = { what: 'permissions are of types that there are not', subject: type };
  numbers.warn(
    'unknown_permission',
    element,
    `There is no permission ${JSON.stringify(clipped(type))}.`,
    like,
  );
}

function readLine(element: XmlElement, numbers: DraftNumbers, lines: Lines): void {
  const [scope, type, name] = ['scope', 'type', 'ugroup'].map((key) => attributeOf(element, key) ?? '');
  const group = numbers.group(name ?? '');
  if (group === undefined) return warnOfGroup(numbers, element, name ?? '');
  if (scope !== 'field') {
    const permission = trackerPermissions.find((known) => trackerPermissionName(known) === type);
    if (permission !== undefined) lines.tracker.push({ permission, group });
    else warnOfPermission(numbers, element, type ?? '');
    return;
  }
  const field = numbers.field(element);
  const permission = fieldPermissions.find((known) => fieldPermissionName(known) === type);
  // What was left out of the form takes its permissions along.
  if (field === undefined) return;
  if (permission === undefined) return warnOfPermission(numbers, element, type ?? '');
  const own = lines.fields.get(field) ?? new Map<string, FieldLine>();
  lines.fields.set(field, own);
  own.set(keyOf(permission, group), { permission, group, place: lines.count++ });
}

function grantsOf<Permission extends string>(
  permissions: readonly Permission[],
  lines: readonly Line<Permission>[],
): Grants<Permission> {
  const entries = permissions.map((permission) => {
    const groups = lines.filter((line) => line.permission === permission).map(({ group }) => group);
    return [permission, [...new Set(groups)]] as const;
  });
  // Every permission is among the entries.
  return Object.fromEntries(entries) as Record<Permission, readonly number[]>;
}

/** Of reading and changing, a group has what its last line says: whoever changes a field reads it. */
function lastCounts(lines: ReadonlyMap<string, FieldLine>): FieldLine[] {
  const placeOf = (permission: FieldPermission, group: number) =>
    lines.get(keyOf(permission, group))?.place ?? -1;
  return [...lines.values()].filter(
    ({ permission, group, place }) =>
      permission === 'submit' || place >= placeOf(permission === 'read' ? 'update' : 'read', group),
  );
}

/** Whether a wider group gives everybody of this one the same. */
function isImplied({ permission, group }: FieldLine, all: ReadonlySet<string>): boolean {
  if (group === groupIds.everybody) return false;
  const wider =
    group === groupIds.registered ? [groupIds.everybody] : [groupIds.everybody, groupIds.registered];
  const enough: readonly FieldPermission[] = permission === 'read' ? ['read', 'update'] : [permission];
  return wider.some((id) => enough.some((other) => all.has(keyOf(other, id))));
}

function fieldGrants(
  { type }: DraftField,
  lines: ReadonlyMap<string, FieldLine> = new Map(),
): Grants<FieldPermission> {
  const possible = lastCounts(lines).filter(({ permission }) => grantable(type).includes(permission));
  const all = new Set(possible.map(({ permission, group }) => keyOf(permission, group)));
  return grantsOf(
    fieldPermissions,
    possible.filter((line) => !isImplied(line, all)),
  );
}

export interface DraftGrants {
  readonly tracker: Grants<TrackerPermission>;
  of(field: DraftField): Grants<FieldPermission>;
}

/** Says so where lines were to keep people out, and none of them is left. */
function warnOfOpenTracker(tracker: XmlElement, numbers: DraftNumbers): void {
  const lines = listedIn(tracker, 'permissions', 'permission');
  const lost = lines.find((line) => attributeOf(line, 'scope') !== 'field');
  if (lost === undefined) return;
  const name = JSON.stringify(clipped(textOf(tracker, 'name')));
  numbers.warn(
    'unknown_group',
    lost,
    `No permission of the tracker ${name} means anything here, so that everybody may see it.`,
  );
}

/** Without any line of its own a tracker is open to everybody, and a field closed to all. */
export function readPermissions(tracker: XmlElement, numbers: DraftNumbers): DraftGrants {
  const lines: Lines = { tracker: [], fields: new Map(), count: 0 };
  for (const line of listedIn(tracker, 'permissions', 'permission')) readLine(line, numbers, lines);
  if (lines.tracker.length === 0) {
    warnOfOpenTracker(tracker, numbers);
    lines.tracker.push({ permission: 'full', group: groupIds.everybody });
  }
  const somebody = lines.tracker.filter(({ group }) => group !== groupIds.nobody);
  return {
    tracker: grantsOf(trackerPermissions, somebody),
    of: (field) => fieldGrants(field, lines.fields.get(field.id)),
  };
}
