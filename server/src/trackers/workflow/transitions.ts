import { invalid, invalidMember, notFound } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { groupIds } from '../../projects/index.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import { type Conditions, referenceOf, type Transition, type Workflow } from '../governance.ts';
import { requireGroups } from '../groups.ts';
import type { Tracker } from '../model.ts';
import { requireTrackerForWriting } from '../policy.ts';
import { insertTransition, setConditions } from './write.ts';

/** The tracker that a transition belongs to; refuses when there is no such transition. */
export async function requireTrackerOfTransition(reader: Reader, id: number): Promise<number> {
  const query = reader.sql.selectFrom('workflow_transition').select('tracker_id').where('id', '=', id);
  const row = await reader.first(query);
  if (row === undefined) throw notFound('There is no such transition.');
  return row.tracker_id;
}

export function requireTransition({ workflow }: Tracker, id: number): Transition {
  const transition = workflow?.transitions.find((candidate) => candidate.id === id);
  if (transition === undefined) throw notFound('There is no such transition.');
  return transition;
}

/** A transition with its tracker, which stays as it is, for those who may change it. */
export async function requireTransitionForWriting(
  tx: Transaction,
  viewer: Viewer,
  id: number,
): Promise<{ readonly tracker: Tracker; readonly transition: Transition }> {
  const { tracker } = await requireTrackerForWriting(tx, viewer, await requireTrackerOfTransition(tx, id));
  return { tracker, transition: requireTransition(tracker, id) };
}

/** The transitions that share the settings of this one. */
export function sharingWith({ workflow }: Tracker, transition: Transition): readonly Transition[] {
  if (workflow === undefined || workflow.isAdvanced) return [transition];
  return workflow.transitions.filter(({ toId }) => toId === transition.toId);
}

export interface NewTransition {
  readonly trackerId: number;
  /** 0: a new artifact. */
  readonly fromId: number;
  readonly toId: number;
}

function requireState({ elementById }: Tracker, { fieldId }: Workflow, id: number, member: string): void {
  const values = elementById.get(fieldId)?.bind?.values ?? [];
  if (!values.some((value) => value.id === id))
    throw notFound(`\`${member}\`: ${id} is not a value of the field that has the workflow.`);
}

const usual: Conditions & Pick<Transition, 'actions'> = {
  groups: [groupIds.projectMembers],
  notEmptyIds: [],
  isCommentRequired: false,
  actions: [],
};

/** Adds a transition; gives its id. Where settings belong to values, it has those of its value at once. */
export async function createTransition(
  tx: Transaction,
  viewer: Viewer,
  { trackerId, fromId, toId }: NewTransition,
): Promise<number> {
  const { tracker } = await requireTrackerForWriting(tx, viewer, trackerId);
  const { workflow } = tracker;
  if (workflow === undefined) throw notFound('The tracker has no workflow.');
  if (fromId === toId) throw invalid('A transition must lead from one value to another.');
  const from = fromId === 0 ? null : fromId;
  if (workflow.transitions.some((known) => known.fromId === from && known.toId === toId))
    throw invalid('There is such a transition already.');
  if (from !== null) requireState(tracker, workflow, from, 'from_id');
  requireState(tracker, workflow, toId, 'to_id');
  const settings = (workflow.isAdvanced ? undefined : referenceOf(workflow.transitions, toId)) ?? usual;
  const id = await insertTransition(tx, trackerId, { ...settings, fromId: from, toId });
  await trackerChanged(tx, viewer, tracker);
  return id;
}

export interface ConditionChange {
  readonly id: number;
  readonly groups: readonly string[];
  readonly notEmptyIds: readonly number[];
  readonly isCommentRequired: boolean;
}

/** Fields that people fill. */
function requireFillable({ elementById }: Tracker, ids: readonly number[]): number[] {
  for (const id of ids) {
    const field = elementById.get(id);
    if (!field?.isUsed || !field.type.isSubmittable)
      throw invalidMember('not_empty_field_ids', `The tracker has no field ${id} in use that people fill.`);
  }
  return [...new Set(ids)];
}

/** Replaces the conditions of a transition, and of those that share them. */
export async function changeConditions(
  tx: Transaction,
  viewer: Viewer,
  { id, groups: input, notEmptyIds, isCommentRequired }: ConditionChange,
): Promise<void> {
  const { tracker, transition } = await requireTransitionForWriting(tx, viewer, id);
  const groups = requireGroups(tracker, 'authorized_user_group_ids', input);
  if (groups.length === 0)
    throw invalidMember('authorized_user_group_ids', 'At least one user group is needed.');
  const conditions = { groups, notEmptyIds: requireFillable(tracker, notEmptyIds), isCommentRequired };
  await setConditions(tx, sharingWith(tracker, transition), conditions);
  await trackerChanged(tx, viewer, tracker);
}

export async function deleteTransition(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
): Promise<void> {
  const { tracker } = await requireTransitionForWriting(tx, viewer, id);
  await tx.run(tx.sql.deleteFrom('workflow_transition').where('id', '=', id));
  await trackerChanged(tx, viewer, tracker);
}
