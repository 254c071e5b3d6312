import type { Reader, Tables, Transaction } from '../../storage/index.ts';
import type { Field } from '../../trackers/index.ts';
import type { Move } from './model.ts';

/** A reference in a text, as it is stored. */
export type StoredReference = Tables['cross_reference'];

/** What the texts of an artifact refer to, and what refers to it. */
export async function readAllReferences(
  reader: Reader,
  id: number,
): Promise<{ own: readonly StoredReference[]; incoming: readonly StoredReference[] }> {
  const all = reader.sql.selectFrom('cross_reference').selectAll();
  return {
    own: await reader.all(all.where('source_kind', '=', 'artifact').where('source_id', '=', id)),
    incoming: await reader.all(all.where('target_kind', '=', 'artifact').where('target_id', '=', id)),
  };
}

export async function deleteReferences(tx: Transaction, id: number): Promise<void> {
  const all = tx.sql.deleteFrom('cross_reference');
  await tx.write(all.where('source_kind', '=', 'artifact').where('source_id', '=', id));
  await tx.write(all.where('target_kind', '=', 'artifact').where('target_id', '=', id));
}

const atOnce = 500;

/** Those that are there already are left as they are. */
export async function insertReferences(tx: Transaction, rows: readonly StoredReference[]): Promise<void> {
  for (let start = 0; start < rows.length; start += atOnce) {
    const insert = tx.sql.insertInto('cross_reference').values(rows.slice(start, start + atOnce));
    await tx.write(insert.onConflict((conflict) => conflict.doNothing()));
  }
}

/** Where a text stands after the move of its artifact; undefined where it is gone. */
function movedOrigin(origin: string, takers: Move['takers']): string | undefined {
  if (!origin.startsWith('field:')) return origin;
  const isOf = ({ id }: Field) => origin === `field:${id}`;
  const taker = [...takers].find(([field]) => isOf(field))?.[1];
  return taker && `field:${taker.id}`;
}

/**
 * References of an artifact that goes to another tracker: its own are those of the fields that take over its texts, and
 * where others named it by the word of its tracker, that is now the word of the other one.
 */
export async function moveReferences(tx: Transaction, id: number, move: Move): Promise<void> {
  const { own, incoming } = await readAllReferences(tx, id);
  if (own.length + incoming.length === 0) return;
  const before = move.artifact.view.tracker.itemName.toLowerCase();
  const after = move.to.itemName.toLowerCase();
  const kept = own.flatMap((row) => {
    const origin = movedOrigin(row.origin, move.takers);
    return origin === undefined ? [] : { ...row, origin };
  });
  const renamed = incoming.map((row) =>
    row.target_keyword === before ? { ...row, target_keyword: after } : row,
  );
  await deleteReferences(tx, id);
  await insertReferences(tx, [...kept, ...renamed]);
}
