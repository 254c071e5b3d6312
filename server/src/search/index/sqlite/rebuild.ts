import type { Viewer } from '../../../kernel/viewer.ts';
import { type Reader, sql, type Transaction } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { blockOf, blockSize } from '../id-set.ts';
import { all } from '../sql.ts';

/** Forgets what the postings say of one block of artifacts: rows tell until it is folded in once more. */
export async function renewBlock(
  tx: Transaction,
  _: Viewer,
  { block }: { readonly block: number },
): Promise<void> {
  const [from, to] = [block * blockSize, (block + 1) * blockSize];
  await all(
    tx,
    sql`insert into search_pending (artifact_id, ticket) select id, 1 from artifact where id >= ${from} and id < ${to}
      on conflict (artifact_id) do update set ticket = search_pending.ticket + 1`,
  );
  await tx.run(tx.sql.deleteFrom('posting').where('block', '=', block));
  await renewWords(tx, block);
  const raise = tx.sql.updateTable('revision').set((row) => ({ value: row('value', '+', 1) }));
  await tx.run(raise.where('name', '=', 'postings'));
}

/** Forgets the words of texts of one block of artifacts. */
async function renewWords(tx: Transaction, block: number): Promise<void> {
  const [from, to] = [block * blockSize, (block + 1) * blockSize];
  const places = tx.sql.selectFrom('word_block').select('field_id').where('block', '=', block);
  for (const { field_id: fieldId } of await tx.all(places.where('field_id', '>', 0))) {
    await all(
      tx,
      sql`insert into word_pending (id, ticket) select ${textId(fieldId, 0)} + artifact_id, 0 from artifact_text
        where field_id = ${fieldId} and artifact_id >= ${from} and artifact_id < ${to} on conflict do nothing`,
    );
    for (const table of ['word_block', 'word_posting'] as const)
      await tx.run(tx.sql.deleteFrom(table).where('field_id', '=', fieldId).where('block', '=', block));
  }
}

/** For a database in which nothing is folded yet: rows tell of all artifacts and texts until they are. */
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

/** The blocks in which there is, or was, an artifact. */
export async function blocksInUse(reader: Reader): Promise<number[]> {
  const artifacts = reader.sql.selectFrom('artifact').select((row) => row.fn.max('id').as('last'));
  const postings = reader.sql.selectFrom('posting').select((row) => row.fn.max('block').as('last'));
  const [last, lastBlock] = [await reader.first(artifacts), await reader.first(postings)];
  const count = Math.max(blockOf(last?.last ?? 0), lastBlock?.last ?? 0) + 1;
  return Array.from({ length: count }, (__, block) => block);
}
