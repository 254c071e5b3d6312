import { plus } from '../../kernel/numbers.ts';
import { scalarText } from '../../kernel/values.ts';
import { childrenOf, type XmlElement } from '../../kernel/xml.ts';
import {
  amendedIds,
  changeOf,
  familyOfList,
  integerIn,
  itemsCell,
  itemsIn,
  listCell,
  listColumnType,
  namesSame,
  neededMember,
  refuseCommon,
  refuseTooMany,
  wrongValue,
} from '../field-kit/index.ts';
import type {
  Amending,
  ArchiveReading,
  ArchiveWriting,
  Entry,
  FieldType,
  MovingContext,
  PropertyRule,
  ShowingContext,
  ValueRules,
  WritingContext,
} from '../field-type.ts';
import { type Field, noneValue } from '../model.ts';
import { bindOf } from './binds.ts';
import { idsOf, listColumn } from './list-column.ts';
import { listSearch } from './list-search.ts';
import { everValueById } from './static.ts';

interface ListKind {
  readonly code: string;
  readonly isMultiple: boolean;
  readonly properties?: Readonly<Record<string, PropertyRule>>;
}

/** The ids of an entry, each once, without the zeros that forms send for nothing. */
function idsIn(field: Field, entry: Entry, context: WritingContext): unknown[] {
  const input = neededMember(entry, 'bind_value_ids', context, []);
  if (!Array.isArray(input)) throw wrongValue(field, 'The entry needs `bind_value_ids`, an array of ids.');
  refuseTooMany(field, input);
  const seen = new Map(input.map((id: unknown) => [scalarText(id)?.trim() ?? id, id]));
  return [...seen.values()].filter((id) => integerIn(id) !== 0 && id !== '');
}

const isNone = (id: unknown) => integerIn(id) === noneValue;

/** The present values by the ids that answers show them by. */
const byShownId = (field: Field, present: readonly number[]): ReadonlyMap<unknown, number> =>
  new Map(present.flatMap((id) => shownIds(field, [id]).map((shown) => [shown, id])));

/** What ids stand for: values that are there already, which stay also where nobody can choose them any more, and new ones. */
async function chosenAmong(
  field: Field,
  ids: readonly unknown[],
  present: readonly number[],
  context: WritingContext,
): Promise<number[]> {
  const there = byShownId(field, present);
  const chosen: number[] = [];
  for (const id of ids) {
    const kept = there.get(scalarText(id)?.trim());
    chosen.push(...(kept === undefined ? await bindOf(field).accept(field, [id], context) : [kept]));
  }
  return [...new Set(chosen)];
}

async function accept(
  isMultiple: boolean,
  field: Field,
  entry: Entry,
  present: readonly number[],
  context: WritingContext,
): Promise<readonly number[]> {
  const ids = idsIn(field, entry, context);
  if (!isMultiple && ids.length > 1) throw wrongValue(field, 'It takes one value only.');
  return chosenAmong(
    field,
    ids.filter((id) => !isNone(id)),
    present,
    context,
  );
}

/** Refuses what never was a value of the field; values that nobody can choose any more may be taken away. */
export function refuseUnknown(field: Field, ids: readonly string[]): void {
  if (field.bind?.kind !== 'static') return;
  const unknown = ids.find(
    (id) => integerIn(id) === undefined || everValueById(field, Number(id)) === undefined,
  );
  if (unknown !== undefined)
    throw wrongValue(
      field,
      `${JSON.stringify(unknown)} in \`remove_value_ids\` is not the id of one of its values.`,
    );
}

async function amended(
  field: Field,
  entry: Entry,
  present: readonly number[],
  context: WritingContext,
): Promise<readonly number[]> {
  const named = amendedIds(field, entry, 'add_value_ids').filter((id) => !isNone(id) && integerIn(id) !== 0);
  const removed = amendedIds(field, entry, 'remove_value_ids');
  refuseCommon(field, named, removed, ['add_value_ids', 'remove_value_ids']);
  const there = byShownId(field, present);
  const added = await chosenAmong(field, named, present, context);
  refuseUnknown(
    field,
    removed.filter((id) => !there.has(id)),
  );
  const gone = new Set(removed.map((id) => there.get(id)));
  return [...new Set([...present.filter((id) => !gone.has(id)), ...added])];
}

/** Lists of several values alone take single ones. */
const amending: Amending = {
  members: ['add_value_ids', 'remove_value_ids'],
  whole: ['bind_value_ids'],
};

/** The order in which values were chosen means nothing. */
export function isSameSet(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item) => right.includes(item));
}

/** The ids by which an answer shows values: groups by their own, which are not those of the values. */
export function shownIds(field: Field, stored: readonly number[]): string[] {
  const ids = bindOf(field).showIds(field, stored);
  return ids.map((id) => String(JSON.parse(id))).filter((id) => !isNone(id));
}

function isEcho(field: Field, entry: Entry, stored: readonly number[]): boolean {
  const input = Object.hasOwn(entry, 'bind_value_ids') ? itemsIn(entry['bind_value_ids']) : undefined;
  if (input === undefined) return false;
  const chosen = input.filter((id) => !isNone(id));
  return namesSame(chosen, shownIds(field, stored));
}

const listed = (items: readonly string[]) => `[${items.join(',')}]`;

export const initialValues = (field: Field, context: WritingContext) =>
  bindOf(field).defaults(field, context);

const listIndex = (value: readonly number[]) => (value.length === 0 ? [noneValue] : value);

function shownNow(field: Field, value: readonly number[], context: ShowingContext): string {
  const bind = bindOf(field);
  const ids = listed(bind.showIds(field, value));
  return `"values":${listed(bind.show(field, value, context))},"bind_value_ids":${ids}`;
}

/** What was written for the values of fields, by the chosen ids. */
const written = new WeakMap<Field, Map<string, string>>();
const mostWritten = 1000;

/** Values that the tracker defines are shown alike to everybody, and the same ones again and again. */
function shownOnce(field: Field, value: readonly number[], context: ShowingContext): string {
  const known = written.get(field) ?? new Map<string, string>();
  written.set(field, known);
  const key = value.length === 1 ? String(value[0]) : value.join(' ');
  const text = known.get(key) ?? shownNow(field, value, context);
  if (known.size > mostWritten) known.clear();
  known.set(key, text);
  return text;
}

/** A list of numbers counts in sums by the labels of its values. */
function contribution(field: Field, value: readonly number[] = []): number | null {
  if (field.bind?.kind !== 'static') return null;
  const labels = value.map((id) => everValueById(field, id)?.label.trim() ?? '');
  const numbers = labels.filter((label) => /^-?\d+(\.\d+)?$/.test(label)).map(Number);
  return numbers.length === 0 ? null : numbers.reduce(plus, 0);
}

const valueRules = (isMultiple: boolean): ValueRules<readonly number[]> => ({
  accept: (field, entry, context, present = []) => accept(isMultiple, field, entry, present, context),
  amend: (field, entry, present = [], context) => amended(field, entry, present, context),
  initial: initialValues,
  isEmpty: (value) => value.length === 0,
  isSame: isSameSet,
  isEcho,
  show(field, value = [], context) {
    const bind = bindOf(field);
    return bind.isFixed ? shownOnce(field, value, context) : shownNow(field, value, context);
  },
  flat: (field, value = [], context) => bindOf(field).labels(field, value, context),
  indexed: (_field, value) => listIndex(value),
  contribution,
});

/** The values that mean here what these mean in a field of another tracker; those that nothing means are left out. */
async function counterparts(
  field: Field,
  ids: readonly number[],
  from: Field,
  context: MovingContext,
): Promise<number[]> {
  const found: number[] = [];
  for (const id of ids) {
    const counterpart = await bindOf(field).counterpart(field, id, from, context);
    if (counterpart !== undefined && !found.includes(counterpart)) found.push(counterpart);
  }
  return found;
}

/** Values that cannot be found are left out alone; undefined when nothing is left and not nothing was meant. */
async function readArchived(
  isMultiple: boolean,
  field: Field,
  change: XmlElement,
  context: ArchiveReading,
): Promise<readonly number[] | undefined> {
  const input = childrenOf(change, 'value');
  const found: number[] = [];
  for (const value of input) {
    const id = await bindOf(field).fromArchive(field, value, context);
    if (id === undefined)
      context.warn(
        'invalid_value',
        `${JSON.stringify(value.text.slice(0, 50))} is no value of ${field.name}.`,
      );
    else found.push(id);
  }
  if (found.length === 0 && input.length > 0) return undefined;
  const chosen = [...new Set(found)].filter((id) => id !== noneValue);
  if (isMultiple || chosen.length < 2) return chosen;
  context.warn('invalid_value', `${field.name} takes one value only: the first was taken.`);
  return chosen.slice(0, 1);
}

const bindKind = ({ bind }: Field) => ({ bind: bind?.kind ?? 'static' });

async function writeArchived(field: Field, value: readonly number[], context: ArchiveWriting) {
  const ids = value.length === 0 ? [noneValue] : value;
  const values = await Promise.all(ids.map((id) => bindOf(field).toArchive(field, id, context)));
  return changeOf(field, 'list', values, bindKind(field));
}

/** Fields whose values are chosen from a closed list. */
export function listField({ code, isMultiple, properties = {} }: ListKind): FieldType<readonly number[]> {
  return {
    code,
    kind: 'field',
    parents: ['column', 'fieldset', null],
    isUpdatable: true,
    isSubmittable: true,
    roles: isMultiple ? ['status', 'contributor'] : ['status', 'contributor', 'initial_effort'],
    binds: ['static', 'users', 'ugroups'],
    isMultiple,
    ...(isMultiple ? { amending } : {}),
    properties,
    describe: (field, context) => bindOf(field).describe(field, context),
    value: valueRules(isMultiple),
    cell: listColumn,
    row: {
      type: listColumnType,
      cell: (field, value = [], context) => itemsCell(bindOf(field).rowItems(field, value, context)),
      sort: 'list',
    },
    archived: {
      type: 'list',
      alsoReads: ['open_list'],
      write: writeArchived,
      read: (field, change, context) => readArchived(isMultiple, field, change, context),
    },
    search: listSearch,
    across: {
      family: familyOfList,
      cell: (field, value = [], context) => listCell(bindOf(field).items(field, value, context)),
    },
    move: {
      family: ({ bind }) => `${isMultiple ? 'several' : 'one'} of ${bind?.kind}`,
      async take(field, value, from, context) {
        const ids = idsOf(value);
        const found = await counterparts(field, ids, from, context);
        return { value: found, isWhole: found.length === ids.length };
      },
    },
  };
}
