import type { PostAction, Transition, Workflow } from '../governance.ts';
import type { Tracker } from '../model.ts';

const fieldsOf = (action: PostAction): readonly number[] => {
  switch (action.type) {
    case 'set_field_value':
      return [action.fieldId];
    case 'frozen_fields':
      return action.fieldIds;
    case 'hidden_fieldsets':
      return action.fieldsetIds;
    case 'run_job':
      return [];
  }
};

const isNamedBy = (id: number) => (transition: Transition) =>
  transition.notEmptyIds.includes(id) || transition.actions.some((action) => fieldsOf(action).includes(id));

function isInWorkflow(workflow: Workflow | undefined, id: number): boolean {
  return workflow !== undefined && (workflow.fieldId === id || workflow.transitions.some(isNamedBy(id)));
}

/** What keeps a form element from being removed or taken out of use, in words; undefined when nothing does. */
export function useOfField({ workflow, rules, triggers }: Tracker, id: number): string | undefined {
  if (isInWorkflow(workflow, id)) return 'the workflow';
  if (rules.dates.some((rule) => rule.sourceFieldId === id || rule.targetFieldId === id))
    return 'a date rule';
  if (rules.dependencies.some((rule) => rule.sourceFieldId === id || rule.targetFieldId === id))
    return 'a dependency between lists';
  const isSet = triggers.own.some(({ target }) => target.fieldId === id);
  const isWatched = triggers.upwards.some(({ children }) => children.some(({ fieldId }) => fieldId === id));
  return isSet || isWatched ? 'a trigger' : undefined;
}

/** As `useOfField`, for a value of a list. */
export function useOfValue(
  { workflow, rules, triggers }: Tracker,
  fieldId: number,
  id: number,
): string | undefined {
  const isState = ({ fromId, toId }: Transition) => fromId === id || toId === id;
  if (workflow?.fieldId === fieldId && workflow.transitions.some(isState)) return 'the workflow';
  const isPaired = rules.lists.some(
    (rule) =>
      (rule.sourceFieldId === fieldId && rule.sourceValueId === id) ||
      (rule.targetFieldId === fieldId && rule.targetValueId === id),
  );
  if (isPaired) return 'a dependency between lists';
  const all = [
    ...triggers.own.map(({ target }) => target),
    ...triggers.upwards.flatMap(({ children }) => children),
  ];
  return all.some((value) => value.fieldId === fieldId && value.valueId === id) ? 'a trigger' : undefined;
}

/** In which ways the workflow, rules and triggers name an element of the form. */
export interface Governing {
  readonly workflow: readonly ('states' | 'needed' | 'set' | 'frozen' | 'hidden')[];
  readonly rules: readonly ('dates' | 'lists')[];
  readonly triggers: readonly ('set' | 'watched')[];
}

const namedAs = {
  set_field_value: 'set',
  frozen_fields: 'frozen',
  hidden_fieldsets: 'hidden',
  run_job: undefined,
} as const satisfies Record<PostAction['type'], Governing['workflow'][number] | undefined>;

function namedByTransition({ notEmptyIds, actions }: Transition, id: number): Governing['workflow'] {
  const ways = actions.flatMap((action) =>
    fieldsOf(action).includes(id) ? (namedAs[action.type] ?? []) : [],
  );
  return notEmptyIds.includes(id) ? ['needed', ...ways] : ways;
}

const isBetween = (id: number) => (rule: { sourceFieldId: number; targetFieldId: number }) =>
  rule.sourceFieldId === id || rule.targetFieldId === id;

export function governingUses({ workflow, rules, triggers }: Tracker, id: number): Governing {
  const steps = workflow?.transitions ?? [];
  const isSet = triggers.own.some(({ target }) => target.fieldId === id);
  const isWatched = triggers.upwards.some(({ children }) => children.some(({ fieldId }) => fieldId === id));
  return {
    workflow: [
      ...(workflow?.fieldId === id ? ['states' as const] : []),
      ...new Set(steps.flatMap((step) => namedByTransition(step, id))),
    ],
    rules: [
      ...(rules.dates.some(isBetween(id)) ? ['dates' as const] : []),
      ...(rules.dependencies.some(isBetween(id)) ? ['lists' as const] : []),
    ],
    triggers: [...(isSet ? ['set' as const] : []), ...(isWatched ? ['watched' as const] : [])],
  };
}
