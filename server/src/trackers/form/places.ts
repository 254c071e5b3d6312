import { invalidMember } from '../../kernel/errors.ts';
import type { Transaction } from '../../storage/index.ts';
import { byRank } from '../compile.ts';
import type { Field, Tracker } from '../model.ts';

/** Where an element shall stand: in a container or, without one, at the root; before a neighbour or, without one, last. */
export interface Place {
  readonly parentId: number | null;
  readonly nextSiblingId: number | null;
}

/** All elements of the place in their new order. */
function orderAt(
  tracker: Tracker,
  field: Field,
  { parentId, nextSiblingId }: Place,
  member: string,
): Field[] {
  const siblings = tracker.elements.filter((element) => element.parentId === parentId).sort(byRank);
  if (nextSiblingId === field.id && parentId === field.parentId) return siblings;
  const others = siblings.filter(({ id }) => id !== field.id);
  const index = nextSiblingId === null ? others.length : others.findIndex(({ id }) => id === nextSiblingId);
  if (index === -1) throw invalidMember(member, 'There is no such element in that place of the form.');
  return others.toSpliced(index, 0, field);
}

/** Moves an element to a place that it may stand in; `member` is what a wrong neighbour is blamed on. */
export async function moveElement(
  tx: Transaction,
  tracker: Tracker,
  field: Field,
  place: Place,
  member: string,
): Promise<void> {
  const { parentId } = place;
  for (const [rank, element] of orderAt(tracker, field, place, member).entries()) {
    if (element.id !== field.id && element.rank === rank) continue;
    const change = tx.sql.updateTable('tracker_field').set({ rank, parent_id: parentId });
    await tx.run(change.where('id', '=', element.id));
  }
}
