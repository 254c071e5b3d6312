import type { Transaction } from '../../storage/index.ts';
import type { DateRule, ListRule, PostAction, Transition } from '../governance.ts';
import { noneValue, type Tracker } from '../model.ts';
import { insertTransition, insertWorkflow, setDateRules, setListRules } from './write.ts';

/** What stands for what in a copy; undefined where the copy has nothing of the kind. */
export interface CopiedIds {
  field(id: number): number | undefined;
  /** A value of a list; people have the same id everywhere. */
  value(fieldId: number, id: number): number | undefined;
  group(id: number): number | undefined;
}

const allOf = (ids: readonly number[], of: (id: number) => number | undefined) =>
  ids.flatMap((id) => of(id) ?? []);

function copiedAction(action: PostAction, ids: CopiedIds): PostAction[] {
  switch (action.type) {
    case 'set_field_value': {
      const fieldId = ids.field(action.fieldId);
      return fieldId === undefined ? [] : [{ ...action, fieldId }];
    }
    case 'frozen_fields': {
      const fieldIds = allOf(action.fieldIds, (id) => ids.field(id));
      return fieldIds.length === 0 ? [] : [{ ...action, fieldIds }];
    }
    case 'hidden_fieldsets': {
      const fieldsetIds = allOf(action.fieldsetIds, (id) => ids.field(id));
      return fieldsetIds.length === 0 ? [] : [{ ...action, fieldsetIds }];
    }
    case 'run_job':
      return [action];
  }
}

async function copyTransition(
  tx: Transaction,
  trackerId: number,
  fieldId: number,
  transition: Transition,
  ids: CopiedIds,
): Promise<void> {
  const { fromId, toId } = transition;
  const from = fromId === null ? null : ids.value(fieldId, fromId);
  const to = ids.value(fieldId, toId);
  if (from === undefined || to === undefined) return;
  await insertTransition(tx, trackerId, {
    fromId: from,
    toId: to,
    groups: allOf(transition.groups, (id) => ids.group(id)),
    notEmptyIds: allOf(transition.notEmptyIds, (id) => ids.field(id)),
    isCommentRequired: transition.isCommentRequired,
    actions: transition.actions.flatMap((action) => copiedAction(action, ids)),
  });
}

function copiedDateRule(rule: DateRule, ids: CopiedIds): DateRule[] {
  const sourceFieldId = ids.field(rule.sourceFieldId);
  const targetFieldId = ids.field(rule.targetFieldId);
  if (sourceFieldId === undefined || targetFieldId === undefined) return [];
  return [{ ...rule, sourceFieldId, targetFieldId }];
}

function copiedListRule(rule: ListRule, ids: CopiedIds): ListRule[] {
  const value = (fieldId: number, id: number) => (id === noneValue ? id : ids.value(fieldId, id));
  const sourceFieldId = ids.field(rule.sourceFieldId);
  const targetFieldId = ids.field(rule.targetFieldId);
  const sourceValueId = value(rule.sourceFieldId, rule.sourceValueId);
  const targetValueId = value(rule.targetFieldId, rule.targetValueId);
  if (sourceFieldId === undefined || targetFieldId === undefined) return [];
  if (sourceValueId === undefined || targetValueId === undefined) return [];
  return [{ sourceFieldId, sourceValueId, targetFieldId, targetValueId }];
}

/**
 * Gives a tracker that has none yet the workflow and the rules of another. Triggers stay behind: they tie the other
 * tracker to its own children and parent.
 */
export async function copyGovernance(
  tx: Transaction,
  { workflow, rules }: Tracker,
  trackerId: number,
  ids: CopiedIds,
): Promise<void> {
  const fieldId = workflow && ids.field(workflow.fieldId);
  if (workflow !== undefined && fieldId !== undefined) {
    await insertWorkflow(tx, trackerId, { ...workflow, fieldId });
    for (const transition of workflow.transitions)
      await copyTransition(tx, trackerId, workflow.fieldId, transition, ids);
  }
  await setDateRules(
    tx,
    trackerId,
    rules.dates.flatMap((rule) => copiedDateRule(rule, ids)),
  );
  await setListRules(
    tx,
    trackerId,
    rules.lists.flatMap((rule) => copiedListRule(rule, ids)),
  );
}
