import { statement, type Transaction } from '../../storage/index.ts';
import { type MovingContext, type Stored, type Tracker, takeOver } from '../../trackers/index.ts';
import { type Document, type WrittenChanges, writeChanges } from '../model.ts';
import { shortChanges, wholeChanges } from '../totals/index.ts';
import type { Move } from './model.ts';

/** Values as the fields of the other tracker have them. */
export async function movedValues(
  { takers }: Pick<Move, 'takers'>,
  values: Document,
  context: MovingContext,
): Promise<Record<string, Stored>> {
  const moved: Record<string, Stored> = {};
  for (const [field, taker] of takers) {
    const value = values[field.id];
    if (taker === undefined || value === undefined) continue;
    moved[taker.id] = (await takeOver(taker, value, field, context)).value;
  }
  return moved;
}

const stepsAfter = statement((sql, p: { artifactId: number; after: number; limit: number }) =>
  sql
    .selectFrom('changeset')
    .select(['id', shortChanges.as('changes')])
    .where('artifact_id', '=', p.artifactId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

const updateChanges = statement((sql, p: WrittenChanges & { id: number }) =>
  sql.updateTable('changeset').set({ changes: p.changes, field_ids: p.fieldIds }).where('id', '=', p.id),
);

const withoutFieldsOf = ({ elementById }: Tracker, changes: Document): Document =>
  Object.fromEntries(Object.entries(changes).filter(([id]) => !elementById.has(Number(id))));

/** Changesets of one transaction at the most, and their characters: texts may be long. */
const most = { changesets: 300, characters: 1_000_000 };

/**
 * Adds to changesets what they changed as the fields of the other tracker have it, beside what is there: fields of a tracker
 * that the artifact is not in are never shown, so nobody sees any of this before the artifact has moved. Gives the last
 * changeset that was done, and whether that was the last of all.
 */
export async function moveHistory(
  tx: Transaction,
  move: Move,
  after: number,
  context: MovingContext,
): Promise<{ after: number; isLast: boolean }> {
  const artifactId = move.artifact.row.id;
  const rows = await tx.all(stepsAfter, { artifactId, after, limit: most.changesets });
  let done = after;
  let characters = 0;
  for (const row of rows) {
    const { id } = row;
    const changes = await wholeChanges(tx, row);
    const text = JSON.stringify(changes);
    // What an earlier stay in that tracker left would show values that the artifact has no more.
    const others = withoutFieldsOf(move.to, changes);
    const moved = writeChanges({ ...others, ...(await movedValues(move, changes, context)) });
    if (moved.changes !== text) await tx.write(updateChanges, { id, ...moved });
    done = id;
    characters += text.length;
    if (characters > most.characters) break;
  }
  const isLast = rows.length < most.changesets && done === (rows.at(-1)?.id ?? after);
  return { after: done, isLast };
}
