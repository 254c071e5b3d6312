import { invalid, invalidMember, Refusal } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';
import { toFlag } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import { type TrackerExtension, tellContributions } from '../extension.ts';
import type { Field, Tracker } from '../model.ts';
import { requireFieldForWriting } from '../policy.ts';
import { oneLine, paragraph } from '../texts.ts';
import { normalisedName, requireFreeName } from './elements.ts';
import { addStaticValues } from './list-values.ts';
import { moveElement, type Place } from './places.ts';
import { followRenaming } from './rename.ts';
import { requireUnused } from './uses.ts';

/** Changes of a form element that the compatible API knows. */
export interface FieldPatch {
  readonly id: number;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly name?: string | undefined;
  readonly isUsed?: boolean | undefined;
  readonly newValues?: readonly string[] | undefined;
  readonly move?: Place | undefined;
}

/** Words for the person at the keyboard. */
const told = (userMessage: string) => new Refusal('invalid', '', { userMessage });

function newLabel(label: string): string {
  if (label.trim() === '') throw told('The label of a form element cannot be empty.');
  return oneLine('label', label);
}

function newName(tracker: Tracker, field: Field, name: string): string {
  const isTaken = tracker.elements.some(
    (element) => element.id !== field.id && element.name === normalisedName(name),
  );
  if (isTaken) throw told(`The tracker already has an element named "${normalisedName(name)}".`);
  return requireFreeName(tracker, name, field.id);
}

function textColumns(tracker: Tracker, field: Field, { label, description, name }: FieldPatch) {
  return {
    ...(name === undefined ? {} : { name: newName(tracker, field, name) }),
    ...(label === undefined ? {} : { label: newLabel(label) }),
    ...(description === undefined ? {} : { description: paragraph('description', description).trim() }),
  };
}

function useColumns(tracker: Tracker, field: Field, { isUsed }: FieldPatch) {
  if (isUsed === undefined || isUsed === field.isUsed) return {};
  if (!isUsed) requireUnused(tracker, field);
  return { is_used: toFlag(isUsed) };
}

/** One value for each line that is not blank. */
const linesIn = (texts: readonly string[]) =>
  texts.flatMap((text) => text.split(/\r?\n|\r/)).filter((line) => line.trim() !== '');

function labelsToAdd({ type, label, bind }: Field, newValues: readonly string[]): string[] {
  if (type.binds === undefined || type.isMultiple)
    throw invalidMember('new_values', `"${label}" is not a list of one value.`);
  if (bind?.kind !== 'static') throw invalidMember('new_values', `"${label}" has no values of its own.`);
  return linesIn(newValues);
}

/** The compatible API moves fieldsets at the root, fields and static elements from column to column. */
function checkMove({ elementById }: Tracker, { type }: Field, { parentId }: Place): void {
  if (!type.parents.includes(null)) throw invalid(`An element of the type ${type.code} cannot be moved.`);
  const parent = parentId === null ? null : elementById.get(parentId);
  if (parent === undefined) throw invalidMember('move[parent_id]', 'There is no such element.');
  const isRootOnly = type.parents.every((code) => code === null);
  if (isRootOnly && parent !== null)
    throw invalidMember('move[parent_id]', `An element of the type ${type.code} has no parent.`);
  if (!isRootOnly && (parent === null || parent.type.parents.includes(null)))
    throw invalidMember('move[parent_id]', 'The parent must be a column.');
}

/** Changes a form element, all or nothing; gives the id of its tracker. */
export async function patchField(
  tx: Transaction,
  viewer: Viewer,
  patch: FieldPatch,
  extensions: readonly TrackerExtension[],
): Promise<number> {
  const { field, tracker } = await requireFieldForWriting(tx, viewer, patch.id);
  const columns = { ...textColumns(tracker, field, patch), ...useColumns(tracker, field, patch) };
  if (Object.keys(columns).length > 0)
    await tx.run(tx.sql.updateTable('tracker_field').set(columns).where('id', '=', field.id));
  if (patch.newValues !== undefined)
    await addStaticValues(tx, field, labelsToAdd(field, patch.newValues), 'new_values');
  if (patch.move !== undefined) {
    checkMove(tracker, field, patch.move);
    await moveElement(tx, tracker, field, patch.move, 'move[next_sibling_id]');
  }
  const trackerId = tracker.id;
  await followRenaming(tx, extensions, { trackerId, from: field.name, to: columns.name ?? field.name });
  if ('is_used' in columns)
    await tellContributions(tx, extensions, { trackerId, names: [columns.name ?? field.name] });
  await trackerChanged(tx, viewer, tracker);
  return tracker.id;
}
