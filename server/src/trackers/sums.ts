import type { Reader } from '../storage/index.ts';
import { fieldTypes } from './field-types/index.ts';

/** Codes of the types whose values are sums over linked artifacts. */
const summingTypes = [...fieldTypes.values()]
  .filter(({ value }) => value?.needs?.includes('totals'))
  .map(({ code }) => code);

/** Fields in use that sum up, in trackers that are there. */
function summingFields({ sql }: Reader) {
  return sql
    .selectFrom('tracker_field')
    .innerJoin('tracker', 'tracker.id', 'tracker_field.tracker_id')
    .where('tracker_field.type', 'in', summingTypes)
    .where('tracker_field.is_used', '=', 1)
    .where('tracker_field.deleted_at', 'is', null)
    .where('tracker.deleted_at', 'is', null);
}

/** Their short names. */
export async function findSums(reader: Reader): Promise<ReadonlySet<string>> {
  const rows = await reader.all(summingFields(reader).select('tracker_field.name').distinct());
  return new Set(rows.map(({ name }) => name));
}

/** The trackers whose artifacts have sums of this name. */
export async function findSummingTrackers(reader: Reader, name: string): Promise<number[]> {
  const query = summingFields(reader).select('tracker.id').where('tracker_field.name', '=', name);
  return (await reader.all(query.orderBy('tracker.id'))).map(({ id }) => id);
}
