import { csvRows } from '../../kernel/csv.ts';
import { Refusal } from '../../kernel/errors.ts';
import { bindOf } from '../lists/index.ts';
import type { Field } from '../model.ts';
import { wrongValue } from './entry.ts';
import type { CellReading, CellRules } from './field-type.ts';

/** Between the items of a cell that has several; items with commas of their own are in quotes. */
const comma = ',';
const needsQuotes = /[",\r\n]|^\s|\s$/;

export const joinedItems = (items: readonly string[]): string =>
  items.map((item) => (needsQuotes.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join(`${comma} `);

/** The items of a cell. */
export function itemsOf(field: Field, cell: string): string[] {
  try {
    const items = [...csvRows(cell.trim(), comma)].flatMap(({ cells }) => cells);
    return items.map((item) => item.trim()).filter((item) => item !== '');
  } catch (error) {
    if (error instanceof Refusal) throw wrongValue(field, 'The quotes of its items do not match.');
    throw error;
  }
}

/** The value of a list that a text names; undefined when it names none. */
async function namedBy(field: Field, text: string, context: CellReading): Promise<number | undefined> {
  const ids = await bindOf(field).searched(field, [text], context);
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
