import type { Tracker } from '@atelier/client/routes';
import { type Field, fieldTypes, holds, statusField } from '../fields/index.ts';
import type { ViewSettings } from '../tracker/index.ts';

export const stepNames = ['day', 'week', 'month'] as const;
export type Step = (typeof stepNames)[number];
const isStep = (value: unknown): value is Step => stepNames.some((step) => step === value);

/** How the counts by fields are drawn. */
export const shapes = ['bar', 'stacked', 'donut', 'number'] as const;
export type Shape = (typeof shapes)[number];
const isShape = (value: unknown): value is Shape => shapes.some((shape) => shape === value);

/** From which day to which, in which steps. */
export interface Span {
  readonly from: string;
  readonly to: string;
  readonly step: Step;
}

export interface ChartSettings {
  readonly shape: Shape;
  readonly by: readonly Field[];
  readonly sum: Field | undefined;
  /** How many days back. */
  readonly days: number;
  readonly step: Step;
}

/** How far back one can look with a press. */
export const daysOffered = [14, 30, 84, 182, 365, 730] as const;
const usualDays = 84;

/** Fields by whose values artifacts can be counted. */
export const countedFields = (tracker: Tracker): readonly Field[] =>
  tracker.fields.filter(({ type }) => fieldTypes[type]?.groupedBy === 'value');

export const numberFields = (tracker: Tracker): readonly Field[] =>
  tracker.fields.filter((field) => holds(field, 'number'));

/** The field that burnups add up: the one that the tracker calls effort, else the first number. */
export function effortField(tracker: Tracker): Field | undefined {
  const numbers = numberFields(tracker);
  const named: unknown = Reflect.get(tracker.semantics, 'initial_effort');
  const id: unknown =
    typeof named === 'object' && named !== null ? Reflect.get(named, 'field_id') : undefined;
  return numbers.find(({ field_id }) => field_id === id) ?? numbers[0];
}

/** Where nobody says by what: the first list that is not the status, split by the status. */
function usualBy(tracker: Tracker): readonly Field[] {
  const status = statusField(tracker);
  const other = countedFields(tracker).find(({ name }) => name !== status?.name);
  return [other, status].filter((field) => field !== undefined);
}

/** What a report or an address says, as far as it can be understood. */
export function readSettings(tracker: Tracker, settings: ViewSettings): ChartSettings {
  const { kind, by, sum, from, step } = settings;
  const named = Array.isArray(by)
    ? by.flatMap((name: unknown) => countedFields(tracker).find((field) => field.name === name) ?? [])
    : [];
  const fields = named.length > 0 ? named.slice(0, 2) : usualBy(tracker);
  const usual: Shape = fields.length > 1 ? 'stacked' : 'bar';
  return {
    shape: isShape(kind) ? kind : usual,
    by: fields,
    sum: numberFields(tracker).find(({ name }) => name === sum),
    days: daysIn(from),
    step: isStep(step) ? step : 'week',
  };
}

const oneDay = 86_400_000;

/** `90d`, or the day on which it begins. */
function daysIn(from: unknown): number {
  const text = typeof from === 'string' ? from : '';
  const back = /^(\d{1,4})d$/.exec(text)?.[1];
  if (back !== undefined) return Math.max(1, Number(back));
  const since = Date.now() - Date.parse(text);
  return Number.isFinite(since) && since > 0 ? Math.ceil(since / oneDay) : usualDays;
}

const dayText = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** The span of a chart that ends today; `today` is the day as the server counts it. */
export function spanOf({ days, step }: Pick<ChartSettings, 'days' | 'step'>, today: string): Span {
  // No chart has more steps than a server counts.
  const most = step === 'day' ? 799 : days;
  return { from: dayText(Date.parse(today) - Math.min(days, most) * oneDay), to: today, step };
}
