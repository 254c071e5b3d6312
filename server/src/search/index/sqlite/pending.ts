import { mostIds, sql, statement, statementOverIds, type Transaction } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { blockSize } from '../id-set.ts';
import type { Merge, WordPlace } from '../search-index.ts';
import { all } from '../sql.ts';

const pendTexts = statementOverIds((builder, ids) =>
  builder
    .insertInto('text_pending')
    .values(ids.map((id) => ({ id })))
    .onConflict((conflict) => conflict.doNothing()),
);

const pend = statementOverIds((builder, ids) =>
  builder
    .insertInto('search_pending')
    .values(ids.map((id) => ({ artifact_id: id, ticket: 1 })))
    .onConflict((conflict) =>
      conflict.column('artifact_id').doUpdateSet((row) => ({ ticket: row('search_pending.ticket', '+', 1) })),
    ),
);

/** A search asks rows about these artifacts until they are merged. */
export async function noteChanged(
  tx: Transaction,
  ids: readonly number[],
  textIds: readonly number[] = [],
): Promise<void> {
  await noteTexts(tx, textIds);
  await inStatements(ids, (some) => tx.run(...pend(some)));
}

/** And about these texts. */
export const noteTexts = (tx: Transaction, ids: readonly number[]) =>
  inStatements(ids, (some) => tx.run(...pendTexts(some)));

async function inStatements(
  ids: readonly number[],
  run: (some: readonly number[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += mostIds) await run(ids.slice(start, start + mostIds));
}

const settled = statement((builder, p: { id: number; ticket: number }) =>
  builder.deleteFrom('search_pending').where('artifact_id', '=', p.id).where('ticket', '=', p.ticket),
);

/** Artifacts that changed since they were merged have another ticket. */
export async function settle(tx: Transaction, notes: Merge['artifacts']): Promise<void> {
  for (const [id, ticket] of notes) await tx.run(settled, { id, ticket });
}

const bounds = (block: number) => [block * blockSize, (block + 1) * blockSize] as const;

export async function pendBlock(tx: Transaction, block: number): Promise<void> {
  const [from, to] = bounds(block);
  await all(
    tx,
    sql`insert into search_pending (artifact_id, ticket) select id, 1 from artifact where id >= ${from} and id < ${to}
      on conflict (artifact_id) do update set ticket = search_pending.ticket + 1`,
  );
}

export async function pendWords(tx: Transaction, { fieldId, block }: WordPlace): Promise<void> {
  const [from, to] = bounds(block);
  await all(
    tx,
    sql`insert into word_pending (id, ticket) select ${textId(fieldId, 0)} + artifact_id, 0 from artifact_text
      where field_id = ${fieldId} and artifact_id >= ${from} and artifact_id < ${to} on conflict do nothing`,
  );
}

/** For a database in which nothing is merged yet: rows tell of all artifacts and texts until they are. */
export async function pendEverything(tx: Transaction): Promise<void> {
  await all(
    tx,
    sql`insert into search_pending (artifact_id, ticket) select id, 1 from artifact where true on conflict do nothing`,
  );
  await all(
    tx,
    sql`insert into text_pending (id) select field_id * ${textId(1, 0)} + artifact_id from artifact_text
      where true on conflict do nothing`,
  );
  await all(
    tx,
    sql`insert into text_pending (id) select changeset_id from comment_text where true on conflict do nothing`,
  );
}
