import { dayText, type Instant } from '../../kernel/clock.ts';
import { invalidMember } from '../../kernel/errors.ts';
import { withAllIds } from '../../search/index.ts';
import { type Field, noneValue, paletteColor, type Stored, type TrackerView } from '../../trackers/index.ts';
import { startOf, type ValueTurn, type ValueTurns } from '../totals/index.ts';
import { type ReadContext, requireTracker } from '../visibility.ts';
import { conditionOfSearch, type DayRange, type RowSearch } from './search.ts';

/** What is told of each step: how many were in each state, how many came and went, how many there were, how much effort. */
export type TrendKind = 'states' | 'flow' | 'total' | 'effort';
export type TrendStep = 'day' | 'week' | 'month';

export interface TrendListing {
  readonly trackerId: number;
  readonly search: RowSearch;
  readonly kind: TrendKind;
  readonly days: DayRange;
  readonly step: TrendStep;
  /** The short name of a field of numbers, for the effort. */
  readonly field: string | undefined;
  readonly patience: number;
}

export interface TrendSeries {
  /** The id of a value, null for none, or what is counted. */
  readonly key: number | string | null;
  readonly label: string;
  readonly color: string | null;
  /** At the end of each step; null where that is still to come. */
  readonly values: readonly (number | null)[];
}

export interface Trends {
  /** The first day of each step. */
  readonly steps: readonly string[];
  readonly series: readonly TrendSeries[];
}

const mostSteps = 800;
const oneDay = 86_400_000;

/** The first day of the step that a day is in; weeks begin on Monday, and day 0 was a Thursday. */
function firstOf(day: number, step: TrendStep): number {
  if (step === 'day') return day;
  if (step === 'week') return day - ((((day + 3) % 7) + 7) % 7);
  const date = new Date(day * oneDay);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / oneDay;
}

function nextOf(first: number, step: TrendStep): number {
  if (step === 'day') return first + 1;
  if (step === 'week') return first + 7;
  const date = new Date(first * oneDay);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / oneDay;
}

/** Steps of a calendar. Place 0 is all that was before the first; those behind the last are `count + 1`. */
class Calendar {
  readonly firsts: number[] = [];
  readonly #starts: Instant[];

  constructor({ first, last }: DayRange, step: TrendStep) {
    let day = firstOf(first, step);
    for (; day <= last; day = nextOf(day, step)) {
      this.firsts.push(day);
      if (this.firsts.length > mostSteps)
        throw invalidMember('to', `There are more than ${mostSteps} steps from the first day to this one.`);
    }
    this.#starts = [...this.firsts, day].map(startOf);
  }

  get count(): number {
    return this.firsts.length;
  }

  /** How many steps had begun. */
  placeOf(at: Instant): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Numbers that are told by what they grow and shrink by at each place. */
class Growth {
  readonly #changes: Float64Array;

  constructor(places: number) {
    this.#changes = new Float64Array(places + 2);
  }

  add(place: number, amount: number): void {
    this.#changes[place] = (this.#changes[place] ?? 0) + amount;
  }

  /** What was added at each place. */
  each(): number[] {
    return [...this.#changes.subarray(1, -1)].map(written);
  }

  /** What there was at the end of each place. */
  levels(): number[] {
    let level = this.#changes[0] ?? 0;
    return [...this.#changes.subarray(1, -1)].map((change) => {
      level += change;
      return written(level);
    });
  }
}

/** Without what binary fractions add far behind the point. */
const written = (number: number) => Math.round(number * 1e6) / 1e6;

/** The states of one artifact that it kept until the end of a step. */
function* settled(turns: readonly ValueTurn[], calendar: Calendar) {
  let pending: { readonly place: number; readonly values: readonly Stored[] } | undefined;
  for (const { at, values } of turns) {
    const place = Math.max(calendar.placeOf(at), pending?.place ?? 0);
    if (pending !== undefined && place > pending.place) yield pending;
    pending = { place, values };
  }
  if (pending !== undefined) yield pending;
}

const idsIn = (value: Stored | undefined): readonly number[] =>
  Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : [];

/** The status of a tracker as charts ask for it. */
class Status {
  readonly #open: ReadonlySet<number> | undefined;
  readonly field: Field | undefined;

  constructor({ tracker, readable }: TrackerView) {
    const { status } = tracker.semantics;
    this.field = readable.find(({ id }) => id === status?.fieldId);
    if (status !== undefined && this.field === undefined)
      throw invalidMember('kind', 'You may not read the status of this tracker.');
    this.#open = status && new Set(status.openIds);
  }

  /** Without a status all artifacts are open. */
  isOpen(value: Stored | undefined): boolean {
    const open = this.#open;
    if (open === undefined) return true;
    const ids = idsIn(value);
    return ids.length === 0 ? open.has(noneValue) : ids.some((id) => open.has(id));
  }

  /** In which state an artifact is; null: in none. */
  stateOf = (value: Stored | undefined): number | null => idsIn(value).find((id) => id !== noneValue) ?? null;
}

type Series = Pick<TrendSeries, 'key' | 'label' | 'color'> & { readonly values: readonly number[] };

/** A chart that is made by going through the past of one artifact after the other. */
interface Chart {
  readonly fields: readonly Field[];
  visit(turns: readonly ValueTurn[]): void;
  series(): readonly Series[];
}

function statesChart(status: Status, calendar: Calendar): Chart {
  const { field } = status;
  if (field === undefined) throw invalidMember('kind', 'The tracker has no status.');
  const growths = new Map<number | null, Growth>();
  const growthOf = (state: number | null) => {
    const growth = growths.get(state) ?? new Growth(calendar.count);
    growths.set(state, growth);
    return growth;
  };
  return {
    fields: [field],
    visit(turns) {
      let before: Growth | undefined;
      for (const { place, values } of settled(turns, calendar)) {
        before?.add(place, -1);
        before = growthOf(status.stateOf(values[0]));
        before.add(place, 1);
      }
    },
    series() {
      const listed = field.bind?.kind === 'users' ? [] : (field.bind?.values ?? []);
      const known = new Map(listed.map((value) => [value.id, value]));
      const isShown = (id: number) => growths.has(id) || known.get(id)?.isHidden === false;
      const ids = [...known.keys(), ...[...growths.keys()].filter((id) => id !== null && !known.has(id))];
      const states: (number | null)[] = ids.filter((id) => id !== null && isShown(id));
      if (growths.has(null)) states.push(null);
      return states.map((key) => {
        const value = key === null ? undefined : known.get(key);
        return {
          key,
          label: value?.label ?? '',
          color: value === undefined ? null : paletteColor(value.color),
          values: growthOf(key).levels(),
        };
      });
    },
  };
}

const plain = (key: string, label: string, values: readonly number[]): Series => ({
  key,
  label,
  color: null,
  values,
});

function flowChart(status: Status, calendar: Calendar): Chart {
  const [created, closed] = [new Growth(calendar.count), new Growth(calendar.count)];
  return {
    fields: status.field === undefined ? [] : [status.field],
    visit(turns) {
      const [creation] = turns;
      if (creation !== undefined) created.add(calendar.placeOf(creation.at), 1);
      let wasOpen = true;
      for (const { place, values } of settled(turns, calendar)) {
        const isOpen = status.isOpen(values[0]);
        if (wasOpen && !isOpen) closed.add(place, 1);
        wasOpen = isOpen;
      }
    },
    series: () => [plain('created', 'Created', created.each()), plain('closed', 'Closed', closed.each())],
  };
}

/** Two lines of which one is a part of the other: of how many there are, or of how much effort that is. */
function levelsChart(
  fields: readonly Field[],
  calendar: Calendar,
  {
    amountOf,
    isPart,
    series,
  }: {
    amountOf(values: readonly Stored[]): number;
    isPart(values: readonly Stored[]): boolean;
    series(whole: readonly number[], part: readonly number[]): readonly Series[];
  },
): Chart {
  const [whole, part] = [new Growth(calendar.count), new Growth(calendar.count)];
  return {
    fields,
    visit(turns) {
      let [wholeBefore, partBefore] = [0, 0];
      for (const { place, values } of settled(turns, calendar)) {
        const amount = amountOf(values);
        const inPart = isPart(values) ? amount : 0;
        whole.add(place, amount - wholeBefore);
        part.add(place, inPart - partBefore);
        [wholeBefore, partBefore] = [amount, inPart];
      }
    },
    series: () => series(whole.levels(), part.levels()),
  };
}

const totalChart = (status: Status, calendar: Calendar): Chart =>
  levelsChart(status.field === undefined ? [] : [status.field], calendar, {
    amountOf: () => 1,
    isPart: (values) => status.isOpen(values[0]),
    series: (all, open) => [plain('open', 'Open', open), plain('all', 'All', all)],
  });

function effortChart(status: Status, calendar: Calendar, field: Field): Chart {
  const fields = status.field === undefined ? [field] : [field, status.field];
  return levelsChart(fields, calendar, {
    amountOf: ([amount]) => (typeof amount === 'number' ? amount : 0),
    isPart: ([, state]) => !status.isOpen(state),
    series: (all, closed) => [plain('all', 'All', all), plain('closed', 'Closed', closed)],
  });
}

function effortField({ readable }: TrackerView, name: string | undefined): Field {
  if (name === undefined) throw invalidMember('field', 'The effort needs the name of a field of numbers.');
  const field = readable.find((known) => known.name === name && known.type.kind === 'field');
  if (field === undefined) throw invalidMember('field', `There is no field ${name}.`);
  // Sums of others are no value of a changeset.
  if (field.type.value?.hasSortedMeasures !== true)
    throw invalidMember('field', `${name} has no numbers that could be summed up.`);
  return field;
}

function chartFor(view: TrackerView, { kind, field }: TrendListing, calendar: Calendar): Chart {
  const status = new Status(view);
  switch (kind) {
    case 'states':
      return statesChart(status, calendar);
    case 'flow':
      return flowChart(status, calendar);
    case 'total':
      return totalChart(status, calendar);
    case 'effort':
      return effortChart(status, calendar, effortField(view, field));
  }
}

/** How what a search finds today became what it is, step by step. Runs off the event loop. */
export async function readTrends(
  readContext: ReadContext,
  listing: TrendListing,
  turns: ValueTurns,
): Promise<Trends> {
  const { trackerId, search, days, step, patience } = listing;
  const view = await requireTracker(readContext, trackerId);
  const calendar = new Calendar(days, step);
  const chart = chartFor(view, listing, calendar);
  const condition = await conditionOfSearch(readContext, view, search, patience);
  const fieldIds = chart.fields.map(({ id }) => id);
  const visit = (past: readonly ValueTurn[]) => chart.visit(past);
  await withAllIds(readContext, view, condition, { patience }, ({ ids, reader: consistent, check }) =>
    turns.each(consistent, { trackerId, fieldIds }, ids, { check, visit }),
  );
  const begun = calendar.placeOf(Date.now());
  return {
    steps: calendar.firsts.map(dayText),
    series: chart.series().map((series) => ({
      ...series,
      values: series.values.map((value, place) => (place < begun ? value : null)),
    })),
  };
}
