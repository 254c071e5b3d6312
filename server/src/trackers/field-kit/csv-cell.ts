import { csvItems, csvRows } from '../../kernel/csv.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Field } from '../model.ts';
import { wrongValue } from './entry.ts';

/** Between the items of a cell that has several; items with commas of their own are in quotes. */
const comma = ',';

export const joinedItems = csvItems;

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
