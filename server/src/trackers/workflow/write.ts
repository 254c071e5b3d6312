import type { Transaction } from '../../storage/index.ts';
import { toFlag } from '../../storage/index.ts';
import type { Conditions, DateRule, ListRule, PostAction, Transition, Workflow } from '../governance.ts';

const withoutId = ({ id: _, ...action }: PostAction & { id?: number }) => action;

const conditionColumns = ({ groups, notEmptyIds, isCommentRequired }: Conditions, fromId: number | null) => ({
  group_ids: JSON.stringify(groups),
  not_empty_ids: JSON.stringify(notEmptyIds),
  // Somebody who makes an artifact cannot comment on it yet.
  is_comment_required: toFlag(isCommentRequired && fromId !== null),
});

export async function insertWorkflow(
  tx: Transaction,
  trackerId: number,
  { fieldId, isUsed, isLegacy, isAdvanced }: Omit<Workflow, 'transitions' | 'states'>,
): Promise<void> {
  const row = {
    tracker_id: trackerId,
    field_id: fieldId,
    is_used: toFlag(isUsed),
    is_legacy: toFlag(isLegacy),
    is_advanced: toFlag(isAdvanced),
  };
  await tx.run(tx.sql.insertInto('workflow').values(row));
}

async function insertActions(
  tx: Transaction,
  transition_id: number,
  actions: readonly PostAction[],
): Promise<void> {
  const rows = actions.map((action) => ({ transition_id, settings: JSON.stringify(withoutId(action)) }));
  if (rows.length > 0) await tx.run(tx.sql.insertInto('post_action').values(rows));
}

/** Stores a transition with its settings; gives its id. */
export async function insertTransition(
  tx: Transaction,
  trackerId: number,
  {
    fromId,
    toId,
    actions,
    ...conditions
  }: Omit<Transition, 'id' | 'actions'> & { actions: readonly PostAction[] },
): Promise<number> {
  const row = {
    tracker_id: trackerId,
    from_id: fromId ?? 0,
    to_id: toId,
    ...conditionColumns(conditions, fromId),
  };
  const [stored] = await tx.all(tx.sql.insertInto('workflow_transition').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new transition has no id.');
  await insertActions(tx, stored.id, actions);
  return stored.id;
}

export async function setConditions(
  tx: Transaction,
  transitions: readonly Transition[],
  conditions: Conditions,
): Promise<void> {
  for (const { id, fromId } of transitions) {
    const change = tx.sql.updateTable('workflow_transition').set(conditionColumns(conditions, fromId));
    await tx.run(change.where('id', '=', id));
  }
}

export async function setActions(
  tx: Transaction,
  transitions: readonly Transition[],
  actions: readonly PostAction[],
): Promise<void> {
  for (const { id } of transitions) {
    await tx.run(tx.sql.deleteFrom('post_action').where('transition_id', '=', id));
    await insertActions(tx, id, actions);
  }
}

const dateColumns = ['tracker_id', 'source_field_id', 'target_field_id', 'comparator'] as const;
const listColumns = [
  'tracker_id',
  'source_field_id',
  'source_value_id',
  'target_field_id',
  'target_value_id',
] as const;

export async function setDateRules(tx: Transaction, trackerId: number, rules: readonly DateRule[]) {
  await tx.run(tx.sql.deleteFrom('date_rule').where('tracker_id', '=', trackerId));
  const rows = rules.map(
    (rule) => [trackerId, rule.sourceFieldId, rule.targetFieldId, rule.comparator] as const,
  );
  await tx.insertMany('date_rule', dateColumns, rows);
}

export async function setListRules(tx: Transaction, trackerId: number, rules: readonly ListRule[]) {
  await tx.run(tx.sql.deleteFrom('list_rule').where('tracker_id', '=', trackerId));
  const rows = rules.map(
    (rule) =>
      [trackerId, rule.sourceFieldId, rule.sourceValueId, rule.targetFieldId, rule.targetValueId] as const,
  );
  await tx.insertMany('list_rule', listColumns, rows);
}
