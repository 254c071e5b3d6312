import type { Tracker } from '@atelier/client/routes';
import {
  CHILD_LINK,
  type Choice,
  type Field,
  type FieldValue,
  fieldHolding,
  fieldTypes,
  isWorkflowField,
  may,
  possibleChoices,
  transitionsFrom,
  valueWith,
  withLinks,
} from '../fields/index.ts';
import { type Filter, usualOperator } from '../kernel/filters.ts';
import type { FieldEntry } from '../store/index.ts';
import { fieldNamed, titleField, type View } from '../tracker/index.ts';
import { noValue } from './columns.ts';
import type { Lane } from './lanes.ts';
import type { BoardPlan } from './settings.ts';

export interface NewCard {
  readonly tracker: Tracker;
  readonly by: Field;
  readonly column: string;
  readonly view: View;
  readonly me: number | undefined;
  readonly title?: string | undefined;
  readonly plan: BoardPlan;
  /** Undefined: whether one may begin at all is all that is asked. */
  readonly lane?: Lane | undefined;
}

/** Whether new artifacts may begin with a value. */
function mayBegin(tracker: Tracker, by: Field, column: string): boolean {
  if (column === noValue) return by.required !== true && !isWorkflowField(tracker, by);
  if (!may(by, 'create')) return false;
  if (!isWorkflowField(tracker, by)) return true;
  return transitionsFrom(tracker, undefined, true).some(({ to_id: id }) => String(id) === column);
}

const chosen = (field: Field, id: string): Choice | undefined =>
  possibleChoices(field).find((choice) => choice.id === id);

/** Filters that ask for exactly one value of a list: what is new has it, so that it is seen. */
function filtered({ tracker, view, me }: NewCard): FieldValue[] {
  const asked = ({ name, operator, values }: Filter): FieldValue[] => {
    const field = fieldNamed(tracker, name);
    const [only, ...more] = values;
    if (field === undefined || only === undefined || more.length > 0 || operator !== usualOperator) return [];
    if (fieldTypes[field.type]?.isChoice !== true || !may(field, 'create')) return [];
    const choice = chosen(field, only === 'me' ? String(me) : only);
    return choice === undefined ? [] : [valueWith(field, [choice])];
  };
  return view.filters.flatMap(asked);
}

/** The lane as values: a value of its list, or a link to the parent. */
function ofLane({ tracker, plan, lane }: NewCard): FieldValue[] {
  if (plan.lanesBy === undefined || lane === undefined) return [];
  if (lane.parent !== undefined) {
    const field = fieldHolding(tracker.fields, 'links');
    const link = { id: lane.parent.id, type: CHILD_LINK, direction: 'reverse' as const, colour: '' };
    return field === undefined ? [] : [withLinks(field, [link], true)];
  }
  if (typeof plan.lanesBy === 'string' || lane.choice === undefined) return [];
  return [valueWith(plan.lanesBy, [lane.choice])];
}

/** What is sent for a new card of a place; undefined where none may begin there. */
export function newValues(card: NewCard): readonly FieldEntry[] | undefined {
  const { tracker, by, column, title = '' } = card;
  const field = titleField(tracker);
  if (tracker.may_submit !== true || field === undefined || !mayBegin(tracker, by, column)) return undefined;
  const choice = chosen(by, column);
  const values = [
    ...filtered(card),
    ...ofLane(card),
    ...(choice === undefined ? [] : [valueWith(by, [choice])]),
  ];
  const entries = new Map<number, FieldEntry>([[field.field_id, { field_id: field.field_id, value: title }]]);
  for (const value of values) {
    const own = tracker.fields.find(({ field_id: id }) => id === value.field_id);
    const type = own === undefined ? undefined : fieldTypes[own.type];
    if (own !== undefined && type !== undefined) entries.set(own.field_id, type.entryOf(own, value));
  }
  return [...entries.values()];
}
