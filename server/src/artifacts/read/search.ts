import { dayText, type Instant } from '../../kernel/clock.ts';
import { invalidMember, unavailable } from '../../kernel/errors.ts';
import {
  blamedOn,
  both,
  type CombinedSelection,
  findAllIds,
  reportCondition,
  selectedByAll,
} from '../../search/index.ts';
import {
  allOf,
  anyOf,
  type Condition,
  type Criterion,
  type Field,
  not,
  nothing,
  requireReport,
  type TrackerView,
} from '../../trackers/index.ts';
import { childType } from '../links/index.ts';
import { readArtifacts } from '../several.ts';
import { inParts } from '../store.ts';
import {
  endOf,
  readTimeframes,
  readTotals,
  startOf,
  type Timeframe,
  timeframeFields,
} from '../totals/index.ts';
import { type ReadContext, viewFor } from '../visibility.ts';

/** Days of the calendar, both included, as numbers that grow by one from each to the next. */
export interface DayRange {
  readonly first: number;
  readonly last: number;
}

/** What tables, boards and calendars look for in a tracker: everything that is given must hold. */
export interface RowSearch extends CombinedSelection {
  readonly reportId?: number | undefined;
  /** Only artifacts on which somebody works in these days. */
  readonly overlaps?: DayRange | undefined;
  /** Only artifacts that are linked with this one, in either direction. */
  readonly linkedTo?: number | undefined;
  /** Only children of this one. */
  readonly parent?: number | undefined;
}

/** What a report of the tracker asks for. */
async function conditionOfReport(
  readContext: ReadContext,
  { tracker }: TrackerView,
  id: number,
): Promise<Condition> {
  const { reader, viewer } = readContext;
  const { report, view } = await requireReport(reader, viewer, id, readContext);
  if (view.tracker.id !== tracker.id) throw invalidMember('report_id', 'It is a report of another tracker.');
  return reportCondition(reader, viewer, view, report);
}

const linkedWith = (id: number): Condition =>
  anyOf([
    { is: 'linked', direction: 'forward', end: { is: 'artifact', id } },
    { is: 'linked', direction: 'reverse', end: { is: 'artifact', id } },
  ]);

const childOf = (id: number): Condition => ({
  is: 'linked',
  direction: 'reverse',
  type: childType,
  end: { is: 'artifact', id },
});

/** What a search means to somebody; refuses what means nothing. `patience`: milliseconds for what must be looked at one by one. */
export async function conditionOfSearch(
  readContext: ReadContext,
  view: TrackerView,
  search: RowSearch,
  patience: number,
): Promise<Condition> {
  const { reader, viewer } = readContext;
  const { reportId, overlaps, linkedTo, parent } = search;
  let condition = await selectedByAll(reader, viewer, view, search);
  if (reportId !== undefined)
    condition = both(condition, await conditionOfReport(readContext, view, reportId));
  if (linkedTo !== undefined) condition = both(condition, linkedWith(linkedTo));
  if (parent !== undefined) condition = both(condition, childOf(parent));
  if (overlaps === undefined) return condition;
  const inTime = blamedOn('overlaps', () => overlapping(readContext, view, { ...overlaps, patience }));
  return both(condition, await inTime);
}

interface Stretch extends DayRange {
  readonly patience: number;
}

/** A field that is asked for days: before one, after one, or from one to another. */
class Days {
  readonly #field: Field;
  readonly #context: ReadContext;
  readonly #view: TrackerView;

  constructor(field: Field, context: ReadContext, view: TrackerView) {
    this.#field = field;
    this.#context = context;
    this.#view = view;
  }

  async #meets(criterion: Criterion): Promise<Condition> {
    const { reader, viewer } = this.#context;
    const context = { reader, viewer, tracker: this.#view.tracker, now: Date.now() };
    return (await this.#field.type.search?.criterion(this.#field, criterion, context)) ?? nothing;
  }

  until = (day: number) => this.#meets({ operator: '<', value: dayText(day + 1) });
  from = (day: number) => this.#meets({ operator: '>', value: dayText(day - 1) });
  within = ({ first, last }: DayRange) =>
    this.#meets({ operator: 'between', value: [dayText(first), dayText(last)] });

  get isEmpty(): Condition {
    const { id, type } = this.#field;
    return not(type.search?.filled ?? { is: 'filled', fieldId: id });
  }
}

/** What begins and ends by fields of its own. One of the two alone is a day. */
async function overlappingByFields(
  readContext: ReadContext,
  view: TrackerView,
  range: DayRange,
  { start, end }: { readonly start: Field | undefined; readonly end: Field | undefined },
): Promise<Condition> {
  const [first, last] = [start, end].map((field) => field && new Days(field, readContext, view));
  if (first === undefined || last === undefined) return (first ?? last)?.within(range) ?? nothing;
  return anyOf([
    allOf([await first.until(range.last), await last.from(range.first)]),
    allOf([await first.within(range), last.isEmpty]),
    allOf([await last.within(range), first.isEmpty]),
  ]);
}

/** What begins by a field and lasts for some time. */
async function overlappingByDuration(
  readContext: ReadContext,
  view: TrackerView,
  stretch: Stretch,
  start: Field | undefined,
): Promise<Condition> {
  if (start === undefined) return nothing;
  const days = new Days(start, readContext, view);
  const { patience, first } = stretch;
  const before = await findAllIds(readContext, view, await days.until(first - 1), { patience });
  const these = await touching(readContext, before, stretch);
  return anyOf([await days.within(stretch), { is: 'these', ids: these }]);
}

/** What has its time from an artifact of another tracker that links to it. */
async function overlappingByLenders(
  readContext: ReadContext,
  view: TrackerView,
  stretch: Stretch,
  lenderTrackerId: number,
): Promise<Condition> {
  const lenders = await viewFor(readContext, lenderTrackerId);
  if (lenders === undefined) return nothing;
  const lending = await ownOverlapping(readContext, lenders, stretch);
  const ids = await findAllIds(readContext, lenders, lending, { patience: stretch.patience });
  const links = readContext.reader.sql
    .selectFrom('artifact_link')
    .innerJoin('artifact', 'artifact.id', 'artifact_link.target_id')
    .select('artifact.id')
    .distinct()
    .where('artifact.tracker_id', '=', view.tracker.id);
  const rows = await inParts(ids, (some) => readContext.reader.all(links.where('source_id', 'in', some)));
  const borrowers = [...new Set(rows.map(({ id }) => id))];
  return { is: 'these', ids: await touching(readContext, borrowers, stretch) };
}

async function ownOverlapping(
  readContext: ReadContext,
  view: TrackerView,
  stretch: Stretch,
): Promise<Condition> {
  const { start, end, isByDuration } = timeframeFields(view);
  return isByDuration
    ? overlappingByDuration(readContext, view, stretch, start)
    : overlappingByFields(readContext, view, stretch, { start, end });
}

async function overlapping(
  readContext: ReadContext,
  view: TrackerView,
  stretch: Stretch,
): Promise<Condition> {
  const { timeframe } = view.tracker.semantics;
  if (timeframe === undefined) return nothing;
  return 'impliedFromTrackerId' in timeframe
    ? overlappingByLenders(readContext, view, stretch, timeframe.impliedFromTrackerId)
    : ownOverlapping(readContext, view, stretch);
}

/** Artifacts whose times are worked out at once. */
const atOnce = 500;

function touches({ start, end }: Timeframe, range: { from: Instant; to: Instant }): boolean {
  const [first, last] = [start ?? end, end ?? start];
  return first !== null && last !== null && first <= range.to && last >= range.from;
}

/** Those of the artifacts whose time touches the days, looked at one by one. */
async function touching(
  readContext: ReadContext,
  ids: readonly number[],
  { first, last, patience }: Stretch,
): Promise<number[]> {
  const range = { from: startOf(first), to: endOf(last) };
  const end = performance.now() + patience;
  const found: number[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    readContext.reader.turn?.check();
    if (performance.now() > end)
      throw unavailable('Too many artifacts would have to be looked at for `overlaps`.');
    const artifacts = await readArtifacts(readContext, ids.slice(at, at + atOnce));
    const { totals } = await readTotals(readContext, artifacts);
    const timeframes = await readTimeframes(readContext, artifacts, totals);
    found.push(...[...timeframes].filter(([, timeframe]) => touches(timeframe, range)).map(([id]) => id));
  }
  return found;
}
