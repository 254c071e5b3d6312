import { groupIds } from '../projects/index.ts';
import {
  type Comparator,
  comparators,
  type Dependency,
  type FieldValue,
  type Governance,
  type ListRule,
  type PostAction,
  type Rules,
  referenceOf,
  type State,
  type StoredPostAction,
  type Transition,
  type Trigger,
  type Triggers,
  type Workflow,
} from './governance.ts';
import type { GovernanceRows } from './governance-rows.ts';
import type { Field } from './model.ts';

type Elements = ReadonlyMap<number, Field>;

const parsedAction = (settings: string): PostAction => JSON.parse(settings);

const toAction = ({ id, settings }: GovernanceRows['actions'][number]): StoredPostAction => ({
  ...parsedAction(settings),
  id,
});

/** Nobody named means everybody in the project. */
function groupsIn(text: string): readonly number[] {
  const groups: readonly number[] = JSON.parse(text);
  return groups.length === 0 ? [groupIds.projectMembers] : groups;
}

function toTransitions({ transitions, actions }: GovernanceRows): Transition[] {
  return transitions.map((row) => ({
    id: row.id,
    fromId: row.from_id === 0 ? null : row.from_id,
    toId: row.to_id,
    groups: groupsIn(row.group_ids),
    notEmptyIds: JSON.parse(row.not_empty_ids),
    isCommentRequired: row.is_comment_required === 1,
    actions: actions.filter(({ transition_id }) => transition_id === row.id).map(toAction),
  }));
}

/** Containers, the nearest first. */
function containersOf({ parentId }: Field, elements: Elements): Field[] {
  const parent = parentId === null ? undefined : elements.get(parentId);
  return parent === undefined ? [] : [parent, ...containersOf(parent, elements)];
}

/** Containers of what somebody must be able to fill: they are never hidden. */
function shownContainers(elements: Elements, { dependencies }: Rules): ReadonlySet<number> {
  const dependent = new Set(dependencies.flatMap((rule) => [rule.sourceFieldId, rule.targetFieldId]));
  const needed = [...elements.values()].filter(
    ({ id, isUsed, isRequired }) => isUsed && (isRequired || dependent.has(id)),
  );
  return new Set(needed.flatMap((field) => containersOf(field, elements)).map(({ id }) => id));
}

/** The states of a workflow whose settings belong to values. */
function toStates(
  transitions: readonly Transition[],
  neverHidden: ReadonlySet<number>,
): ReadonlyMap<number, State> {
  const states = new Map<number, State>();
  for (const { toId } of transitions) {
    const actions = referenceOf(transitions, toId)?.actions ?? [];
    const frozen = actions.flatMap((action) => (action.type === 'frozen_fields' ? action.fieldIds : []));
    const hidden = actions.flatMap((action) =>
      action.type === 'hidden_fieldsets' ? action.fieldsetIds : [],
    );
    if (frozen.length + hidden.length === 0) continue;
    states.set(toId, { frozen: new Set(frozen), hidden: new Set(hidden).difference(neverHidden) });
  }
  return states;
}

function toWorkflow(rows: GovernanceRows, elements: Elements, rules: Rules): Workflow | undefined {
  const [workflow] = rows.workflow;
  if (workflow === undefined) return undefined;
  const isUsed = workflow.is_used === 1;
  const isAdvanced = workflow.is_advanced === 1;
  const transitions = toTransitions(rows);
  const hasStates = isUsed && !isAdvanced;
  return {
    fieldId: workflow.field_id,
    isUsed,
    isLegacy: workflow.is_legacy === 1,
    isAdvanced,
    transitions,
    states: hasStates ? toStates(transitions, shownContainers(elements, rules)) : new Map(),
  };
}

function toDependencies(lists: readonly ListRule[]): Dependency[] {
  const dependencies = new Map<string, Dependency & { allowed: Map<number, Set<number>> }>();
  for (const { sourceFieldId, sourceValueId, targetFieldId, targetValueId } of lists) {
    const key = `${sourceFieldId} ${targetFieldId}`;
    const known = dependencies.get(key) ?? { sourceFieldId, targetFieldId, allowed: new Map() };
    dependencies.set(key, known);
    known.allowed.set(sourceValueId, (known.allowed.get(sourceValueId) ?? new Set()).add(targetValueId));
  }
  return [...dependencies.values()];
}

const isComparator = (text: string): text is Comparator => comparators.some((known) => known === text);

const noRules: Rules = { dates: [], lists: [], dependencies: [] };

/** Rules about what is not used (any more) hold. */
function toRules({ dateRules, listRules }: GovernanceRows, elements: Elements): Rules {
  if (dateRules.length + listRules.length === 0) return noRules;
  const isUsed = (id: number) => elements.get(id)?.isUsed === true;
  const dates = dateRules.flatMap(({ source_field_id, target_field_id, comparator }) => {
    if (!isComparator(comparator) || !isUsed(source_field_id) || !isUsed(target_field_id)) return [];
    return { sourceFieldId: source_field_id, targetFieldId: target_field_id, comparator };
  });
  const lists = listRules
    .filter((row) => isUsed(row.source_field_id) && isUsed(row.target_field_id))
    .map((row) => ({
      sourceFieldId: row.source_field_id,
      sourceValueId: row.source_value_id,
      targetFieldId: row.target_field_id,
      targetValueId: row.target_value_id,
    }));
  return { dates, lists, dependencies: toDependencies(lists) };
}

const noTriggers: Triggers = { own: [], upwards: [] };

function childrenIn(text: string): FieldValue[] {
  const children: readonly (readonly [number, number])[] = JSON.parse(text);
  return children.map(([fieldId, valueId]) => ({ fieldId, valueId }));
}

function toTriggers({ triggers: rows }: GovernanceRows, trackerId: number, elements: Elements): Triggers {
  if (rows.length === 0) return noTriggers;
  const toTrigger = (row: GovernanceRows['triggers'][number]): Trigger => ({
    id: row.id,
    needsAll: row.needs_all === 1,
    target: { fieldId: row.field_id, valueId: row.value_id },
    children: childrenIn(row.children),
  });
  const own = rows.filter(({ tracker_id }) => tracker_id === trackerId).map(toTrigger);
  const ofParent = rows.filter(({ tracker_id }) => tracker_id !== trackerId).map(toTrigger);
  const isHere = ({ children }: Trigger) => children.some(({ fieldId }) => elements.get(fieldId)?.isUsed);
  return { own, upwards: ofParent.filter(isHere) };
}

/** Puts together how artifacts of a tracker may change. */
export function compileGovernance(rows: GovernanceRows, trackerId: number, elements: Elements): Governance {
  const rules = toRules(rows, elements);
  return {
    workflow: toWorkflow(rows, elements, rules),
    rules,
    triggers: toTriggers(rows, trackerId, elements),
  };
}
