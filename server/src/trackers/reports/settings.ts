import { invalidMember } from '../../kernel/errors.ts';
import { booleanIn, numberIn } from '../../kernel/values.ts';
import { idInXml } from '../../kernel/xml-text.ts';
import type { FieldRenaming } from '../extension.ts';
import type { Tracker } from '../model.ts';
import type { TrackerView } from '../view.ts';
import type { CopiedIds } from '../workflow/index.ts';

/** The ways in which a report shows what it finds. */
export const rendererTypes = ['table', 'board', 'calendar', 'timeline', 'chart'] as const;
export type RendererType = (typeof rendererTypes)[number];

/** How one of them shows it, by the names that requests have; what is not said is as usual. */
export type RendererSettings = Readonly<Record<string, unknown>>;

/** In lists: without a value. */
const noneId = 100;
const mostNames = 60;
const mostValues = 1000;
const mostBytes = 65_536;
const highestLimit = 100_000;

/** What rows have beside the fields of their tracker. */
const rowNames = [
  '@start',
  '@end',
  '@progress',
  '@parent',
  '@children',
  '@links',
  '@comments',
  '@files',
  '@last_update_date',
  '@last_update_by',
  '@submitted_on',
  '@submitted_by',
  '@rank',
  '@watched',
];

/** Who looks, or for whom something is checked. */
interface Around {
  readonly tracker: Tracker;
  mayName(fieldId: number): boolean;
}

type Renaming = Pick<FieldRenaming, 'from' | 'to'>;

/** What one member of settings can be. */
interface Member {
  /** What was meant by a value that XML has as text; anything else as it is. */
  meant?(value: unknown): unknown;
  /** Why a value cannot be; undefined where it can. */
  fault(value: unknown, around: Around): string | undefined;
  /** What somebody sees of it: no field that they may not know of. */
  shown?(value: unknown, around: Around): unknown;
  /** Archives alone tell it, and are told it: requests neither give nor get it. */
  readonly isForArchives?: true;
  /** Whether it holds values of the field that columns stand for. */
  readonly isOfColumns?: true;
  /** What it is once a field is called otherwise. */
  renamed?(value: unknown, renaming: Renaming): unknown;
  /** What it is in a copy of the tracker, where values have other ids. */
  copied?(value: unknown, idOf: (id: number) => number | undefined): unknown;
}

const fieldOf = ({ elements }: Tracker, name: string) => {
  const [short = ''] = name.split(':');
  return elements.find((field) => field.name === short);
};

function isKnown(name: string, { tracker, mayName }: Around, special: readonly string[]): boolean {
  if (special.includes(name)) return true;
  const field = fieldOf(tracker, name);
  return field !== undefined && mayName(field.id);
}

const unknownName = (name: unknown) =>
  typeof name === 'string'
    ? `There is no field ${JSON.stringify(name.slice(0, 100))} in this tracker.`
    : 'It must be the name of a field.';

/** A name, with how it is counted by, as in `due:week`, after a field got another one. */
function renamedName(value: unknown, { from, to }: Renaming, special: readonly string[]): unknown {
  if (typeof value !== 'string' || special.includes(value)) return value;
  const [short, ...more] = value.split(':');
  return short === from ? [to, ...more].join(':') : value;
}

const name = (...special: string[]): Member => ({
  renamed: (value, renaming) => renamedName(value, renaming, special),
  fault: (value, around) =>
    value === null || (typeof value === 'string' && isKnown(value, around, special))
      ? undefined
      : unknownName(value),
  shown: (value, around) => (typeof value === 'string' && isKnown(value, around, special) ? value : null),
});

const flagIn = (value: unknown): unknown => booleanIn(value) ?? value;

/** A number that is text; what is none stays to be refused. */
function wholeIn(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? numberIn(value) : value;
}

const wholesIn = (value: unknown): unknown => (Array.isArray(value) ? value.map(wholesIn) : wholeIn(value));

const names = (most: number, special: readonly string[]): Member => ({
  renamed: (value, renaming) =>
    Array.isArray(value) ? value.map((one) => renamedName(one, renaming, special)) : value,
  fault(value, around) {
    if (!Array.isArray(value) || value.length > most)
      return `It must be a list of at most ${most} names of fields.`;
    if (new Set(value).size < value.length) return 'It names a field more than once.';
    const wrong: unknown = value.find((one) => typeof one !== 'string' || !isKnown(one, around, special));
    return wrong === undefined ? undefined : unknownName(wrong);
  },
  shown: (value, around) =>
    [value].flat().filter((one) => typeof one === 'string' && isKnown(one, around, special)),
});

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const ids: Member = {
  isOfColumns: true,
  meant: wholesIn,
  fault(value) {
    if (!Array.isArray(value) || value.length > mostValues || !value.every(isId))
      return `It must be a list of at most ${mostValues} ids of values.`;
    return new Set(value).size < value.length ? 'It names a value more than once.' : undefined;
  },
  copied: (value, idOf) =>
    Array.isArray(value) ? value.flatMap((id: unknown) => (isId(id) ? (idOf(id) ?? []) : [])) : value,
};

/** Columns of a board: a value has one of its own, or shares one with others. */
const columns: Member = {
  isOfColumns: true,
  meant: wholesIn,
  fault(value) {
    if (value === null) return undefined;
    const one = `It must be a list of at most ${mostValues} ids of values, or of lists of those that share a column.`;
    if (!Array.isArray(value)) return one;
    const isWrong = (entry: unknown) => !isId(entry) && !(Array.isArray(entry) && entry.length > 0);
    const all: unknown[] = value.flat();
    if (value.some(isWrong) || all.length > mostValues || !all.every(isId)) return one;
    return new Set(all).size < all.length ? 'It names a value more than once.' : undefined;
  },
  copied(value, idOf) {
    const copy = (id: unknown): number[] => [isId(id) ? (idOf(id) ?? []) : []].flat();
    if (!Array.isArray(value)) return value;
    return value.flatMap((entry: unknown): (number | number[])[] => {
      if (!Array.isArray(entry)) return copy(entry);
      const some = entry.flatMap(copy);
      return some.length === 0 ? [] : [some];
    });
  },
};

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function limitFault(key: string, limit: unknown): string | undefined {
  if (!/^[1-9]\d{0,14}$/.test(key)) return `${JSON.stringify(key.slice(0, 40))} is no id of a value.`;
  if (!isMembers(limit)) return `The limit of ${key} must be {"max": …, "is_strict": …}.`;
  const { max, is_strict: isStrict = false, ...more } = limit;
  if (Object.keys(more).length > 0) return `The limit of ${key} has members beside max and is_strict.`;
  if (!isId(max) || max > highestLimit) return `max of ${key} must be a number from 1 to ${highestLimit}.`;
  return typeof isStrict === 'boolean' ? undefined : `is_strict of ${key} must be true or false.`;
}

function limitIn([key, limit]: [string, unknown]): [string, unknown] {
  const id = idInXml(key);
  if (!isMembers(limit)) return [id, limit];
  const { max, is_strict: isStrict, ...more } = limit;
  const strict = isStrict === undefined ? {} : { is_strict: flagIn(isStrict) };
  return [id, { ...(max === undefined ? {} : { max: wholeIn(max) }), ...strict, ...more }];
}

const limits: Member = {
  isOfColumns: true,
  meant: (value) => (isMembers(value) ? Object.fromEntries(Object.entries(value).map(limitIn)) : value),
  fault(value) {
    if (!isMembers(value) || Object.keys(value).length > mostValues)
      return `It must be at most ${mostValues} limits by ids of values.`;
    const faults = Object.entries(value).map(([key, limit]) => limitFault(key, limit));
    return faults.find((fault) => fault !== undefined);
  },
  copied: (value, idOf) =>
    Object.fromEntries(
      Object.entries(isMembers(value) ? value : {}).flatMap(([key, limit]) => {
        const id = idOf(Number(key));
        return id === undefined ? [] : [[String(id), limit]];
      }),
    ),
};

const flag: Member = {
  meant: flagIn,
  fault: (value) => (typeof value === 'boolean' ? undefined : 'It must be true or false.'),
};

const whole = (least: number, most: number): Member => ({
  meant: wholeIn,
  fault: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : `It must be a whole number from ${least} to ${most}.`,
});

const oneOf = (...choices: string[]): Member => ({
  fault: (value) =>
    choices.some((choice) => choice === value) ? undefined : `It must be one of ${choices.join(', ')}.`,
});

const since: Member = {
  fault: (value) =>
    value === null || (typeof value === 'string' && /^(\d{4}-\d\d-\d\d|[1-9]\d{0,3}d)$/.test(value))
      ? undefined
      : 'It must be a day as 2026-11-01, or so many days ago as 90d.',
};

/** That one more column may be added to the order of a table, which is always so here. */
const multisort: Member = { isForArchives: true, fault: () => undefined };

/** What can be said of each, by `web-api`. */
const members: Readonly<Record<RendererType, Readonly<Record<string, Member>>>> = {
  table: { group_by: name('@parent'), wraps_text: flag, frozen_columns: whole(0, 20), multisort },
  board: {
    columns_by: name(),
    column_ids: columns,
    swimlanes_by: name('@parent'),
    card_fields: names(mostNames, rowNames),
    limits,
    limits_count_all_swimlanes: flag,
    hides_empty_swimlanes: flag,
    collapsed_ids: ids,
    colors_by: name(),
  },
  calendar: { date: name('@start', '@end'), color_by: name() },
  timeline: {
    group_by: name('@parent'),
    zoom: oneOf('week', 'month', 'quarter', 'year'),
    shows_links: flag,
    color_by: name(),
  },
  chart: {
    kind: oneOf('bar', 'stacked', 'donut', 'states', 'flow', 'burnup', 'number'),
    by: names(2, ['is_open']),
    sum: name(),
    from: since,
    step: oneOf('day', 'week', 'month'),
  },
};

/** Settings that a renderer of this type can have; refuses everything else by its name. */
export function checkedSettings(
  type: RendererType,
  place: string,
  input: unknown,
  around: Around,
): RendererSettings {
  if (!isMembers(input)) throw invalidMember(place, 'It must be an object.');
  if (Buffer.byteLength(JSON.stringify(input)) > mostBytes)
    throw invalidMember(place, `It must have at most ${mostBytes} bytes.`);
  const meant = Object.entries(input).map(([key, value]) => {
    const member = Object.hasOwn(members[type], key) ? members[type][key] : undefined;
    const what = `${place}[${key.slice(0, 100)}]`;
    if (member === undefined || member.isForArchives)
      throw invalidMember(what, `A ${type} has no such setting.`);
    const setting = member.meant?.(value) ?? value;
    const fault = member.fault(setting, around);
    if (fault !== undefined) throw invalidMember(what, fault);
    return [key, setting] as const;
  });
  return Object.fromEntries(meant);
}

/** Members of a type that are known, with what they are. */
const knownIn = (type: RendererType, settings: RendererSettings) =>
  Object.entries(settings).flatMap(([key, value]) => {
    const member = members[type][key];
    return member === undefined ? [] : [{ key, value, member }];
  });

/** What no request changes. */
export const archivedSettings = (type: RendererType, settings: RendererSettings): RendererSettings =>
  Object.fromEntries(
    knownIn(type, settings).flatMap(({ key, value, member }) => (member.isForArchives ? [[key, value]] : [])),
  );

/** What somebody sees of settings: neither fields that they may not know of, nor values of these. */
export function shownSettings(
  type: RendererType,
  settings: RendererSettings,
  view: TrackerView,
  mayName: Around['mayName'],
): Record<string, unknown> {
  const around = { tracker: view.tracker, mayName };
  const by = settings['columns_by'];
  const knowsColumns = typeof by !== 'string' || isKnown(by, around, []);
  return Object.fromEntries(
    knownIn(type, settings)
      .filter(({ member }) => !member.isForArchives && (knowsColumns || member.isOfColumns !== true))
      .map(({ key, value, member }) => [key, member.shown?.(value, around) ?? (member.shown ? null : value)]),
  );
}

/** Settings in a copy of the tracker: fields have the same names there, and values other ids. */
export function copiedSettings(
  type: RendererType,
  settings: RendererSettings,
  from: Tracker,
  copied: CopiedIds,
): RendererSettings {
  const by = settings['columns_by'];
  const field =
    typeof by === 'string' ? fieldOf(from, by) : from.elementById.get(from.semantics.status?.fieldId ?? 0);
  const idOf = (id: number) =>
    id === noneId ? id : field === undefined ? undefined : copied.value(field.id, id);
  return Object.fromEntries(
    knownIn(type, settings).map(({ key, value, member }) => [key, member.copied?.(value, idOf) ?? value]),
  );
}

/** Settings after a field of the tracker got another short name. */
export const renamedSettings = (
  type: RendererType,
  settings: RendererSettings,
  renaming: Renaming,
): RendererSettings =>
  Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      members[type][key]?.renamed?.(value, renaming) ?? value,
    ]),
  );
