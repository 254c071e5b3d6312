import { invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type Transaction, toFlag } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import type { TrackerExtension } from '../extension.ts';
import { requireGroups } from '../groups.ts';
import { candidatesAmong } from '../lists/index.ts';
import type { Bind, Field, Tracker } from '../model.ts';
import { requireFieldForWriting } from '../policy.ts';
import { oneLine, paragraph } from '../texts.ts';
import { checkContainer, checkFlags, requireFreeName } from './elements.ts';
import { storeBind } from './list-values.ts';
import { notAValue, sourcesOf, userIds } from './new-bind.ts';
import { moveElement } from './places.ts';
import { changedProperties } from './properties.ts';
import { followRenaming } from './rename.ts';

/** Changes of anything that can be set on a form element; what is absent stays. */
export interface FieldChange {
  readonly id: number;
  readonly label?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isRequired?: boolean | undefined;
  readonly hasNotifications?: boolean | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly isAlphabetic?: boolean | undefined;
  /** Sources of a list of people. */
  readonly groups?: readonly string[] | undefined;
  /** Ids of values, of users or of groups. */
  readonly defaults?: readonly string[] | undefined;
  readonly parentId?: number | null | undefined;
  readonly nextSiblingId?: number | null | undefined;
}

function columnsOf(tracker: Tracker, field: Field, change: FieldChange) {
  const { label, name, description, isRequired, hasNotifications, properties } = change;
  return {
    ...(label === undefined ? {} : { label: oneLine('label', label) }),
    ...(name === undefined ? {} : { name: requireFreeName(tracker, name, field.id) }),
    ...(description === undefined ? {} : { description: paragraph('description', description) }),
    ...(isRequired === undefined ? {} : { is_required: toFlag(isRequired) }),
    ...(hasNotifications === undefined ? {} : { has_notifications: toFlag(hasNotifications) }),
    ...(properties === undefined ? {} : { properties: JSON.stringify(changedProperties(field, properties)) }),
  };
}

function requireBind({ bind, type }: Field, member: string): Bind {
  if (bind === null) throw invalidMember(member, `The type ${type.code} is not a list.`);
  return bind;
}

function newSources(tracker: Tracker, bind: Bind, groups: readonly string[] | undefined): readonly number[] {
  if (groups === undefined) return bind.groups;
  if (bind.kind !== 'users') throw invalidMember('groups', 'The values of this list are not people.');
  return sourcesOf(tracker, groups, 'groups');
}

/** The values that the texts name. */
async function defaultIds(
  tx: Transaction,
  tracker: Tracker,
  { kind, values }: Bind,
  groups: readonly number[],
  texts: readonly string[],
): Promise<number[]> {
  if (kind === 'users') return userIds(tx, tracker, groups, texts);
  return texts.map((text) => {
    const groupId = kind === 'ugroups' ? requireGroups(tracker, 'default_values', [text])[0] : undefined;
    const value = values.find(({ id, groupId: own }) =>
      kind === 'ugroups' ? own === groupId : String(id) === text.trim(),
    );
    if (value === undefined) throw notAValue(text);
    return value.id;
  });
}

async function newDefaults(
  tx: Transaction,
  tracker: Tracker,
  { type, bind }: Field & { bind: Bind },
  groups: readonly number[],
  texts: readonly string[] | undefined,
): Promise<readonly number[]> {
  // Whoever cannot be chosen any more is no default either.
  if (texts === undefined)
    return bind.kind === 'users' ? candidatesAmong(tx, tracker, groups, bind.defaults) : bind.defaults;
  const defaults = [...new Set(await defaultIds(tx, tracker, bind, groups, texts))];
  if (!type.isMultiple && defaults.length > 1)
    throw invalidMember('default_values', 'This list takes one value only.');
  return defaults;
}

async function changeBind(tx: Transaction, tracker: Tracker, field: Field, change: FieldChange) {
  const { isAlphabetic, groups, defaults } = change;
  const input = Object.entries({ is_alphabetic: isAlphabetic, groups, default_values: defaults });
  const [member] = input.find(([, value]) => value !== undefined) ?? [];
  if (member === undefined) return;
  const bind = requireBind(field, member);
  const sources = newSources(tracker, bind, groups);
  await storeBind(tx, field.id, {
    kind: bind.kind,
    groups: sources,
    isAlphabetic: isAlphabetic ?? bind.isAlphabetic,
    defaults: await newDefaults(tx, tracker, { ...field, bind }, sources, defaults),
    noneColor: bind.noneColor,
  });
}

async function changePlace(tx: Transaction, tracker: Tracker, field: Field, change: FieldChange) {
  const { parentId = field.parentId, nextSiblingId } = change;
  if (change.parentId === undefined && nextSiblingId === undefined) return;
  checkContainer(tracker, field.type, parentId);
  await moveElement(
    tx,
    tracker,
    field,
    { parentId, nextSiblingId: nextSiblingId ?? null },
    'next_sibling_id',
  );
}

/** Whether values are measured in another way once the settings are changed. */
function changesMeasuring(field: Field, { properties }: FieldChange): boolean {
  if (properties === undefined) return false;
  const after = changedProperties(field, properties);
  return (field.type.value?.measuredBy ?? []).some((name) => after[name] !== field.properties[name]);
}

/** Changes the settings of a form element, all or nothing; gives the id of its tracker. */
export async function changeField(
  tx: Transaction,
  viewer: Viewer,
  change: FieldChange,
  extensions: readonly TrackerExtension[],
): Promise<number> {
  const { field, tracker } = await requireFieldForWriting(tx, viewer, change.id);
  checkFlags(field.type, field.bind?.kind, change);
  const columns = columnsOf(tracker, field, change);
  if (Object.keys(columns).length > 0)
    await tx.run(tx.sql.updateTable('tracker_field').set(columns).where('id', '=', field.id));
  if (changesMeasuring(field, change))
    for (const extension of extensions) await extension.measuringChanged?.(tx, viewer, field.id);
  await changeBind(tx, tracker, field, change);
  await changePlace(tx, tracker, field, change);
  const { name: to = field.name } = columns;
  await followRenaming(tx, extensions, { trackerId: tracker.id, from: field.name, to });
  await trackerChanged(tx, viewer, tracker);
  return tracker.id;
}
