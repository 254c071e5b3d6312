import type { Tracker } from '@atelier/client/routes';
import { type Field, holds } from '../fields/index.ts';
import type { ViewSettings } from '../tracker/index.ts';

/** What says when an artifact is: its timeframe, or one day. */
export interface Timing {
  /** `@start` for the timeframe, else the short name of a date. */
  readonly name: string;
  readonly start: Field | undefined;
  readonly end: Field | undefined;
  /** Whether it has a length of its own, and so an end that can be moved alone. */
  readonly isFrame: boolean;
  /** Told by another tracker, or by an effort: not to be moved here. */
  readonly isImplied: boolean;
}

const fieldWithId = ({ fields }: Tracker, id: number | undefined): Field | undefined =>
  fields.find(({ field_id }) => field_id === id);

/** The timeframe of the tracker, where it has one that can be read. */
export function frameOf(tracker: Tracker): Timing | undefined {
  const { timeframe } = tracker.semantics;
  if (timeframe === undefined) return undefined;
  const start = fieldWithId(tracker, timeframe.start_date_field_id);
  const end = fieldWithId(tracker, timeframe.end_date_field_id);
  return {
    name: '@start',
    start,
    end,
    isFrame: true,
    isImplied: timeframe.implied_from_tracker !== undefined || start === undefined,
  };
}

const dateFields = ({ fields }: Tracker): readonly Field[] => fields.filter((field) => holds(field, 'day'));

const dayOf = (field: Field): Timing => ({
  name: field.name,
  start: field,
  end: undefined,
  isFrame: false,
  isImplied: false,
});

/** All that a calendar can be by. */
export function timingsOf(tracker: Tracker): readonly Timing[] {
  const frame = frameOf(tracker);
  return [...(frame === undefined ? [] : [frame]), ...dateFields(tracker).map(dayOf)];
}

export function chosenTiming(tracker: Tracker, { date }: ViewSettings): Timing | undefined {
  const timings = timingsOf(tracker);
  return timings.find(({ name }) => name === date || (date === '@end' && name === '@start')) ?? timings[0];
}
