import { invalid } from '../kernel/errors.ts';
import { isObject } from '../kernel/values.ts';
import { type Field, noneValue, type Tracker, type TrackerView } from '../trackers/index.ts';

/** One condition: the field has at least one of these values. No value at all: nothing matches. */
export interface ListCriterion {
  readonly fieldId: number;
  readonly values: readonly number[];
}

/** A key is a field id or a short name, exact or but for letter case. */
function fieldNamed({ elements, elementById }: Tracker, key: string): Field | undefined {
  const byId = /^\d{1,15}$/.test(key) ? elementById.get(Number(key)) : undefined;
  return (
    byId ??
    elements.find(({ name }) => name === key) ??
    elements.find(({ name }) => name.toLowerCase() === key.toLowerCase())
  );
}

const operators: readonly unknown[] = ['contains', '=', '<', '>', 'between'];

function searchedValue(key: string, given: unknown): unknown {
  if (!isObject(given) || (!Object.hasOwn(given, 'operator') && !Object.hasOwn(given, 'value'))) return given;
  const { operator, value } = given;
  if (operator === undefined || operator === null || value === undefined || value === null)
    throw invalid(`Criterion for field ${key} is malformed: it needs an operator and a value.`);
  if (!operators.includes(operator)) throw invalid(`Invalid operator for field ${key}.`);
  if (operator !== 'contains')
    throw invalid(`The field ${key} can be searched by the operator contains only.`);
  return value;
}

/** The entry of the value index that an id means: `12`, `"b12"` for a value, `"o7"` for one that was typed. */
function indexEntry(key: string, given: unknown, isInList: boolean): number {
  const text = typeof given === 'number' || typeof given === 'string' ? String(given).trim() : '';
  const match = (isInList ? /^([bo]?)(\d{1,15})$/ : /^()(\d{1,15})$/).exec(text);
  if (match === null) throw invalid(`The field ${key} is searched by the ids of its values.`);
  return (match[1] === 'o' ? -1 : 1) * Number(match[2]);
}

/** The condition that a member of the criteria makes; undefined when it makes none. */
function criterion(view: TrackerView, key: string, field: Field, given: unknown): ListCriterion | undefined {
  if (!field.isUsed || !view.canRead(field)) return undefined;
  const value = searchedValue(key, given);
  if (field.type.value?.indexed === undefined)
    throw invalid(`The field ${key} cannot be searched: only lists can.`);
  const items = Array.isArray(value) ? value : [value];
  const ids = items.map((item) => indexEntry(key, item, Array.isArray(value)));
  const chosen = ids.filter((id) => id !== noneValue);
  return chosen.length === 0 ? undefined : { fieldId: field.id, values: [...new Set(chosen)] };
}

/** Criteria that a request gives, checked against the fields that the viewer may read. All of them must hold. */
export function readCriteria(view: TrackerView, given: unknown): ListCriterion[] {
  if (given === null || given === undefined || (Array.isArray(given) && given.length === 0)) return [];
  if (!isObject(given)) throw invalid('The criteria must be a JSON object.');
  const members = Object.entries(given).map(([key, value]) => ({
    key,
    value,
    field: fieldNamed(view.tracker, key),
  }));
  const unknown = members.filter(({ field }) => field === undefined).map(({ key }) => key);
  if (unknown.length > 0) throw invalid(`Following fields do not exist: ${unknown.join(', ')}`);
  return members.flatMap(({ key, value, field }) =>
    field === undefined ? [] : (criterion(view, key, field, value) ?? []),
  );
}

/** Criteria written as JSON; where that is broken, one level of backslashes may be too much. */
export function parseCriteria(text: string): unknown {
  for (const attempt of [text, text.replaceAll(/\\(.)/gs, '$1')]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // The next attempt, or the words below.
    }
  }
  throw invalid('Invalid JSON criteria in `query`.');
}
