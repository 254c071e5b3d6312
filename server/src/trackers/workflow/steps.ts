import type { Stored } from '../field-type.ts';
import type { State, Transition } from '../governance.ts';
import { type Field, noneValue, type Tracker } from '../model.ts';

/** The current values of an artifact by field id. */
type Values = Readonly<Record<string, Stored>>;

/** A change of the list that carries the workflow. */
export interface Step {
  readonly field: Field;
  /** Null: a new artifact, or one whose list had no value. */
  readonly fromId: number | null;
  /** 100: the list is emptied. */
  readonly toId: number;
  /** Undefined: the workflow has no such step. */
  readonly transition: Transition | undefined;
  /** Whether the workflow says which steps there are. */
  readonly isEnforced: boolean;
}

/** The value of a list that has one at the most. */
function chosenIn(value: Stored | undefined): number | null {
  const first = Array.isArray(value) ? value[0] : undefined;
  return typeof first === 'number' ? first : null;
}

/** The step of the workflow that a change takes, when it takes one. */
export function stepOf(
  { workflow, elementById }: Tracker,
  before: Values,
  changed: ReadonlyMap<Field, Stored>,
): Step | undefined {
  if (workflow === undefined || !(workflow.isUsed || workflow.isLegacy)) return undefined;
  const field = elementById.get(workflow.fieldId);
  const value = field?.isUsed ? changed.get(field) : undefined;
  if (field === undefined || value === undefined) return undefined;
  const fromId = chosenIn(before[field.id]);
  const toId = chosenIn(value);
  if (fromId === toId) return undefined;
  const transition = workflow.transitions.find(
    (candidate) => candidate.fromId === fromId && candidate.toId === toId,
  );
  const isEnforced = workflow.isUsed && !workflow.isLegacy;
  return { field, fromId, toId: toId ?? noneValue, transition, isEnforced };
}

/** The label of a value of the workflow's list. */
export function labelOfState({ field: { bind } }: Step, id: number): string {
  const values = bind === null ? [] : [...bind.values, ...bind.removed];
  return values.find((value) => value.id === id)?.label ?? 'None';
}

/** How messages name a step to those who may know of its field. */
export const nameOfStep = (step: Step) =>
  `the field ${step.field.label} from ${
    step.fromId === null ? 'a new artifact' : `"${labelOfState(step, step.fromId)}"`
  } to "${labelOfState(step, step.toId)}"`;

const noState: State = { frozen: new Set(), hidden: new Set() };

/** What the present state of an artifact does to its form. */
export function stateOf({ workflow }: Tracker, values: Values): State {
  if (workflow === undefined || workflow.states.size === 0) return noState;
  return workflow.states.get(chosenIn(values[workflow.fieldId]) ?? noneValue) ?? noState;
}

/** What a transition sets by itself, whoever takes it. */
export function valuesSetBy(
  { elementById }: Tracker,
  { actions }: Transition,
  now: number,
): ReadonlyMap<Field, Stored> {
  const values = new Map<Field, Stored>();
  for (const action of actions) {
    if (action.type !== 'set_field_value' || action.value === null) continue;
    const field = elementById.get(action.fieldId);
    if (!field?.isUsed || field.type.workflow === undefined) continue;
    values.set(field, field.type.workflow.value(field, action.value, now));
  }
  return values;
}
