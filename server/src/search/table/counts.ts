import { dayText, formatInstant, type Instant } from '../../kernel/clock.ts';
import { invalidMember } from '../../kernel/errors.ts';
import { plus } from '../../kernel/numbers.ts';
import { sql } from '../../storage/index.ts';
import {
  type Condition,
  type Field,
  isOpenCondition,
  paletteColor,
  type TrackerView,
} from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import { fieldNamed } from '../field-names.ts';
import {
  all,
  type Finding,
  factColumn,
  IdSet,
  parentRows,
  planOf,
  type SearchOptions,
  type SqlPiece,
  search,
  searchRunIn,
  viewsOfParents,
} from '../index/index.ts';
import { entryTexts, listKey, personKey } from './order.ts';

/** What artifacts are counted by: a name and, for dates, how long a bucket is; `first`: each by one value only. */
export interface CountsBy {
  readonly name: string;
  readonly step?: string | undefined;
}

export interface CountsRequest extends SearchOptions {
  readonly by: readonly CountsBy[];
  /** The short name of a field of numbers. */
  readonly sum?: string | undefined;
}

/** Artifacts that have something in common. */
export interface CountBucket {
  /** The id of the value, of the person or of the parent, the first day, whether it is open; null for none. */
  readonly key: number | string | boolean | null;
  readonly label: string;
  /** How a parent is referred to. */
  readonly xref?: string;
  readonly color: string | null;
  readonly count: number;
  readonly sum: number | null;
  readonly buckets?: readonly CountBucket[];
}

export interface Counts {
  readonly size: number;
  readonly sum: number | null;
  readonly buckets: readonly CountBucket[];
}

/** The name that artifacts are counted by their parents by. */
export const parentName = '@parent';

const mostBuckets = 1000;
const tooMany = () => invalidMember('by', `It makes more than ${mostBuckets} buckets.`);

/** Those of the whole that are in one bucket. */
interface Part extends Pick<CountBucket, 'key' | 'label' | 'color'> {
  readonly ids: readonly number[];
}

/** A search whose artifacts are counted. */
class Counting {
  readonly #finding: Finding;
  readonly #view: TrackerView;

  constructor(finding: Finding, view: TrackerView) {
    this.#finding = finding;
    this.#view = view;
  }

  get readContext(): ReadContext {
    return this.#finding.readContext;
  }

  get view(): TrackerView {
    return this.#view;
  }

  async setOf(condition: Condition): Promise<IdSet> {
    this.#finding.clock.check();
    const plan = await planOf(searchRunIn(this.#finding, { view: this.#view }), condition);
    return this.#finding.index.setOf(this.#finding, this.#view, plan);
  }

  /** Numbers by artifacts, of those that have one. */
  async numbers(query: SqlPiece, within: IdSet): Promise<Map<number, number>> {
    this.#finding.clock.check();
    const rows = await all<{ id: number; value: number }>(this.readContext.reader, query);
    return new Map(rows.filter(({ id }) => within.has(id)).map(({ id, value }) => [id, Number(value)]));
  }
}

const measuresOf = (fieldId: number): SqlPiece =>
  sql`select artifact_id as id, value from artifact_measure where field_id = ${fieldId}`;

/** Entries of a list as buckets show them, in the order of the list. */
async function entriesOf(counting: Counting, field: Field) {
  const texts = await entryTexts(counting.readContext, counting.view, field);
  const listed = field.bind?.kind === 'users' ? [] : (field.bind?.values ?? []);
  const known = new Map(listed.map((value) => [value.id, value]));
  const ids = [...known.keys(), ...[...texts.keys()].filter((id) => !known.has(id))];
  return ids.map((entry) => {
    const value = known.get(entry);
    return {
      entry,
      key: entry < 0 && value === undefined ? `o${-entry}` : entry,
      label: texts.get(entry) ?? value?.label ?? '',
      color: value === undefined ? null : paletteColor(value.color),
      isOffered: value !== undefined && !value.isHidden,
    };
  });
}

async function partsOfList(
  counting: Counting,
  field: Field,
  whole: IdSet,
  isFirst: boolean,
): Promise<Part[]> {
  const entries = await entriesOf(counting, field);
  if (entries.length > mostBuckets) throw tooMany();
  const key = await listKey(counting.readContext, counting.view, field);
  const placeOf = (entry: number) => (key.by === 'list' ? (key.places.get(entry) ?? 0) : 0);
  const inTurn = isFirst
    ? entries.toSorted((left, right) => placeOf(left.entry) - placeOf(right.entry))
    : entries;
  const found = new Map<number, readonly number[]>();
  let left = whole;
  let filled = new IdSet();
  for (const { entry } of inTurn) {
    const here = (await counting.setOf({ is: 'listed', fieldId: field.id, entries: [entry] })).and(left);
    found.set(entry, here.all());
    filled = filled.or(here);
    if (isFirst) left = left.minus(here);
  }
  const parts = inTurn.flatMap(({ entry, isOffered, ...shown }): Part[] => {
    const ids = found.get(entry) ?? [];
    return ids.length === 0 && !isOffered ? [] : [{ ...shown, ids }];
  });
  return [...parts, { key: null, label: '', color: null, ids: whole.minus(filled).all() }];
}

async function partsOfPeople(counting: Counting, who: 'submitter' | 'editor', whole: IdSet): Promise<Part[]> {
  const { places, names } = await personKey(counting.readContext, counting.view, who);
  const accounts = [...places].sort(([, left], [, right]) => left - right).map(([id]) => id);
  const parts: Part[] = [];
  for (const id of accounts) {
    const ids = (await counting.setOf({ is: 'by', who, accountIds: [id] })).and(whole).all();
    if (ids.length > 0) parts.push({ key: id, label: names.get(id) ?? '', color: null, ids });
    if (parts.length > mostBuckets) throw tooMany();
  }
  return parts;
}

async function partsOfState(counting: Counting, whole: IdSet): Promise<Part[]> {
  const isOpen = isOpenCondition(counting.view);
  const open = (await counting.setOf(isOpen)).and(whole);
  return [
    { key: true, label: 'Open', color: null, ids: open.all() },
    { key: false, label: 'Closed', color: null, ids: whole.minus(open).all() },
  ];
}

/** Parents come by their ids. What they are called is told by those who read artifacts. */
async function partsOfParents(counting: Counting, whole: IdSet): Promise<Part[]> {
  const { readContext, view } = counting;
  const views = await viewsOfParents(readContext, view);
  const rows = sql`select child as id, parent as value from
    (${parentRows({ view, viewer: readContext.viewer }, views)}) as parenthood`;
  const parents = views.length === 0 ? new Map<number, number>() : await counting.numbers(rows, whole);
  const children = new Map<number, number[]>();
  for (const [id, parent] of parents) {
    const own = children.get(parent);
    if (own === undefined) children.set(parent, [id]);
    else own.push(id);
  }
  if (children.size >= mostBuckets) throw tooMany();
  const parts = [...children].sort(([left], [right]) => left - right);
  const orphans = whole.minus(IdSet.of(parents.keys())).all();
  return [
    ...parts.map(([key, ids]) => ({ key, label: '', color: null, ids })),
    { key: null, label: '', color: null, ids: orphans },
  ];
}

const steps = ['day', 'week', 'month'] as const;
type Step = (typeof steps)[number];
const isStep = (text: string | undefined): text is Step => steps.some((step) => step === text);

/** The first day of the day, week or month that a day is in; weeks begin on Monday. */
function firstDayOf(day: number, step: Step): string {
  if (step === 'day') return dayText(day);
  // Day 0 was a Thursday.
  if (step === 'week') return dayText(day - ((((day + 3) % 7) + 7) % 7));
  return `${dayText(day).slice(0, 7)}-01`;
}

/** The calendar day of an instant where the server is. */
const dayAt = (instant: Instant) =>
  Date.parse(`${formatInstant(instant).slice(0, 10)}T00:00:00Z`) / 86_400_000;

function partsOfDays(
  values: ReadonlyMap<number, number>,
  whole: IdSet,
  dayOf: (value: number) => number,
  step: Step,
): Part[] {
  const days = new Map<string, number[]>();
  for (const [id, value] of values) {
    const first = firstDayOf(dayOf(value), step);
    const ids = days.get(first) ?? [];
    ids.push(id);
    days.set(first, ids);
    if (days.size > mostBuckets) throw tooMany();
  }
  const parts = [...days].sort(([left], [right]) => (left < right ? -1 : 1));
  const dated = IdSet.of(values.keys());
  return [
    ...parts.map(([first, ids]) => ({ key: first, label: first, color: null, ids })),
    { key: null, label: '', color: null, ids: whole.minus(dated).all() },
  ];
}

/** What the name of a date, with its step, makes of the whole. */
async function partsOfDates(counting: Counting, field: Field, whole: IdSet, step: Step): Promise<Part[]> {
  const sort = field.type.row?.sort;
  if (sort === 'submittedOn' || sort === 'modifiedOn') {
    const query = sql`select artifact.id as id, ${factColumn(sort)} as value from artifact
      where artifact.tracker_id = ${counting.view.tracker.id}`;
    return partsOfDays(await counting.numbers(query, whole), whole, dayAt, step);
  }
  const values = await counting.numbers(measuresOf(field.id), whole);
  const hasTime = field.type.across?.family(field) === 'date with time';
  return partsOfDays(values, whole, hasTime ? dayAt : (day) => day, step);
}

const factNames: ReadonlyMap<string, 'submittedOn' | 'modifiedOn'> = new Map([
  ['@submitted_on', 'submittedOn'],
  ['@last_update_date', 'modifiedOn'],
]);
const personNames: ReadonlyMap<string, 'submitter' | 'editor'> = new Map([
  ['@submitted_by', 'submitter'],
  ['@last_update_by', 'editor'],
]);

async function partsOfFact(counting: Counting, name: string, step: string | undefined, whole: IdSet) {
  const fact = factNames.get(name);
  if (fact === undefined) return undefined;
  if (!isStep(step)) throw invalidMember('by', `${name} needs day, week or month behind it: ${name}:week.`);
  const query = sql`select artifact.id as id, ${factColumn(fact)} as value from artifact
    where artifact.tracker_id = ${counting.view.tracker.id}`;
  return partsOfDays(await counting.numbers(query, whole), whole, dayAt, step);
}

function fieldFor(view: TrackerView, member: string, name: string): Field {
  const fields = view.readable.filter(({ type }) => type.kind === 'field');
  const field = fieldNamed(fields, name);
  if (field === undefined) throw invalidMember(member, `There is no field ${name}.`);
  return field;
}

/** Takes the whole apart by one name. */
async function partsBy(counting: Counting, { name, step }: CountsBy, whole: IdSet): Promise<Part[]> {
  if (name === 'is_open') return partsOfState(counting, whole);
  const who = personNames.get(name);
  if (who !== undefined) return partsOfPeople(counting, who, whole);
  if (name === parentName) {
    if (step !== undefined) throw invalidMember('by', `${name} takes nothing behind it.`);
    return partsOfParents(counting, whole);
  }
  const dated = await partsOfFact(counting, name, step, whole);
  if (dated !== undefined) return dated;
  const field = fieldFor(counting.view, 'by', name);
  const { type, sort } = { type: field.type.row?.type(field), sort: field.type.row?.sort };
  if (sort === 'submitter' || sort === 'editor') return partsOfPeople(counting, sort, whole);
  if (type === 'date') {
    if (!isStep(step)) throw invalidMember('by', `${name} needs day, week or month behind it: ${name}:week.`);
    return partsOfDates(counting, field, whole, step);
  }
  if (sort !== 'list') throw invalidMember('by', `Artifacts cannot be counted by ${name}.`);
  if (step !== undefined && step !== 'first')
    throw invalidMember('by', `${name} takes nothing behind it but first: ${name}:first.`);
  return partsOfList(counting, field, whole, step === 'first');
}

/** The numbers that are summed up; undefined where none are. */
async function summed(counting: Counting, name: string | undefined, whole: IdSet) {
  if (name === undefined) return undefined;
  const field = fieldFor(counting.view, 'sum', name);
  if (field.type.row?.sort !== 'measure' || field.type.row.type(field) !== 'numeric')
    throw invalidMember('sum', `${name} has no numbers that could be summed up.`);
  return counting.numbers(measuresOf(field.id), whole);
}

const sumOf = (ids: readonly number[], numbers: ReadonlyMap<number, number> | undefined): number | null =>
  numbers === undefined ? null : ids.map((id) => numbers.get(id) ?? 0).reduce(plus, 0);

/** Counts what a search finds by one or two names. */
export function countBuckets(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  { by, sum, ...options }: CountsRequest,
): Promise<Counts> {
  return search(readContext, options, async (finding) => {
    const counting = new Counting(finding, view);
    const whole = await counting.setOf(condition);
    const numbers = await summed(counting, sum, whole);
    const [outer, inner] = by;
    const parts = outer === undefined ? [] : await partsBy(counting, outer, whole);
    const innerParts = inner === undefined ? undefined : await partsBy(counting, inner, whole);
    if (parts.length * (innerParts?.length ?? 1) > mostBuckets) throw tooMany();
    const bucketOf = ({ ids, ...shown }: Part): CountBucket => ({
      ...shown,
      count: ids.length,
      sum: sumOf(ids, numbers),
    });
    const buckets = parts.map((part): CountBucket => {
      if (innerParts === undefined) return bucketOf(part);
      const own = new Set(part.ids);
      const inside = innerParts.map((other) =>
        bucketOf({ ...other, ids: other.ids.filter((id) => own.has(id)) }),
      );
      return { ...bucketOf(part), buckets: inside };
    });
    return { size: whole.size, sum: sumOf(whole.all(), numbers), buckets };
  });
}
