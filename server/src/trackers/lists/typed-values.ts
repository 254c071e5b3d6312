import { fold } from '../../kernel/text.ts';
import { groupIds } from '../../projects/index.ts';
import { type Reader, statement, type Tables, type Transaction } from '../../storage/index.ts';
import type { DescribingContext } from '../field-type.ts';
import { groupsOfOpenLists } from '../groups.ts';
import type { Field } from '../model.ts';

/** The id of a value that somebody typed into an open list, made when it is new. */
export async function typedValueFor(tx: Transaction, field_id: number, label: string): Promise<number> {
  const query = tx.sql.selectFrom('open_value').select('id').where('field_id', '=', field_id);
  const known = await tx.first(query.where('label', '=', label));
  if (known !== undefined) return known.id;
  const insert = tx.sql.insertInto('open_value').values({ field_id, label, is_hidden: 0 });
  const [made] = await tx.all(insert.returning('id'));
  if (made === undefined) throw new Error('The new value has no id.');
  return made.id;
}

export async function findTypedValue(reader: Reader, fieldId: number, id: number): Promise<boolean> {
  const query = reader.sql.selectFrom('open_value').select('id').where('id', '=', id);
  return (await reader.first(query.where('field_id', '=', fieldId))) !== undefined;
}

/** The ids of typed values that are the same text but for letter case and accents. */
export async function typedLike(
  reader: Reader,
  fieldId: number,
  texts: readonly string[],
): Promise<number[]> {
  const query = reader.sql.selectFrom('open_value').select(['id', 'label']).where('field_id', '=', fieldId);
  const sought = new Set(texts.map(fold));
  return (await reader.all(query)).flatMap(({ id, label }) => (sought.has(fold(label)) ? id : []));
}

/** The labels of typed values, by id. */
export async function typedLabels(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const query = reader.sql.selectFrom('open_value').select(['id', 'label']).where('id', 'in', ids);
  return new Map((await reader.all(query)).map(({ id, label }) => [id, label]));
}

/** All that people typed into a list, by id, in the order in which the structure lists it. */
export async function typedIn(reader: Reader, fieldId: number): Promise<ReadonlyMap<number, string>> {
  const query = reader.sql.selectFrom('open_value').select(['id', 'label']).where('field_id', '=', fieldId);
  return new Map((await reader.all(query.orderBy('id'))).map(({ id, label }) => [id, label]));
}

const typedOfTracker = statement((sql, p: { trackerId: number }) =>
  sql
    .selectFrom('open_value')
    .innerJoin('tracker_field', 'tracker_field.id', 'open_value.field_id')
    .select(['open_value.id', 'open_value.field_id', 'open_value.label', 'open_value.is_hidden'])
    .where('tracker_field.tracker_id', '=', p.trackerId)
    .orderBy('open_value.id'),
);

type TypedRow = Pick<Tables['open_value'], 'field_id' | 'label' | 'is_hidden'> & { id: number };
const described = new WeakMap<DescribingContext, Promise<TypedRow[]>>();

/** The typed values of all open lists of the form, asked for once. */
function typedValuesOf(context: DescribingContext): Promise<TypedRow[]> {
  const rows =
    described.get(context) ?? context.reader.all(typedOfTracker, { trackerId: context.tracker.id });
  described.set(context, rows);
  return rows;
}

async function staticValues(field: Field, context: DescribingContext, closed: readonly unknown[]) {
  const rows = (await typedValuesOf(context)).filter(({ field_id }) => field_id === field.id);
  const typed = rows.map(({ id, label, is_hidden }) => ({
    id: `o${id}`,
    value_color: '',
    label,
    is_hidden: is_hidden === 1,
  }));
  return [...closed, ...typed];
}

/** Groups in the order of their ids; that of restricted accounts only where there are any. */
function offeredGroups(context: DescribingContext): unknown[] {
  const hasRestricted = context.viewer.accessMode === 'restricted';
  return groupsOfOpenLists(context.tracker.projectGroups)
    .filter((id) => hasRestricted || id !== groupIds.authenticated)
    .flatMap((id) => context.group(id) ?? []);
}

/** What an open list offers: its values and the typed ones; people are looked up, groups listed. */
export async function describeTypedValues(
  field: Field,
  context: DescribingContext,
  closed: unknown,
): Promise<unknown> {
  switch (field.bind?.kind) {
    case 'users':
      return { resource: { type: 'users', uri: 'users/?query=' } };
    case 'ugroups':
      return offeredGroups(context);
    default:
      return staticValues(field, context, Array.isArray(closed) ? closed : []);
  }
}
