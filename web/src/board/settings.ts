import type { Tracker } from '@atelier/client/routes';
import { dueFieldId, type Field, fieldTypes, may, statusField } from '../fields/index.ts';
import { fieldNamed, type ViewSettings } from '../tracker/index.ts';

/** How many cards a column should have at most. */
export interface Limit {
  readonly max: number;
  /** Cards beyond it are refused, unless an administrator brings them. */
  readonly isStrict: boolean;
}

/** A board as its settings say, and as usual where they say nothing. */
export interface BoardPlan {
  /** What columns stand for; undefined where the tracker has nothing for it. */
  readonly by: Field | undefined;
  /** Values that have a column, in their order; several may share one. Undefined: all have one of their own. */
  readonly columns: readonly (readonly string[])[] | undefined;
  readonly lanesBy: Field | typeof parentLanes | undefined;
  readonly cardFields: readonly string[];
  readonly coloursBy: Field | undefined;
  readonly limits: ReadonlyMap<string, Limit>;
  /** Whether a limit is for all lanes together, or for each. */
  readonly limitsCountAllLanes: boolean;
  readonly hidesEmptyLanes: boolean;
  readonly folded: ReadonlySet<string>;
}

export const parentLanes = '@parent';

/** Lists of one value, static or of people, that somebody may read. */
export const columnLists = (tracker: Tracker): readonly Field[] =>
  tracker.fields.filter((field) => fieldTypes[field.type]?.chooses === 'one' && may(field, 'read'));

/** Whether artifacts of the tracker have parents at all. */
export const hasParents = (tracker: Tracker): boolean => tracker.parent !== null;

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ids = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.map(String) : undefined;

const columnsIn = (value: unknown): BoardPlan['columns'] =>
  Array.isArray(value) ? value.flatMap((one: unknown) => [ids(one) ?? [String(one)]]) : undefined;

/** Columns as settings have them: a value, or a list of those that share one. */
export const writtenColumns = (columns: readonly (readonly string[])[]) =>
  columns.map((one) => (one.length === 1 ? Number(one[0]) : one.map(Number)));

const names = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;

function limitsIn(value: unknown): ReadonlyMap<string, Limit> {
  const entries = Object.entries(isMembers(value) ? value : {}).flatMap(([id, limit]) => {
    const max = isMembers(limit) ? limit['max'] : undefined;
    if (!isMembers(limit) || typeof max !== 'number') return [];
    return [[id, { max, isStrict: limit['is_strict'] === true }] as const];
  });
  return new Map(entries);
}

/** The first list that is no column, who is at it, and when it is due. */
function usualFacts(tracker: Tracker, by: Field | undefined): readonly string[] {
  const list = columnLists(tracker).find(
    (field) => field !== by && field.field_id !== statusField(tracker)?.field_id,
  );
  const nameOf = (id: number | undefined) => tracker.fields.find(({ field_id }) => field_id === id)?.name;
  const wanted = [list?.name, nameOf(dueFieldId(tracker)), nameOf(tracker.semantics.contributor?.field_id)];
  return wanted.filter((name) => name !== undefined && name !== by?.name) as readonly string[];
}

const namedIn = (tracker: Tracker, value: unknown) =>
  typeof value === 'string' ? fieldNamed(tracker, value) : undefined;

export function planOf(tracker: Tracker, settings: ViewSettings): BoardPlan {
  const lists = columnLists(tracker);
  const wished = namedIn(tracker, settings['columns_by']);
  const status = statusField(tracker);
  const by = lists.find((field) => field === wished) ?? lists.find((field) => field === status);
  const lanes = settings['swimlanes_by'];
  return {
    by,
    columns: columnsIn(settings['column_ids']),
    lanesBy: lanes === parentLanes ? parentLanes : namedIn(tracker, lanes),
    cardFields: names(settings['card_fields']) ?? usualFacts(tracker, by),
    coloursBy: namedIn(tracker, settings['colors_by']),
    limits: limitsIn(settings['limits']),
    limitsCountAllLanes: settings['limits_count_all_swimlanes'] !== false,
    hidesEmptyLanes: settings['hides_empty_swimlanes'] !== false,
    folded: new Set(ids(settings['collapsed_ids']) ?? []),
  };
}

/** Limits as settings have them. */
export const writtenLimits = (limits: ReadonlyMap<string, Limit>) =>
  Object.fromEntries([...limits].map(([id, { max, isStrict }]) => [id, { max, is_strict: isStrict }]));
