import { dayOf } from '../field-kit/index.ts';
import type { ShownFacts, Stored } from '../field-type.ts';
import type { Comparator, DateRule, Dependency } from '../governance.ts';
import { type Field, noneValue, type Tracker } from '../model.ts';

/** An artifact as it would be after a change. */
export interface ArtifactAfter {
  readonly values: Readonly<Record<string, Stored>>;
  readonly facts: ShownFacts;
}

/** What messages call a field. */
type NameOf = (field: Field) => string;

const holds: Readonly<Record<Comparator, <T extends number | string>(left: T, right: T) => boolean>> = {
  '<': (left, right) => left < right,
  '≤': (left, right) => left <= right,
  '=': (left, right) => left === right,
  '≥': (left, right) => left >= right,
  '>': (left, right) => left > right,
  '≠': (left, right) => left !== right,
};

interface Moment {
  readonly instant: number;
  readonly isWholeDay: boolean;
}

function momentOf(field: Field, { values, facts }: ArtifactAfter): Moment | undefined {
  const rules = field.type.value;
  const value = values[field.id];
  const instant = rules?.instant?.(value, facts, field) ?? null;
  if (instant === null) return undefined;
  return { instant, isWholeDay: value !== undefined && rules?.isWholeDay?.(value, field) === true };
}

/** Days are compared with days; a rule about an empty date holds. */
function holdsBetween(comparator: Comparator, left: Moment | undefined, right: Moment | undefined): boolean {
  if (left === undefined || right === undefined) return true;
  const compare = holds[comparator];
  return left.isWholeDay || right.isWholeDay
    ? compare(dayOf(left.instant), dayOf(right.instant))
    : compare(left.instant, right.instant);
}

function dateFault(
  { elementById }: Tracker,
  rule: DateRule,
  outcome: ArtifactAfter,
  nameOf: NameOf,
): string[] {
  const source = elementById.get(rule.sourceFieldId);
  const target = elementById.get(rule.targetFieldId);
  if (source === undefined || target === undefined) return [];
  const isKept = holdsBetween(rule.comparator, momentOf(source, outcome), momentOf(target, outcome));
  return isKept
    ? []
    : [`The date of ${nameOf(source)} must be ${rule.comparator} the date of ${nameOf(target)}.`];
}

function chosenIn(value: Stored | undefined): readonly number[] {
  const ids = Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : [];
  return ids.length === 0 ? [noneValue] : ids;
}

const allows = ({ allowed }: Dependency, sources: readonly number[], target: number) =>
  sources.some((source) => allowed.get(source)?.has(target) === true);

/** A source that never had a value says nothing about the other list; one that was emptied has the value None. */
function listFault(
  { elementById }: Tracker,
  rule: Dependency,
  { values }: ArtifactAfter,
  nameOf: NameOf,
): string[] {
  const source = elementById.get(rule.sourceFieldId);
  const target = elementById.get(rule.targetFieldId);
  const input = values[rule.sourceFieldId];
  if (source === undefined || target === undefined || input === undefined) return [];
  const sources = chosenIn(input);
  const isKept = chosenIn(values[rule.targetFieldId]).every((id) => allows(rule, sources, id));
  return isKept
    ? []
    : [`The value of the field ${nameOf(target)} cannot stand with that of the field ${nameOf(source)}.`];
}

/** Every rule of the tracker that an artifact would break, in words. */
export function brokenRules(tracker: Tracker, outcome: ArtifactAfter, nameOf: NameOf): string[] {
  const { dates, dependencies } = tracker.rules;
  return [
    ...dates.flatMap((rule) => dateFault(tracker, rule, outcome, nameOf)),
    ...dependencies.flatMap((rule) => listFault(tracker, rule, outcome, nameOf)),
  ];
}
