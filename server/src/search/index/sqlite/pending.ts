import { mostIds, statementOverIds, type Transaction } from '../../../storage/index.ts';

const pendTexts = statementOverIds((sql, ids) =>
  sql
    .insertInto('text_pending')
    .values(ids.map((id) => ({ id })))
    .onConflict((conflict) => conflict.doNothing()),
);

const pend = statementOverIds((sql, ids) =>
  sql
    .insertInto('search_pending')
    .values(ids.map((id) => ({ artifact_id: id, ticket: 1 })))
    .onConflict((conflict) =>
      conflict.column('artifact_id').doUpdateSet((row) => ({ ticket: row('search_pending.ticket', '+', 1) })),
    ),
);

/** A search asks rows about these artifacts until they are folded in. */
export const noteChanged = (tx: Transaction, ids: readonly number[]) =>
  inStatements(ids, (some) => tx.run(...pend(some)));

/** And about these texts. */
export const noteTexts = (tx: Transaction, ids: readonly number[]) =>
  inStatements(ids, (some) => tx.run(...pendTexts(some)));

async function inStatements(
  ids: readonly number[],
  run: (some: readonly number[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += mostIds) await run(ids.slice(start, start + mostIds));
}
