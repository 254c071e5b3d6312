import { invalidMember, notFound } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';
import { toFlag } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import { type TrackerExtension, tellContributions } from '../extension.ts';
import { fieldTypes } from '../field-types/index.ts';
import type { Tracker } from '../model.ts';
import { requireFieldForWriting, requireTrackerForWriting } from '../policy.ts';
import { checkUnique, requireFreeName } from './elements.ts';
import { requireUnused } from './uses.ts';

/** Removes an element from the form. What artifacts hold of it stays where it is, and so does their history. */
export async function removeField(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
  extensions: readonly TrackerExtension[],
): Promise<void> {
  const { field, tracker } = await requireFieldForWriting(tx, viewer, id);
  requireUnused(tracker, field);
  const removal = tx.sql.updateTable('tracker_field').set({ deleted_at: Date.now() });
  await tx.run(removal.where('id', '=', id));
  await tellContributions(tx, extensions, { trackerId: tracker.id, names: [field.name] });
  await trackerChanged(tx, viewer, tracker);
}

async function requireRemoved(tx: Transaction, viewer: Viewer, id: number) {
  const query = tx.sql.selectFrom('tracker_field').selectAll().where('id', '=', id);
  const found = await tx.first(query.where('deleted_at', 'is not', null));
  if (found === undefined) throw notFound('There is no such removed field.');
  const { tracker } = await requireTrackerForWriting(tx, viewer, found.tracker_id);
  // Read again under the lock: somebody else may have been first.
  const row = await tx.first(query.where('deleted_at', 'is not', null));
  if (row === undefined) throw notFound('There is no such removed field.');
  return { row, tracker };
}

/** The container that it stood in, when that is still there; else the root, when it can stand there. */
function placeOf({ elementById }: Tracker, type: string, parentId: number | null): number | null {
  if (parentId === null || elementById.has(parentId)) return parentId;
  if (fieldTypes.get(type)?.parents.includes(null)) return null;
  throw invalidMember('id', 'What it stood in was removed as well: bring that back first.');
}

/** Brings a removed element back with all that artifacts hold of it; gives the id of its tracker. */
export async function restoreField(
  tx: Transaction,
  viewer: Viewer,
  { id, name: input }: { id: number; name?: string | undefined },
  extensions: readonly TrackerExtension[],
): Promise<number> {
  const { row, tracker } = await requireRemoved(tx, viewer, id);
  const type = fieldTypes.get(row.type);
  if (type !== undefined) checkUnique(tracker, type);
  const name = requireFreeName(tracker, input ?? row.name);
  const parent_id = placeOf(tracker, row.type, row.parent_id);
  const columns = { name, parent_id, deleted_at: null, is_used: toFlag(true) };
  await tx.run(tx.sql.updateTable('tracker_field').set(columns).where('id', '=', id));
  await tellContributions(tx, extensions, { trackerId: tracker.id, names: [name] });
  await trackerChanged(tx, viewer, tracker);
  return tracker.id;
}
