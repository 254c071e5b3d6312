import { statement, type Transaction } from '../storage/index.ts';
import type { Field, Stored } from '../trackers/index.ts';

/** The entries of the value index that a value has; none at all when there is no value. */
export function indexedValues(field: Field, value: Stored | undefined): readonly number[] {
  if (value === undefined) return [];
  return field.type.value?.indexed?.(field, value) ?? [];
}

const insertEntry = statement((sql, p: { fieldId: number; value: number; artifactId: number }) =>
  sql
    .insertInto('artifact_value')
    .values({ field_id: p.fieldId, value: p.value, artifact_id: p.artifactId })
    .onConflict((conflict) => conflict.doNothing()),
);

const deleteEntry = statement((sql, p: { fieldId: number; value: number; artifactId: number }) =>
  sql
    .deleteFrom('artifact_value')
    .where('field_id', '=', p.fieldId)
    .where('value', '=', p.value)
    .where('artifact_id', '=', p.artifactId),
);

/** Brings the entries of one field from what was there to what is there now. */
export async function reindex(
  tx: Transaction,
  artifactId: number,
  field: Field,
  { before, after }: { before: Stored | undefined; after: Stored | undefined },
): Promise<void> {
  const old = indexedValues(field, before);
  const now = indexedValues(field, after);
  const fieldId = field.id;
  for (const value of old)
    if (!now.includes(value)) await tx.run(deleteEntry, { fieldId, value, artifactId });
  for (const value of now)
    if (!old.includes(value)) await tx.run(insertEntry, { fieldId, value, artifactId });
}

const entryColumns = ['field_id', 'value', 'artifact_id'] as const;

/** All entries of an artifact that has none yet. */
export async function indexNew(
  tx: Transaction,
  artifactId: number,
  values: ReadonlyMap<Field, Stored>,
): Promise<void> {
  const rows = [...values].flatMap(([field, value]) =>
    [...new Set(indexedValues(field, value))].map((entry) => [field.id, entry, artifactId] as const),
  );
  await tx.insertMany('artifact_value', entryColumns, rows);
}
