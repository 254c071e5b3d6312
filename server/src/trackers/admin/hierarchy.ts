import { invalidMember } from '../../kernel/errors.ts';
import type { ProjectAccess } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { loadTracker } from '../compile.ts';
import { viewOf } from '../view.ts';

async function parentOf(tx: Transaction, id: number): Promise<number | null> {
  const query = tx.sql.selectFrom('tracker').select('parent_id').where('id', '=', id);
  return (await tx.first(query))?.parent_id ?? null;
}

async function isAtOrBelow(tx: Transaction, id: number, ancestor: number): Promise<boolean> {
  const seen = new Set<number>();
  for (let next: number | null = id; next !== null && !seen.has(next); next = await parentOf(tx, next)) {
    if (next === ancestor) return true;
    seen.add(next);
  }
  return false;
}

/** A tracker of the same project that the viewer sees. */
export async function requireSibling(
  tx: Transaction,
  projectAccess: ProjectAccess,
  { id, member }: { id: number; member: string },
) {
  const tracker = await loadTracker(tx, id);
  const isHere = tracker !== undefined && tracker.project.id === projectAccess.project?.id;
  if (!isHere || !viewOf(tracker, projectAccess).canView)
    throw invalidMember(member, 'There is no such tracker in this project.');
  return tracker;
}

/** A parent may not be below its child. `ownId` is absent while the child does not exist yet. */
export async function checkParent(
  tx: Transaction,
  projectAccess: ProjectAccess,
  { parentId, ownId }: { parentId: number | null | undefined; ownId?: number },
): Promise<void> {
  if (typeof parentId !== 'number') return;
  await requireSibling(tx, projectAccess, { id: parentId, member: 'parent_id' });
  if (ownId !== undefined && (await isAtOrBelow(tx, parentId, ownId)))
    throw invalidMember('parent_id', 'A tracker cannot be its own parent, directly or through others.');
}
