import { invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import type { DateRule, ListRule } from '../governance.ts';
import { valuesAmong } from '../lists/index.ts';
import { type Field, noneValue, type Tracker } from '../model.ts';
import { requireTrackerForWriting } from '../policy.ts';
import { setDateRules, setListRules } from './write.ts';

/** What shall be: a kind of rules that is absent stays as it is. */
export interface RuleChange {
  readonly id: number;
  readonly dates?: readonly DateRule[];
  readonly lists?: readonly ListRule[];
}

/** Each once, as it came first. */
function distinct<Rule>(rules: readonly Rule[], keyOf: (rule: Rule) => string): Rule[] {
  const byKey = new Map<string, Rule>();
  for (const rule of rules) if (!byKey.has(keyOf(rule))) byKey.set(keyOf(rule), rule);
  return [...byKey.values()];
}

function requireDate({ elementById }: Tracker, id: number, member: string): void {
  const field = elementById.get(id);
  if (!field?.isUsed || !field.type.roles?.includes('date'))
    throw invalidMember(member, `The tracker has no date field ${id} in use.`);
}

function checkedDates(tracker: Tracker, rules: readonly DateRule[]): DateRule[] {
  for (const [index, { sourceFieldId, targetFieldId }] of rules.entries()) {
    requireDate(tracker, sourceFieldId, `dates[${index}][source_field_id]`);
    requireDate(tracker, targetFieldId, `dates[${index}][target_field_id]`);
    if (sourceFieldId === targetFieldId)
      throw invalidMember(`dates[${index}]`, 'A date cannot be compared with itself.');
  }
  return distinct(rules, (rule) => `${rule.sourceFieldId} ${rule.comparator} ${rule.targetFieldId}`);
}

/** Lists to which nobody can add values while they fill them. */
export const isClosedList = ({ type, bind }: Field) => bind !== null && type.value?.typedValues === undefined;

function isFrozenSomewhere({ workflow }: Tracker, id: number): boolean {
  const actions = workflow?.transitions.flatMap((transition) => transition.actions) ?? [];
  return actions.some((action) => action.type === 'frozen_fields' && action.fieldIds.includes(id));
}

function requireList(tracker: Tracker, id: number, member: string): Field {
  const field = tracker.elementById.get(id);
  if (!field?.isUsed || !isClosedList(field))
    throw invalidMember(member, `The tracker has no list ${id} in use with fixed values.`);
  if (isFrozenSomewhere(tracker, id))
    throw invalidMember(member, `The workflow freezes the field ${field.label}.`);
  return field;
}

/** Sources by target; each list depends on one other at the most, and never on itself. */
function checkForest(lists: readonly ListRule[]): void {
  const sources = new Map<number, number>();
  for (const { sourceFieldId, targetFieldId } of lists) {
    const known = sources.get(targetFieldId) ?? sourceFieldId;
    if (known !== sourceFieldId)
      throw invalidMember('lists', `The field ${targetFieldId} cannot depend on two lists.`);
    sources.set(targetFieldId, sourceFieldId);
  }
  for (const start of sources.keys()) {
    const seen = new Set([start]);
    for (let next = sources.get(start); next !== undefined; next = sources.get(next)) {
      if (seen.has(next)) throw invalidMember('lists', 'A list cannot depend on itself, not through others.');
      seen.add(next);
    }
  }
}

type Side = 'source' | 'target';

const sideOf = (rule: ListRule, side: Side) =>
  side === 'source'
    ? { fieldId: rule.sourceFieldId, valueId: rule.sourceValueId }
    : { fieldId: rule.targetFieldId, valueId: rule.targetValueId };

async function checkSide(tx: Transaction, tracker: Tracker, lists: readonly ListRule[], side: Side) {
  const wanted = Map.groupBy(lists.entries(), ([, rule]) => sideOf(rule, side).fieldId);
  for (const [fieldId, rules] of wanted) {
    const [[first] = [0]] = rules;
    const field = requireList(tracker, fieldId, `lists[${first}][${side}_field_id]`);
    const ids = rules.map(([, rule]) => sideOf(rule, side).valueId);
    const known = new Set([noneValue, ...(await valuesAmong(tx, tracker, field, [...new Set(ids)]))]);
    for (const [index, rule] of rules)
      if (!known.has(sideOf(rule, side).valueId))
        throw invalidMember(
          `lists[${index}][${side}_value_id]`,
          `It is not a value of the field ${field.label}.`,
        );
  }
}

async function checkedLists(
  tx: Transaction,
  tracker: Tracker,
  lists: readonly ListRule[],
): Promise<ListRule[]> {
  await checkSide(tx, tracker, lists, 'source');
  await checkSide(tx, tracker, lists, 'target');
  checkForest(lists);
  const keyOf = (rule: ListRule) =>
    `${rule.sourceFieldId} ${rule.sourceValueId} ${rule.targetFieldId} ${rule.targetValueId}`;
  return distinct(lists, keyOf);
}

/** Replaces the rules between the fields of a tracker, all or nothing. */
export async function changeRules(
  tx: Transaction,
  viewer: Viewer,
  { id, dates, lists }: RuleChange,
): Promise<void> {
  const { tracker } = await requireTrackerForWriting(tx, viewer, id);
  const dateRules = dates && checkedDates(tracker, dates);
  const listRules = lists && (await checkedLists(tx, tracker, lists));
  if (dateRules !== undefined) await setDateRules(tx, id, dateRules);
  if (listRules !== undefined) await setListRules(tx, id, listRules);
  await trackerChanged(tx, viewer, tracker);
}
