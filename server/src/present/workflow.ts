import type {
  PostAction as PresentedAction,
  Transition as PresentedTransition,
  Trigger as PresentedTrigger,
  Workflow as PresentedWorkflow,
} from '@atelier/contract';
import type { Artifact } from '../artifacts/index.ts';
import { formatGroupId } from '../projects/index.ts';
import {
  type Rules,
  type StoredPostAction,
  stateOf,
  type Tracker,
  type TrackerView,
  type Transition,
  type Trigger,
} from '../trackers/index.ts';

/** What the state of an artifact does to the form of its tracker. */
export interface ArtifactForm {
  /** Ids of the fieldsets that are hidden. */
  readonly hidden: ReadonlySet<number>;
  /** Ids of the fields that cannot be changed. */
  readonly frozen: ReadonlySet<number>;
}

export const presentRules = ({ dates, lists }: Rules): PresentedWorkflow['rules'] => ({
  dates: dates.map(({ sourceFieldId, targetFieldId, comparator }) => ({
    source_field_id: sourceFieldId,
    target_field_id: targetFieldId,
    comparator,
  })),
  lists: lists.map(({ sourceFieldId, sourceValueId, targetFieldId, targetValueId }) => ({
    source_field_id: sourceFieldId,
    source_value_id: sourceValueId,
    target_field_id: targetFieldId,
    target_value_id: targetValueId,
  })),
});

/** Whether the viewer may know that there is such a field. */
function knows(view: TrackerView, fieldId: number): boolean {
  const field = view.tracker.elementById.get(fieldId);
  return field !== undefined && view.knows(field);
}

/** The workflow with the transitions that the viewer may take; null when they may not see its field. */
export function presentWorkflow(view: TrackerView): PresentedWorkflow | null {
  const { workflow, rules, elementById } = view.tracker;
  const field = workflow && elementById.get(workflow.fieldId);
  if (workflow === undefined || field === undefined)
    return {
      field_id: 0,
      is_used: '',
      is_legacy: false,
      is_advanced: true,
      rules: presentRules(rules),
      transitions: [],
    };
  if (!view.canRead(field)) return null;
  const shown = workflow.transitions.filter(({ groups }) => view.isAdmin || view.isIn(groups));
  return {
    field_id: workflow.fieldId,
    is_used: workflow.isUsed ? '1' : '0',
    is_legacy: workflow.isLegacy,
    is_advanced: workflow.isAdvanced,
    rules: presentRules(rules),
    transitions: shown.map((transition) => ({
      id: transition.id,
      from_id: transition.fromId,
      to_id: transition.toId,
      not_empty_field_ids: transition.notEmptyIds.filter((id) => knows(view, id)),
      is_comment_required: transition.isCommentRequired,
    })),
  };
}

export const presentTransition = ({ project }: Tracker, transition: Transition): PresentedTransition => ({
  id: transition.id,
  from_id: transition.fromId,
  to_id: transition.toId,
  authorized_user_group_ids: transition.groups.map((id) => formatGroupId(id, project.id)),
  not_empty_field_ids: [...transition.notEmptyIds],
  is_comment_required: transition.isCommentRequired,
});

const fieldTypes = ['date', 'int', 'float'] as const;

function presentAction({ elementById }: Tracker, action: StoredPostAction): PresentedAction {
  const { id, type } = action;
  switch (type) {
    case 'set_field_value': {
      const code = elementById.get(action.fieldId)?.type.code;
      const field_type = fieldTypes.find((known) => known === code);
      return { id, type, field_id: action.fieldId, field_type, value: action.value };
    }
    case 'run_job':
      return { id, type, job_url: action.url };
    case 'frozen_fields':
      return { id, type, field_ids: [...action.fieldIds] };
    case 'hidden_fieldsets':
      return { id, type, fieldset_ids: [...action.fieldsetIds] };
  }
}

/** The order of answers: what sets dates, integers and other numbers, then the rest. */
const actionOrder = [...fieldTypes, 'run_job', 'frozen_fields', 'hidden_fieldsets'];
const placeOf = ({ type, field_type }: PresentedAction) => actionOrder.indexOf(field_type ?? type);

export function presentActions(tracker: Tracker, { actions }: Transition): PresentedAction[] {
  return actions
    .map((action) => presentAction(tracker, action))
    .sort((left, right) => placeOf(left) - placeOf(right));
}

export const presentTrigger = ({ id, needsAll, target, children }: Trigger): PresentedTrigger => ({
  id,
  condition: needsAll ? 'all_of' : 'at_least_one',
  target: { field_id: target.fieldId, value_id: target.valueId },
  children: children.map(({ fieldId, valueId }) => ({ field_id: fieldId, value_id: valueId })),
});

/** What the state of an artifact does to the form of its tracker. */
export const formOf = ({ view, document }: Pick<Artifact, 'view' | 'document'>): ArtifactForm =>
  stateOf(view.tracker, document);
