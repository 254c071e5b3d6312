import { itemsOf, joinedItems, wrongValue } from '../field-kit/index.ts';
import type { CellReading, CellRules, Stored } from '../field-type.ts';
import type { Field } from '../model.ts';
import { bindOf } from './binds.ts';

/** The ids that a stored value holds. */
export const idsOf = (value: Stored | undefined) =>
  Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];

/** The value of a list that a text names; undefined when it names none. */
async function namedBy(field: Field, text: string, context: CellReading): Promise<number | undefined> {
  const ids = await bindOf(field).searched(field, [text], context, idsOf(context.stored));
  const exact = field.bind?.values.find(({ id, label }) => ids.includes(id) && label === text);
  return exact?.id ?? ids[0];
}

async function allNamed(
  field: Field,
  texts: readonly string[],
  context: CellReading,
): Promise<number[] | undefined> {
  const ids: number[] = [];
  for (const text of texts) {
    const id = await namedBy(field, text, context);
    if (id === undefined) return undefined;
    ids.push(id);
  }
  return ids;
}

/** Values that are named one by one, or the one whose name the whole cell is. */
async function chosenBy(field: Field, cell: string, context: CellReading): Promise<number[]> {
  const items = itemsOf(field, cell);
  const chosen = (await allNamed(field, items, context)) ?? (await allNamed(field, [cell.trim()], context));
  if (chosen !== undefined) return chosen;
  for (const item of items)
    if ((await namedBy(field, item, context)) === undefined)
      throw wrongValue(field, `${JSON.stringify(item)} is not one of its values.`);
  return [];
}

/** Cells of lists with fixed values: labels, names of accounts, short names of groups. */
export const listColumn: CellRules<readonly number[]> = {
  write: (field, value = [], context) => joinedItems(bindOf(field).names(field, value, context)),
  async read(field, cell, context) {
    const chosen = cell.trim() === '' ? [] : await chosenBy(field, cell, context);
    return {
      bind_value_ids: bindOf(field)
        .showIds(field, chosen)
        .map((id) => JSON.parse(id)),
    };
  },
};
