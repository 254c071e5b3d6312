import { invalid, invalidMember, notFound } from '../../kernel/errors.ts';
import { fold } from '../../kernel/text.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';
import { toFlag } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import { type TrackerExtension, tellContributions } from '../extension.ts';
import type { Bind, Field, ListValue, Tracker } from '../model.ts';
import { requireFieldForWriting } from '../policy.ts';
import { oneLine, paragraph } from '../texts.ts';
import { storeBind } from './list-values.ts';
import { followRelabelling } from './rename.ts';
import { chosenValueObstacle, requireUnusedValue } from './uses.ts';

export interface ValueChange {
  readonly fieldId: number;
  readonly valueId: number;
  readonly label?: string;
  readonly description?: string;
  readonly color?: string | null;
  readonly isHidden?: boolean;
  readonly isDefault?: boolean;
  /** The value before which it stands; null: it stands last. */
  readonly nextValueId?: number | null;
}

interface ValueToChange {
  readonly tracker: Tracker;
  readonly field: Field;
  readonly bind: Bind;
  readonly value: ListValue;
}

async function requireValue(
  tx: Transaction,
  viewer: Viewer,
  { fieldId, valueId }: Pick<ValueChange, 'fieldId' | 'valueId'>,
): Promise<ValueToChange> {
  const { field, tracker } = await requireFieldForWriting(tx, viewer, fieldId);
  const { bind } = field;
  const value = bind?.values.find(({ id }) => id === valueId);
  if (bind === null || value === undefined) throw notFound('There is no such value in this list.');
  return { tracker, field, bind, value };
}

function checkHiding({ semantics }: Tracker, { valueId, isHidden }: ValueChange): void {
  if (isHidden && semantics.done?.valueIds.includes(valueId))
    throw invalidMember('is_hidden', 'The value counts as done; take it out of that semantic first.');
}

function columnsOf({ label, description, color, isHidden }: ValueChange) {
  return {
    ...(label === undefined ? {} : { label: oneLine('label', label) }),
    ...(description === undefined ? {} : { description: paragraph('description', description) }),
    ...(color === undefined ? {} : { color: color ?? '' }),
    ...(isHidden === undefined ? {} : { is_hidden: toFlag(isHidden) }),
  };
}

function inOrder(
  { bind, value }: ValueToChange,
  nextValueId: number | null | undefined,
): readonly ListValue[] {
  const values = bind.values.toSorted((left, right) => left.rank - right.rank || left.id - right.id);
  if (nextValueId === undefined || nextValueId === value.id) return values;
  const others = values.filter(({ id }) => id !== value.id);
  const index = nextValueId === null ? others.length : others.findIndex(({ id }) => id === nextValueId);
  if (index === -1) throw invalidMember('next_value_id', 'There is no such value in this list.');
  return others.toSpliced(index, 0, value);
}

/** Gives each value the place that it has in the list. */
async function reorder(tx: Transaction, values: readonly ListValue[]): Promise<void> {
  for (const [rank, value] of values.entries())
    if (value.rank !== rank)
      await tx.run(tx.sql.updateTable('list_value').set({ rank }).where('id', '=', value.id));
}

/** The defaults after one value became one, or is one no more. A list of one value has one at the most. */
function defaultsWith({ field, bind, value }: ValueToChange, isDefault: boolean): number[] {
  const others = bind.defaults.filter((id) => id !== value.id);
  if (!isDefault) return others;
  return field.type.isMultiple ? [...others, value.id] : [value.id];
}

/** Changes one value of a list; gives the id of its tracker. */
export async function changeListValue(
  tx: Transaction,
  viewer: Viewer,
  change: ValueChange,
  extensions: readonly TrackerExtension[],
): Promise<number> {
  const found = await requireValue(tx, viewer, change);
  const { tracker, field, bind, value } = found;
  if (value.groupId !== null && change.label !== undefined)
    throw invalidMember('label', 'The value is a user group and is called like it.');
  checkHiding(tracker, change);
  const columns = columnsOf(change);
  if (Object.keys(columns).length > 0)
    await tx.run(tx.sql.updateTable('list_value').set(columns).where('id', '=', value.id));
  if (change.nextValueId !== undefined) await reorder(tx, inOrder(found, change.nextValueId));
  if (change.isDefault !== undefined)
    await storeBind(tx, field.id, { ...bind, defaults: defaultsWith(found, change.isDefault) });
  if (columns.label !== undefined) {
    const renaming = { trackerId: tracker.id, list: field.name, from: value.label, to: columns.label };
    // Where another value is called alike, queries mean that one as well.
    const isAlone = !bind.values.some(
      ({ id, label }) => id !== value.id && fold(label) === fold(value.label),
    );
    if (isAlone) await followRelabelling(tx, extensions, renaming);
    await tellContributions(tx, extensions, { trackerId: tracker.id, names: [field.name] });
  }
  await trackerChanged(tx, viewer, tracker);
  return tracker.id;
}

/** Whether an artifact has the value now. The index of values answers at once, however many artifacts there are. */
async function isChosen(tx: Transaction, fieldId: number, value: number): Promise<boolean> {
  const query = tx.sql.selectFrom('artifact_value').select('artifact_id').where('field_id', '=', fieldId);
  return (await tx.first(query.where('value', '=', value).limit(1))) !== undefined;
}

/** Removes a value that nothing has; history still knows it. Gives the id of its tracker. */
export async function removeListValue(
  tx: Transaction,
  viewer: Viewer,
  input: { readonly fieldId: number; readonly valueId: number },
): Promise<number> {
  const found = await requireValue(tx, viewer, input);
  const { tracker, field, bind, value } = found;
  requireUnusedValue(tracker, field, value.id);
  if (await isChosen(tx, field.id, value.id)) throw invalid(chosenValueObstacle(value.label));
  const removal = tx.sql.updateTable('list_value').set({ deleted_at: Date.now() });
  await tx.run(removal.where('id', '=', value.id));
  if (bind.defaults.includes(value.id))
    await storeBind(tx, field.id, { ...bind, defaults: defaultsWith(found, false) });
  await trackerChanged(tx, viewer, tracker);
  return tracker.id;
}
