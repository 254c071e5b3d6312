import { csvItems, csvRows } from '../../kernel/csv.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { DateOrder } from '../field-type.ts';
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

const decimals = /^([+-]?\d+),(\d{1,2}|\d{4,})$/;

/** Many languages write a comma before decimals. Where three digits follow, it may as well stand for thousands: nobody knows. */
export const withPoint = (cell: string): string => cell.replace(decimals, '$1.$2');

const yearLast = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2})(:\d{2}(?::\d{2})?))?$/;

/** A day as spreadsheets save it, with its year first, as dates are read. */
export function yearFirst(cell: string, order: DateOrder | undefined): string {
  const parts = yearLast.exec(cell);
  if (parts === null || order === undefined) return cell;
  const [, first = '', , second = '', year = '', hours, minutes] = parts;
  const [day, month] = order === 'day_first' ? [first, second] : [second, first];
  const time = hours === undefined ? '' : ` ${hours.padStart(2, '0')}${minutes}`;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`;
}
