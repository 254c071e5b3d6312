import { type Reader, sql } from '../../storage/index.ts';
import { noneValue, requireTrackerAdministrator, type Tracker } from '../../trackers/index.ts';
import { parseDocument } from '../model.ts';
import { type ReadContext, requireTracker } from '../visibility.ts';

/** How many artifacts have something in each field, and each value of each list. By pairs, since it crosses threads. */
export interface FieldCounts {
  readonly fields: readonly (readonly [fieldId: number, count: number])[];
  readonly values: readonly (readonly [fieldId: number, valueId: number, count: number])[];
}

/** Artifacts whose values are read at once, and bytes of one above which it is read alone. */
const batch = 100;
const muchText = 256 * 1024;

type Counting = Map<number, number>;
const add = (counts: Counting, id: number, count = 1) => counts.set(id, (counts.get(id) ?? 0) + count);

/** Counts fields of one artifact that have something. */
function countDocument({ fields }: { fields: Tracker['elements'] }, text: string, counts: Counting): void {
  const document = parseDocument(text);
  for (const { id, type } of fields) {
    const value = document[id];
    if (value === undefined || value === null || type.value?.isEmpty?.(value) === true) continue;
    add(counts, id);
  }
}

async function heavyDocument(reader: Reader, id: number): Promise<string> {
  const row = await reader.first(reader.sql.selectFrom('artifact').select('document').where('id', '=', id));
  return row?.document ?? '{}';
}

async function countDocuments(reader: Reader, tracker: Tracker, counts: Counting): Promise<void> {
  const fields = tracker.elements.filter(
    ({ type }) => type.kind === 'field' && type.acceptLinks === undefined,
  );
  const light = sql<string>`case when octet_length(document) <= ${sql.lit(muchText)} then document else '' end`;
  const all = reader.sql
    .selectFrom('artifact')
    .select(['id', light.as('document')])
    .where('tracker_id', '=', tracker.id)
    .orderBy('id')
    .limit(batch);
  for (let last = 0; ; ) {
    const rows = await reader.all(all.where('id', '>', last));
    for (const { id, document } of rows)
      countDocument({ fields }, document === '' ? await heavyDocument(reader, id) : document, counts);
    if (rows.length < batch) return;
    last = rows.at(-1)?.id ?? last;
  }
}

async function countLinks(reader: Reader, tracker: Tracker, counts: Counting): Promise<void> {
  const field = tracker.elements.find(({ type }) => type.acceptLinks !== undefined);
  if (field === undefined) return;
  const linking = reader.sql
    .selectFrom('artifact_link')
    .innerJoin('artifact', 'artifact.id', 'artifact_link.source_id')
    .where('artifact.tracker_id', '=', tracker.id)
    .select(sql<number>`count(distinct source_id)`.as('count'));
  add(counts, field.id, Number((await reader.first(linking))?.count ?? 0));
}

async function countListValues(reader: Reader, { elements }: Tracker): Promise<FieldCounts['values']> {
  const lists = elements.filter(({ bind }) => bind !== null).map(({ id }) => id);
  if (lists.length === 0) return [];
  const query = reader.sql
    .selectFrom('artifact_value')
    .select(['field_id', 'value', sql<number>`count(*)`.as('count')])
    .where('field_id', 'in', lists)
    .where('value', '<>', noneValue)
    .groupBy(['field_id', 'value']);
  return (await reader.all(query)).map(({ field_id, value, count }) => [field_id, value, Number(count)]);
}

/** What artifacts of a tracker have, whoever may see them: for those who administer it. */
export async function countFieldValues(
  readContext: ReadContext,
  { trackerId }: { readonly trackerId: number },
): Promise<FieldCounts> {
  const { reader } = readContext;
  const view = await requireTracker(readContext, trackerId);
  requireTrackerAdministrator(view);
  const counts: Counting = new Map();
  await countDocuments(reader, view.tracker, counts);
  await countLinks(reader, view.tracker, counts);
  return { fields: [...counts], values: await countListValues(reader, view.tracker) };
}
