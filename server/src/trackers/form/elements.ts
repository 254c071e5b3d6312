import { invalid, invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type Transaction, toFlag } from '../../storage/index.ts';
import { grantUsual } from '../admin/index.ts';
import { trackerChanged } from '../changed.ts';
import { byRank } from '../compile.ts';
import { type TrackerExtension, tellContributions } from '../extension.ts';
import type { FieldType } from '../field-type.ts';
import { fieldTypes } from '../field-types/index.ts';
import type { BindKind, Field, Properties, Tracker } from '../model.ts';
import { requireTrackerForWriting } from '../policy.ts';
import { oneLine, paragraph } from '../texts.ts';
import { type NewBind, newBind, storeNewBind } from './new-bind.ts';
import { newProperties } from './properties.ts';

export interface NewField {
  readonly trackerId: number;
  readonly type: string;
  readonly label: string;
  readonly name?: string;
  readonly description?: string;
  readonly parentId?: number | null;
  readonly rank?: number;
  /** The element before which it stands. */
  readonly nextSiblingId?: number | null;
  readonly isRequired?: boolean;
  readonly hasNotifications?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly bind?: NewBind;
  /** Labels of static values, ids of users, ids of groups. */
  readonly defaults?: readonly string[];
}

/** Some types stand for something that a tracker has once. */
export function checkUnique({ elements }: Tracker, type: FieldType): void {
  if (type.isUnique && elements.some((element) => element.type === type))
    throw invalidMember('type', `A tracker has at most one element of the type ${type.code}.`);
}

function requireType(tracker: Tracker, code: string): FieldType {
  const type = fieldTypes.get(code);
  if (type === undefined)
    throw invalidMember('type', `Expected one of (${[...fieldTypes.keys()].join(',')}).`);
  checkUnique(tracker, type);
  return type;
}

const placeNames = ({ parents }: FieldType) =>
  parents.map((code) => code ?? 'the root of the form').join(', ');

export function checkContainer({ elementById }: Tracker, type: FieldType, parentId: number | null): void {
  const parent = parentId === null ? null : elementById.get(parentId);
  if (parent === undefined) throw invalidMember('parent_id', 'There is no such element in this tracker.');
  if (!type.parents.includes(parent?.type.code ?? null))
    throw invalidMember('parent_id', `The type ${type.code} can stand in: ${placeNames(type)}.`);
}

/** Short names as the compatible API makes them. */
export const normalisedName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]/gu, '_');

const longestName = 255;
/** Too many programs take it for something else than the name of a member. */
const unusable = '__proto__';

/** A name that no other element of the tracker has. */
export function requireFreeName({ elements }: Tracker, input: string, ownId?: number): string {
  const name = normalisedName(input);
  if (name === '' || input.trim().length > longestName)
    throw invalidMember('name', `It must have 1 to ${longestName} characters.`);
  if (name === unusable) throw invalidMember('name', `"${unusable}" cannot be used.`);
  if (elements.some((element) => element.name === name && element.id !== ownId))
    throw invalidMember('name', `The tracker already has an element named "${name}".`);
  return name;
}

/** The given name, which must be free, or one made from the label. */
function nameFor(tracker: Tracker, label: string, input: string | undefined): string {
  if (input !== undefined) return requireFreeName(tracker, input);
  const taken = new Set([unusable, ...tracker.elements.map(({ name }) => name)]);
  return freeName(normalisedName(label).slice(0, longestName), taken);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 1; taken.has(free); count++) free = `${name}_${count}`;
  return free;
}

/** The rank of a new element, and those of its siblings that must make room for it. */
interface Place {
  readonly rank: number;
  readonly moved: readonly Field[];
}

function placeOf({ elements }: Tracker, { rank, nextSiblingId, parentId = null }: NewField): Place {
  const siblings = elements.filter((element) => element.parentId === parentId).sort(byRank);
  const last = siblings.at(-1);
  if (typeof nextSiblingId !== 'number')
    return { rank: rank ?? (last === undefined ? 0 : last.rank + 1), moved: [] };
  if (rank !== undefined) throw invalid('Give either `rank` or `next_sibling_id`, not both.');
  const index = siblings.findIndex(({ id }) => id === nextSiblingId);
  const next = siblings[index];
  if (next === undefined)
    throw invalidMember('next_sibling_id', 'There is no such element in that place of the form.');
  return { rank: next.rank, moved: siblings.slice(index) };
}

async function makeRoom(tx: Transaction, { moved }: Place): Promise<void> {
  if (moved.length === 0) return;
  const shift = tx.sql.updateTable('tracker_field').set((row) => ({ rank: row('rank', '+', 1) }));
  await tx.run(
    shift.where(
      'id',
      'in',
      moved.map(({ id }) => id),
    ),
  );
}

export function checkFlags(
  type: FieldType,
  bind: BindKind | undefined,
  { isRequired, hasNotifications }: Pick<NewField, 'isRequired' | 'hasNotifications'>,
): void {
  if (isRequired && !type.isSubmittable)
    throw invalidMember('required', `Nobody fills elements of the type ${type.code}.`);
  if (hasNotifications && (bind === undefined || bind === 'static'))
    throw invalidMember(
      'has_notifications',
      'Only people and groups that are chosen in a list are notified.',
    );
}

interface ElementToStore {
  readonly type: FieldType;
  readonly name: string;
  readonly rank: number;
  readonly properties: Properties;
}

async function insertElement(
  tx: Transaction,
  field: NewField,
  { type, name, rank, properties }: ElementToStore,
): Promise<number> {
  const {
    trackerId,
    label,
    description = '',
    parentId = null,
    isRequired = false,
    hasNotifications = false,
  } = field;
  const row = {
    tracker_id: trackerId,
    parent_id: parentId,
    type: type.code,
    name,
    label: label.trim(),
    description,
    rank,
    is_required: toFlag(isRequired),
    is_used: toFlag(true),
    has_notifications: toFlag(hasNotifications),
    properties: JSON.stringify(properties),
    bind: null,
    deleted_at: null,
  };
  const [stored] = await tx.all(tx.sql.insertInto('tracker_field').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new field has no id.');
  return stored.id;
}

/** Adds an element to the form of a tracker; gives its id. */
export async function createField(
  tx: Transaction,
  viewer: Viewer,
  field: NewField,
  extensions: readonly TrackerExtension[],
): Promise<number> {
  const { tracker } = await requireTrackerForWriting(tx, viewer, field.trackerId);
  const type = requireType(tracker, field.type);
  checkContainer(tracker, type, field.parentId ?? null);
  oneLine('label', field.label);
  paragraph('description', field.description ?? '');
  const name = nameFor(tracker, field.label, field.name);
  const properties = newProperties(type, field.properties ?? {});
  const bind = newBind(tracker, type, field.bind, field.defaults);
  checkFlags(type, bind?.bind.kind, field);
  const place = placeOf(tracker, field);
  await makeRoom(tx, place);
  const fieldId = await insertElement(tx, field, { type, name, rank: place.rank, properties });
  if (bind !== null) await storeNewBind(tx, tracker, { fieldId, isMultiple: type.isMultiple ?? false }, bind);
  await grantUsual(tx, fieldId, type);
  await tellContributions(tx, extensions, { trackerId: tracker.id, names: [name] });
  await trackerChanged(tx, viewer, tracker);
  return fieldId;
}
