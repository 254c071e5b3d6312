import type { Reader, Transaction } from '../../../storage/index.ts';
import { blockOf } from '../id-set.ts';
import type { PostingsEngine } from '../search-index.ts';

/** Forgets what the postings say of one block of artifacts: rows tell until it is merged once more. */
export async function renewBlock(tx: Transaction, engine: PostingsEngine, block: number): Promise<void> {
  await engine.pendBlock(tx, block);
  await tx.run(tx.sql.deleteFrom('posting').where('block', '=', block));
  await renewWords(tx, engine, block);
  const raise = tx.sql.updateTable('revision').set((row) => ({ value: row('value', '+', 1) }));
  await tx.run(raise.where('name', '=', 'postings'));
}

/** Forgets the words of texts of one block of artifacts. */
async function renewWords(tx: Transaction, engine: PostingsEngine, block: number): Promise<void> {
  const places = tx.sql.selectFrom('word_block').select('field_id').where('block', '=', block);
  for (const { field_id: fieldId } of await tx.all(places.where('field_id', '>', 0))) {
    await engine.pendWords(tx, { fieldId, block });
    for (const table of ['word_block', 'word_posting'] as const)
      await tx.run(tx.sql.deleteFrom(table).where('field_id', '=', fieldId).where('block', '=', block));
  }
}

/** The blocks in which there is, or was, an artifact. */
export async function blocksInUse(reader: Reader): Promise<number[]> {
  const artifacts = reader.sql.selectFrom('artifact').select((row) => row.fn.max('id').as('last'));
  const postings = reader.sql.selectFrom('posting').select((row) => row.fn.max('block').as('last'));
  const [last, lastBlock] = [await reader.first(artifacts), await reader.first(postings)];
  const count = Math.max(blockOf(last?.last ?? 0), lastBlock?.last ?? 0) + 1;
  return Array.from({ length: count }, (__, block) => block);
}
