import type { Instant } from '../../kernel/clock.ts';
import type { Field, TrackerView } from '../../trackers/index.ts';
import { childType } from '../links/index.ts';
import { type Artifact, factsOf, withoutTexts } from '../model.ts';
import { readArtifacts } from '../several.ts';
import { findLinks, type LinkRow } from '../store.ts';
import { type ReadContext, visibleOf } from '../visibility.ts';
import { countOpeningDays, dayOf, openingDayAfter, startOf } from './opening-days.ts';
import { noTotal, readTotals, type ShownTotal, type Totals, totalKey } from './totals.ts';

/** When the work on an artifact begins, and on how many opening days after that day it goes on. */
export interface Timeframe {
  readonly start: Instant | null;
  readonly duration: number | null;
  /** When it ends. */
  readonly end: Instant | null;
}

const unknown: Timeframe = { start: null, duration: null, end: null };

function readable({ tracker, canRead }: TrackerView, id: number): Field | undefined {
  const field = tracker.elementById.get(id);
  return field?.isUsed && canRead(field) ? field : undefined;
}

/** The number that a field holds: what was entered, or else its sum. */
export function amountOf({ row, document }: Artifact, field: Field, totals: Totals): ShownTotal {
  const amount = field.type.value?.contribution?.(field, document[field.id]) ?? null;
  if (amount === 'descend') return totals.get(totalKey(row.id, field.id)) ?? noTotal;
  return { value: amount, isPartial: false };
}

function instantIn({ row, document }: Artifact, field: Field | undefined): Instant | null {
  if (field === undefined) return null;
  return field.type.value?.instant?.(document[field.id], factsOf(row), field) ?? null;
}

/** The last day is one of work too, but a timeframe that begins and ends on the same one has the duration 0. */
function durationUntil(start: Instant | null, end: Instant | null): number | null {
  if (start === null || end === null || end < start) return null;
  return Math.max(0, countOpeningDays(dayOf(start), dayOf(end)) - 1);
}

/** Work of more days than these has no end that a calendar shows. */
const longest = 100_000;

function endAfter(start: Instant | null, duration: number | null): Instant | null {
  if (start === null || duration === null || duration < 0 || duration > longest) return null;
  return startOf(openingDayAfter(dayOf(start), duration));
}

/** By the fields of the artifact itself. */
function ownTimeframe(artifact: Artifact, totals: Totals): Timeframe {
  const { view } = artifact;
  const { timeframe } = view.tracker.semantics;
  if (timeframe === undefined || !('startFieldId' in timeframe)) return unknown;
  const start = instantIn(artifact, readable(view, timeframe.startFieldId));
  if ('endFieldId' in timeframe) {
    const end = instantIn(artifact, readable(view, timeframe.endFieldId));
    return { start, duration: durationUntil(start, end), end };
  }
  const field = readable(view, timeframe.durationFieldId);
  const { value, isPartial } = field === undefined ? noTotal : amountOf(artifact, field, totals);
  // A duration from a part of what it is the sum of would be another one.
  const duration = value === null || isPartial ? null : Math.ceil(value);
  return { start, duration, end: endAfter(start, duration) };
}

/** The tracker whose artifacts lend their timeframe to this one. */
function lenderOf({ view }: Artifact): number | undefined {
  const { timeframe } = view.tracker.semantics;
  return timeframe !== undefined && 'impliedFromTrackerId' in timeframe
    ? timeframe.impliedFromTrackerId
    : undefined;
}

/** Parents before whatever else links to the artifact. */
const byKinship = (left: LinkRow, right: LinkRow) =>
  Number(right.type === childType) - Number(left.type === childType) || left.id - right.id;

/** The artifact that lends its timeframe to each of these. */
async function findLenders(
  readContext: ReadContext,
  borrowers: readonly Artifact[],
): Promise<ReadonlyMap<number, Artifact>> {
  const trackers = new Map(borrowers.map((artifact) => [artifact.row.id, lenderOf(artifact)]));
  const links = await findLinks(readContext.reader, [...trackers.keys()]);
  const towards = links.filter(
    ({ of_id, is_forward, tracker_id }) => is_forward === 0 && tracker_id === trackers.get(of_id),
  );
  const lenderIds = new Map<number, number>();
  for (const { row } of (await visibleOf(readContext, towards)).sort((a, b) => byKinship(a.row, b.row)))
    if (!lenderIds.has(row.of_id)) lenderIds.set(row.of_id, row.id);
  const byId = new Map<number, Artifact>();
  // One after the other: each may have much text.
  for (const id of new Set(lenderIds.values()))
    for (const lender of await readArtifacts(readContext, [id]))
      byId.set(id, {
        ...lender,
        row: { ...lender.row, document: '' },
        document: withoutTexts(lender.document),
      });
  return new Map(
    [...lenderIds].flatMap(([id, lenderId]) => {
      const lender = byId.get(lenderId);
      return lender === undefined ? [] : [[id, lender] as const];
    }),
  );
}

/** The timeframes of artifacts, as far as the viewer may read the fields that tell them. */
export async function readTimeframes(
  readContext: ReadContext,
  artifacts: readonly Artifact[],
  totals: Totals,
): Promise<ReadonlyMap<number, Timeframe>> {
  const borrowers = artifacts.filter((artifact) => lenderOf(artifact) !== undefined);
  const lenders = await findLenders(readContext, borrowers);
  const { totals: lenderTotals } = await readTotals(readContext, [...new Set(lenders.values())]);
  return new Map(
    artifacts.map((artifact) => {
      const lender = lenders.get(artifact.row.id);
      const timeframe =
        lender === undefined ? ownTimeframe(artifact, totals) : ownTimeframe(lender, lenderTotals);
      return [artifact.row.id, timeframe];
    }),
  );
}

/** The fields that tell when work begins and ends, as far as the viewer may read them. */
export function timeframeFields(view: TrackerView): {
  readonly start: Field | undefined;
  readonly end: Field | undefined;
  /** Whether it lasts as long as a third field tells. */
  readonly isByDuration: boolean;
} {
  const { timeframe } = view.tracker.semantics;
  if (timeframe === undefined || !('startFieldId' in timeframe))
    return { start: undefined, end: undefined, isByDuration: false };
  const start = readable(view, timeframe.startFieldId);
  if ('endFieldId' in timeframe)
    return { start, end: readable(view, timeframe.endFieldId), isByDuration: false };
  return { start, end: undefined, isByDuration: true };
}
