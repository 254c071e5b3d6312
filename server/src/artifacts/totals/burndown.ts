import { formatInstant } from '../../kernel/clock.ts';
import type { Field } from '../../trackers/index.ts';
import type { Artifact } from '../model.ts';
import type { ReadContext } from '../visibility.ts';
import { isSum } from './contributions.ts';
import { type Day, dayOf, endOf, openingDays, openingDaysFrom } from './opening-days.ts';
import { PastTotals } from './past-totals.ts';
import { amountOf, readTimeframes, type Timeframe } from './timeframes.ts';
import { noTotal, type ShownTotal, type Totals } from './totals.ts';

/** Names of the fields that charts are made from. */
const remainingEffort = 'remaining_effort';
const capacity = 'capacity';

/** Opening days of four years: no chart has more points. */
const mostPoints = 1_040;

const fieldNamed = ({ view }: Artifact, name: string): Field | undefined =>
  view.shown.find((field) => field.name === name);

/** The field whose values the chart shows; undefined when there is none that the viewer may read. */
function effortField(artifact: Artifact): Field | undefined {
  const field = fieldNamed(artifact, remainingEffort);
  return field && isSum(field) ? field : undefined;
}

function capacityOf(artifact: Artifact, totals: Totals): ShownTotal {
  const field = fieldNamed(artifact, capacity);
  return field?.type.roles?.includes('amount') ? amountOf(artifact, field, totals) : noTotal;
}

/** The opening days of the timeframe that have come so far. */
function pastDays({ start, duration }: Timeframe, today: Day): Day[] {
  if (start === null || duration === null || duration < 0) return [];
  return openingDaysFrom(dayOf(start), today, Math.min(duration + 1, mostPoints));
}

interface Chart {
  readonly artifact: Artifact;
  readonly timeframe: Timeframe;
  readonly field: Field | undefined;
  readonly days: readonly Day[];
}

function plan(artifact: Artifact, timeframe: Timeframe, today: Day): Chart {
  const field = effortField(artifact);
  return { artifact, timeframe, field, days: field === undefined ? [] : pastDays(timeframe, today) };
}

/** What remained at the end of each day; for today, what remains now. */
function effortsOf(
  { artifact, field, days }: Chart,
  past: PastTotals,
  totals: Totals,
  today: Day,
): readonly ShownTotal[] {
  const before = days.filter((day) => day < today);
  const efforts = past.valuesAt(artifact.row.id, before);
  const isRunning = field !== undefined && days.length > before.length;
  return isRunning ? [...efforts, amountOf(artifact, field, totals)] : efforts;
}

function chartText(chart: Chart, efforts: readonly ShownTotal[], totals: Totals): string {
  const { artifact, timeframe, days } = chart;
  const { start, duration } = timeframe;
  const room = capacityOf(artifact, totals);
  return JSON.stringify({
    start_date: start === null ? null : formatInstant(start),
    duration,
    capacity: room.value,
    points: efforts.map(({ value }) => value).filter((value) => value !== null),
    is_under_calculation: false,
    opening_days: openingDays,
    points_with_date: days.map((day, index) => ({
      date: formatInstant(endOf(day)),
      remaining_effort: efforts[index]?.value ?? null,
    })),
    ...([room, ...efforts].some(({ isPartial }) => isPartial) ? { is_partial: true } : {}),
  });
}

/** The charts of artifacts as JSON. */
export async function readBurndowns(
  readContext: ReadContext,
  artifacts: readonly Artifact[],
  totals: Totals,
): Promise<ReadonlyMap<number, string>> {
  const today = dayOf(Date.now());
  const charted = artifacts.filter(({ view }) => view.needs.has('burndown'));
  const timeframes = await readTimeframes(readContext, charted, totals);
  const charts = charted.map((artifact) =>
    plan(artifact, timeframes.get(artifact.row.id) ?? { start: null, duration: null, end: null }, today),
  );
  const past = new PastTotals(readContext, remainingEffort);
  await past.load(charts.filter(({ days }) => days.length > 0).map(({ artifact }) => artifact.row.id));
  return new Map(
    charts.map((chart) => [
      chart.artifact.row.id,
      chartText(chart, effortsOf(chart, past, totals, today), totals),
    ]),
  );
}
