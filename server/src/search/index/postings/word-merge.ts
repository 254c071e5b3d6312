import { randomInt } from 'node:crypto';
import { groupsByBytes } from '../../../kernel/groups.ts';
import { systemViewer } from '../../../kernel/viewer.ts';
import { type Database, sql, statement, type Transaction } from '../../../storage/index.ts';
import { usualPatience } from '../deadline.ts';
import { textId } from '../entries.ts';
import { blockSize } from '../id-set.ts';
import type { KeepingDeps, PostingsEngine, TextMerging, WordPlace, WordsPart } from '../search-index.ts';
import { all } from '../sql.ts';
import { mostBytes } from './merge.ts';
import { type BlockText, type BlockWords, WordGathering } from './words.ts';

/** With so many texts waiting, the words of a block are told anew: a search looks at each of those that wait. */
const usualLeast = 512;
/** Words that are stored at once: others wait meanwhile. */
const mostAtOnce = 2000;
const blocksOfField = textId(1, 0) / blockSize;

/** The place in which most texts wait; undefined when nowhere so many do. */
async function nextPlace(database: Database, least: number): Promise<WordPlace | undefined> {
  const [row] = await all<{ place: number }>(
    database,
    sql`select id / ${sql.lit(blockSize)} as place, count(*) as waiting from word_pending
      group by 1 having count(*) >= ${least} order by 2 desc limit 1`,
  );
  return row && { fieldId: Math.floor(row.place / blocksOfField), block: row.place % blocksOfField };
}

interface Prepared extends BlockWords {
  readonly tickets: readonly number[];
}

/** The words of a place, and what tells which notes they know of. */
function prepare(database: Database, engine: PostingsEngine, place: WordPlace): Promise<Prepared> {
  const { fieldId, block } = place;
  return database.consistently(usualPatience, async (still) => {
    const tickets = await engine.wordTickets(still, place);
    const own = still.sql.selectFrom('artifact_text').where('field_id', '=', fieldId);
    const sizes = await still.all(
      own
        .select(['artifact_id', sql<number>`octet_length(text)`.as('bytes')])
        .where('artifact_id', '>=', block * blockSize)
        .where('artifact_id', '<', (block + 1) * blockSize)
        .orderBy('artifact_id'),
    );
    const gathering = new WordGathering(block);
    for (const { items: some } of groupsByBytes(sizes, ({ bytes }) => bytes, mostBytes)) {
      const [first, last] = [some[0]?.artifact_id ?? 0, some.at(-1)?.artifact_id ?? 0];
      const texts = own.select(['artifact_id', 'text']).where('artifact_id', '>=', first);
      const rows: BlockText[] = await still.all(texts.where('artifact_id', '<=', last));
      gathering.add(rows);
      if (gathering.isTooMuch) break;
    }
    return { ...gathering.words(), tickets };
  });
}

/** Takes in the words of texts, wherever enough of them wait. */
export async function mergeWords(
  { database, operations }: KeepingDeps,
  engine: PostingsEngine,
  { leastWaiting = usualLeast, stopping }: Pick<TextMerging, 'leastWaiting' | 'stopping'>,
): Promise<void> {
  while (!stopping?.aborted) {
    const place = await nextPlace(database, leastWaiting);
    if (place === undefined) return;
    const { words, postings, tickets } = await prepare(database, engine, place);
    const build = randomInt(2 ** 47);
    for (let start = 0, isLast = false; !isLast; start += mostAtOnce) {
      if (stopping?.aborted) return;
      isLast = start + mostAtOnce >= postings.length;
      const part: WordsPart = {
        ...place,
        build,
        isFirst: start === 0,
        postings: postings.slice(start, start + mostAtOnce),
        ...(isLast ? { whole: { words, tickets } } : {}),
      };
      // Somebody else tells the words of this block.
      if (!(await operations.storeWords(systemViewer, part))) return;
    }
  }
}

const writePosting = statement((builder, p: WordPlace & { word: string; ids: Uint8Array }) =>
  builder
    .insertInto('word_posting')
    .values({ field_id: p.fieldId, block: p.block, word: p.word, ids: p.ids }),
);

/** From now on the block has no words until all are stored. */
async function begin(tx: Transaction, { fieldId, block, build }: WordsPart): Promise<void> {
  const postings = tx.sql.deleteFrom('word_posting').where('field_id', '=', fieldId);
  await tx.run(postings.where('block', '=', block));
  await tx.run(
    tx.sql
      .insertInto('word_block')
      .values({ field_id: fieldId, block, build, words: null })
      .onConflict((conflict) => conflict.columns(['field_id', 'block']).doUpdateSet({ build, words: null })),
  );
}

/** Stores some words of a block; false when somebody else began to store its words since. Texts that changed since they were read stay pending. */
export async function storeWords(tx: Transaction, engine: PostingsEngine, part: WordsPart): Promise<boolean> {
  const { fieldId, block, build, isFirst, postings, whole } = part;
  if (isFirst) await begin(tx, part);
  const blocks = tx.sql.selectFrom('word_block').select('build').where('field_id', '=', fieldId);
  if ((await tx.first(blocks.where('block', '=', block)))?.build !== build) return false;
  for (const [word, ids] of postings) await tx.write(writePosting, { fieldId, block, word, ids });
  if (whole === undefined) return true;
  const own = tx.sql.updateTable('word_block').set({ words: whole.words }).where('field_id', '=', fieldId);
  await tx.run(own.where('block', '=', block));
  await engine.settleWords(tx, { fieldId, block }, whole.tickets);
  return true;
}
