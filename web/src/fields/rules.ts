import type { Tracker } from '@atelier/client/routes';
import { type Choice, choicesIn } from './choice.ts';
import type { Field, FieldPlace, FieldValue } from './model.ts';

const NONE = 100;

const idsIn = (value: FieldValue | undefined): number[] => {
  const ids = choicesIn(value?.['values']).map(({ id }) => Number(id));
  return ids.length === 0 ? [NONE] : ids;
};

/** Values that lists of dependencies allow: for each list that this one depends on, those of its chosen values. */
function allowedByRules(field: Field, place: FieldPlace): (id: number) => boolean {
  const rules = (place.tracker.workflow?.rules.lists ?? []).filter(
    (rule) => rule.target_field_id === field.field_id,
  );
  const sources = [...new Set(rules.map((rule) => rule.source_field_id))];
  return (id) =>
    sources.every((source) => {
      const chosen = new Set(idsIn(place.seenValue(source)));
      return rules.some(
        (rule) =>
          rule.source_field_id === source && rule.target_value_id === id && chosen.has(rule.source_value_id),
      );
    });
}

export function isWorkflowField(tracker: Tracker, field: Field): boolean {
  const { workflow } = tracker;
  return workflow !== null && workflow.is_used === '1' && workflow.field_id === field.field_id;
}

/** Steps of the workflow from where an artifact stands, or to where a new one may begin. */
export function transitionsFrom(tracker: Tracker, stored: FieldValue | undefined, isNew: boolean) {
  const from = isNew ? null : (idsIn(stored)[0] ?? NONE);
  const isFrom = (id: number | null) =>
    from === null || from === NONE ? id === null || id === NONE : id === from;
  return (tracker.workflow?.transitions ?? []).filter(({ from_id: id }) => isFrom(id));
}

/** What can be chosen now: hidden values only where they are chosen already. */
export function allowedChoices(
  field: Field,
  place: FieldPlace,
  possible: readonly Choice[],
  chosen: readonly Choice[],
): Choice[] {
  const isChosen = (choice: Choice) => chosen.some(({ id }) => id === choice.id);
  if (place.isMany === true) return possible.filter((choice) => isChosen(choice) || choice.isHidden !== true);
  const byRules = allowedByRules(field, place);
  const isNew = place.artifact === undefined && place.storedValue === undefined;
  const stored =
    place.storedValue === undefined
      ? place.artifact?.values?.find(({ field_id: id }) => id === field.field_id)
      : place.storedValue(field.field_id);
  const targets = isWorkflowField(place.tracker, field)
    ? new Set(transitionsFrom(place.tracker, stored, isNew).map(({ to_id: id }) => id))
    : null;
  return possible.filter(
    (choice) =>
      isChosen(choice) ||
      (choice.isHidden !== true &&
        byRules(Number(choice.id)) &&
        (targets === null || targets.has(Number(choice.id)))),
  );
}

const COMPARISONS: Readonly<Record<string, (left: string, right: string) => boolean>> = {
  '<': (left, right) => left < right,
  '≤': (left, right) => left <= right,
  '=': (left, right) => left === right,
  '≥': (left, right) => left >= right,
  '>': (left, right) => left > right,
  '≠': (left, right) => left !== right,
};

export interface BrokenDateRule {
  readonly sourceId: number;
  readonly targetId: number;
  readonly comparator: string;
}

/** Rules between days that do not hold; an empty day breaks none. */
export function brokenDateRules(tracker: Tracker, seenValue: FieldPlace['seenValue']): BrokenDateRule[] {
  const dayOf = (id: number) => {
    const at = seenValue(id)?.['value'];
    return typeof at === 'string' ? at.slice(0, 16) : '';
  };
  return (tracker.workflow?.rules.dates ?? []).flatMap((rule) => {
    const [left, right] = [dayOf(rule.source_field_id), dayOf(rule.target_field_id)];
    if (left === '' || right === '') return [];
    const length = Math.min(left.length, right.length);
    const holds = COMPARISONS[rule.comparator]?.(left.slice(0, length), right.slice(0, length)) ?? true;
    return holds
      ? []
      : [{ sourceId: rule.source_field_id, targetId: rule.target_field_id, comparator: rule.comparator }];
  });
}
