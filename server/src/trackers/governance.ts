/** Sets a field when the transition is taken, whoever takes it. */
export interface SetFieldValue {
  readonly type: 'set_field_value';
  readonly fieldId: number;
  /** What the type of the field makes of it; null: nothing. */
  readonly value: string | number | null;
}
/** Calls a build server after the change is stored. */
export interface RunJob {
  readonly type: 'run_job';
  readonly url: string;
}
/** Fields that cannot be changed in the state. */
export interface FrozenFields {
  readonly type: 'frozen_fields';
  readonly fieldIds: readonly number[];
}
/** Fieldsets that are not shown in the state. */
export interface HiddenFieldsets {
  readonly type: 'hidden_fieldsets';
  readonly fieldsetIds: readonly number[];
}
export type PostAction = SetFieldValue | RunJob | FrozenFields | HiddenFieldsets;
export type StoredPostAction = PostAction & { readonly id: number };

/** What must hold for a transition to be taken. */
export interface Conditions {
  /** Groups of which one is enough. */
  readonly groups: readonly number[];
  readonly notEmptyIds: readonly number[];
  readonly isCommentRequired: boolean;
}

export interface Transition extends Conditions {
  readonly id: number;
  /** Null: a new artifact, or one whose list had no value. */
  readonly fromId: number | null;
  readonly toId: number;
  readonly actions: readonly StoredPostAction[];
}

/** What a value of the workflow's list does to the form of artifacts that have it. */
export interface State {
  readonly frozen: ReadonlySet<number>;
  /** Fieldsets; those stay visible that somebody must be able to fill. */
  readonly hidden: ReadonlySet<number>;
}

/** How a list of a tracker may change, and what follows when it does. */
export interface Workflow {
  readonly fieldId: number;
  readonly isUsed: boolean;
  /** An old kind: transitions are not enforced, post actions run. */
  readonly isLegacy: boolean;
  /** Each transition has settings of its own; else those are the same for all that lead to one value. */
  readonly isAdvanced: boolean;
  /** In the order in which they were made. */
  readonly transitions: readonly Transition[];
  readonly states: ReadonlyMap<number, State>;
}

export const comparators = ['<', '≤', '=', '≥', '>', '≠'] as const;
export type Comparator = (typeof comparators)[number];

export interface DateRule {
  readonly sourceFieldId: number;
  readonly targetFieldId: number;
  readonly comparator: Comparator;
}

/** One pair of values that may stand together. */
export interface ListRule {
  readonly sourceFieldId: number;
  readonly sourceValueId: number;
  readonly targetFieldId: number;
  readonly targetValueId: number;
}

/** All pairs of two lists: allowed values of the target by value of the source. */
export interface Dependency {
  readonly sourceFieldId: number;
  readonly targetFieldId: number;
  readonly allowed: ReadonlyMap<number, ReadonlySet<number>>;
}

/** What always holds between fields, workflow or not. */
export interface Rules {
  readonly dates: readonly DateRule[];
  /** In the order in which they were made. */
  readonly lists: readonly ListRule[];
  readonly dependencies: readonly Dependency[];
}

/** A value of a list. */
export interface FieldValue {
  readonly fieldId: number;
  readonly valueId: number;
}

/** Sets a value of a parent when its children have one of certain values. */
export interface Trigger {
  readonly id: number;
  /** All of them must; else one is enough. */
  readonly needsAll: boolean;
  readonly target: FieldValue;
  readonly children: readonly FieldValue[];
}

export interface Triggers {
  /** Those that set values here. */
  readonly own: readonly Trigger[];
  /** Those that set values in the parent tracker because of fields of this one. */
  readonly upwards: readonly Trigger[];
}

/** The part of a tracker that says how its artifacts may change. */
export interface Governance {
  readonly workflow: Workflow | undefined;
  readonly rules: Rules;
  readonly triggers: Triggers;
}

/** The transition whose settings stand for all that lead to a value, where each has not its own. */
export function referenceOf(transitions: readonly Transition[], toId: number): Transition | undefined {
  const leading = transitions.filter((transition) => transition.toId === toId);
  return leading.find(({ fromId }) => fromId !== null) ?? leading[0];
}
