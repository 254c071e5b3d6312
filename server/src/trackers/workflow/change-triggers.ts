import { invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { readProjectAccess } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { toFlag } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import { loadTracker } from '../compile.ts';
import type { FieldValue, Trigger } from '../governance.ts';
import type { Field, Tracker } from '../model.ts';
import { requireTrackerAmongOthers } from '../policy.ts';
import { viewOf } from '../view.ts';
import { isClosedList } from './change-rules.ts';

export interface TriggerChange {
  /** The tracker of the parents. */
  readonly id: number;
  readonly triggers: readonly Omit<Trigger, 'id'>[];
}

/** The trackers below this one that the viewer sees; they stay as they are. */
async function lockChildren(tx: Transaction, viewer: Viewer, { id, project }: Tracker): Promise<Tracker[]> {
  const rows = await tx.lock(
    tx.sql.selectFrom('tracker').select('id').where('parent_id', '=', id).orderBy('id'),
  );
  const projectAccess = await readProjectAccess(tx, viewer, project.id);
  const children: Tracker[] = [];
  for (const row of rows) {
    const child = await loadTracker(tx, row.id);
    if (child !== undefined && viewOf(child, projectAccess).canView) children.push(child);
  }
  return children;
}

function requireValue(field: Field | undefined, { fieldId, valueId }: FieldValue, member: string): void {
  if (!field?.isUsed || !isClosedList(field) || field.bind?.kind !== 'static')
    throw invalidMember(`${member}[field_id]`, `There is no list ${fieldId} in use with values of its own.`);
  if (!field.bind.values.some(({ id }) => id === valueId))
    throw invalidMember(`${member}[value_id]`, `It is not a value of the field ${field.label}.`);
}

function check(
  tracker: Tracker,
  children: readonly Tracker[],
  { target, children: conditions }: Omit<Trigger, 'id'>,
  member: string,
): void {
  requireValue(tracker.elementById.get(target.fieldId), target, `${member}[target]`);
  if (conditions.length === 0)
    throw invalidMember(`${member}[children]`, 'At least one value of a child tracker is needed.');
  for (const [index, condition] of conditions.entries()) {
    const child = children.find(({ elementById }) => elementById.has(condition.fieldId));
    requireValue(child?.elementById.get(condition.fieldId), condition, `${member}[children][${index}]`);
  }
}

const rowOf = (trackerId: number, { needsAll, target, children }: Omit<Trigger, 'id'>) => ({
  tracker_id: trackerId,
  needs_all: toFlag(needsAll),
  field_id: target.fieldId,
  value_id: target.valueId,
  children: JSON.stringify(children.map(({ fieldId, valueId }) => [fieldId, valueId])),
});

/** Replaces all that the children of a tracker's artifacts set in them. */
export async function changeTriggers(
  tx: Transaction,
  viewer: Viewer,
  { id, triggers }: TriggerChange,
): Promise<void> {
  const { tracker } = await requireTrackerAmongOthers(tx, viewer, id);
  const children = await lockChildren(tx, viewer, tracker);
  for (const [index, trigger] of triggers.entries()) check(tracker, children, trigger, `triggers[${index}]`);
  await tx.run(tx.sql.deleteFrom('trigger_rule').where('tracker_id', '=', id));
  const rows = triggers.map((trigger) => rowOf(id, trigger));
  if (rows.length > 0) await tx.run(tx.sql.insertInto('trigger_rule').values(rows));
  await trackerChanged(tx, viewer, tracker);
}
