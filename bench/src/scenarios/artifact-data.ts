import { createClient } from '@atelier/client';
import { createArtifact, createField, createTracker, putArtifact } from '@atelier/contract';
import type { Dataset } from '../dataset/dataset.ts';
import { changeEntriesOf, entriesOf } from '../dataset/draft.ts';
import { newDrafts } from '../dataset/new-drafts.ts';
import type { Site } from '../scenario.ts';

const listValues = Array.from({ length: 10 }, (_, index) => ({ label: `Value ${index + 1}` }));
const list = { bind: { type: 'static' as const, values: listValues } };

/** How many fields of which type the wide tracker has: 40 in all. */
const wideForm = [
  { count: 9, type: 'string' },
  { count: 5, type: 'text' },
  { count: 6, type: 'int' },
  { count: 4, type: 'float' },
  { count: 5, type: 'date' },
  { count: 6, type: 'sb', ...list },
  { count: 2, type: 'msb', ...list },
  { count: 2, type: 'sb', bind: { type: 'users' as const } },
  { count: 1, type: 'art_link' },
];

/** A tracker of 40 fields. */
export async function createWideTracker({ baseUrl }: Site, { adminKey, form }: Dataset): Promise<number> {
  const admin = createClient({ baseUrl, accessKey: adminKey });
  const { id } = await admin.call(createTracker, {
    params: { id: form.projectId },
    body: { label: 'Wide', item_name: 'wide' },
  });
  const fields = wideForm.flatMap(({ count, ...field }) => Array.from({ length: count }, () => field));
  for (const [index, field] of fields.entries()) {
    const names = { label: `Field ${index + 1}`, name: `field_${index + 1}` };
    await admin.call(createField, { params: { id }, body: { ...field, ...names } });
  }
  return id;
}

/** An artifact with that many changesets. */
export async function createHistory(
  { baseUrl }: Site,
  dataset: Dataset,
  changesets: number,
): Promise<number> {
  const { form } = dataset;
  const member = createClient({ baseUrl, accessKey: form.memberKey });
  const [first, ...changes] = newDrafts(dataset, changesets);
  if (first === undefined) throw new Error('A history has at least one changeset');
  const tracker = { id: form.trackerId };
  const { id } = await member.call(createArtifact, { body: { tracker, values: entriesOf(first, form) } });
  for (const [index, draft] of changes.entries()) {
    const values = changeEntriesOf(draft, form);
    const comment = index % 3 === 0 ? { body: draft.title, format: 'commonmark' } : undefined;
    await member.call(putArtifact, { params: { id }, body: { values, comment } });
  }
  return id;
}
