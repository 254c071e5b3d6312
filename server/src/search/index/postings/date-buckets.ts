import { instantSpan, type Range, type Tracker, type TrackerView } from '../../../trackers/index.ts';
import type { Plan, Ranged, Spans } from '../predicates.ts';

/** A range as whole spans and what sticks out at its ends. */
export interface SpannedRange {
  readonly spans: Spans;
  readonly whole: Range;
  readonly edges: readonly Range[];
}

/** The span in which a measure lies: from its number times the length on, up to the next one. */
export const spanOf = (measure: number, length: number) => Math.floor(measure / length);

/** Added to numbers of spans, so that those before 1970 are written without a sign. */
const keyOffset = 500_000_000;

/** A number of a span, written so that texts have the order of the numbers. */
export function spanKey(span: number): string {
  const number = Math.min(Math.max(span + keyOffset, 0), 2 * keyOffset - 1);
  return String(number).padStart(9, '0');
}

/** How long the spans are in which postings tell a measure; undefined where only rows do. */
function spanLength(asked: Ranged, tracker: Tracker): number | undefined {
  if (asked.is === 'fact')
    return asked.fact === 'submittedOn' || asked.fact === 'modifiedOn' ? instantSpan : undefined;
  const field = tracker.elementById.get(asked.fieldId);
  return field?.type.value?.measureSpan?.(field);
}

/** Splits a range; undefined when no whole span lies in it. */
export function spansIn(range: Range, length: number): SpannedRange | undefined {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, isFromOpen = false } = range;
  const first = isFromOpen ? Math.floor(from / length) + 1 : Math.ceil(from / length);
  const last = Math.floor(to / length) - 1;
  // Bounds that are no numbers are in no order.
  if (!(first <= last)) return undefined;
  const [start, end] = [first * length, (last + 1) * length];
  const edges: Range[] = [];
  if (from < start) edges.push({ from, isFromOpen, to: start, isToOpen: true });
  if (Number.isFinite(to)) edges.push({ ...range, from: end, isFromOpen: false });
  return { spans: { first, last }, whole: { from: start, to: end, isToOpen: true }, edges };
}

/** Whole spans of the range are told by postings, and rows tell what sticks out. */
export function planRange(asked: Ranged, { tracker }: TrackerView): Plan {
  const length = spanLength(asked, tracker);
  const parts = length === undefined ? undefined : spansIn(asked.range, length);
  if (parts === undefined) return asked;
  const { spans, whole, edges } = parts;
  const inSpans: Plan = { is: 'in spans', of: { ...asked, range: whole }, spans };
  return { is: 'any of', plans: [inSpans, ...edges.map((range) => ({ ...asked, range }))] };
}
