import { isOneOf, type SqlBool, sql } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { blockSize, IdSet } from '../id-set.ts';
import type { PostingsEngine, StoredPosting, WordBlock } from '../search-index.ts';
import { all, joined, prepared } from '../sql.ts';
import { pendBlock, pendWords, settle } from './pending.ts';
import { findCommented, findContaining } from './text-search.ts';

const listOf = (numbers: readonly unknown[]) => JSON.stringify(numbers);

const postings = prepared<{ keys: string }, StoredPosting>(
  ({ keys }) => sql`select key, block, ids from posting where key in (select value from json_each(${keys}))`,
);

/** How SQLite is asked about postings. Of each artifact and text that waits it has one note, whose ticket rises with every change. */
export const sqliteEngine: PostingsEngine = {
  hasOwnAnswers: false,
  isOneOf: (column, numbers) => isOneOf(false, column, numbers),
  pairs: (pairs) => sql`select value ->> 0, value ->> 1 from json_each(${listOf(pairs)})`,
  postings: (reader, keys) => reader.all(postings, { keys: listOf(keys) }),
  leadingNumber: (column) => `cast(${column} as integer)`,
  isPending: (column) => sql<SqlBool>`${column} in (select artifact_id from search_pending)`,
  settle,
  pendBlock,
  findContaining,
  findCommented,
  wordBlocks: (reader, fieldId, blocks) =>
    all<WordBlock>(
      reader,
      sql`select block, words from word_block where field_id = ${fieldId} and words is not null
        and block in (select value from json_each(${listOf(blocks)}))`,
    ),
  // All are asked at once: asking takes longer than telling.
  postedWords: (reader, fieldId, words) =>
    all(
      reader,
      sql`select word_posting.block as block, ids from json_each(${listOf(words)}) as posted
        cross join word_posting on field_id = ${fieldId}
          and word_posting.block = posted.value ->> 0 and word = posted.value ->> 1`,
    ),
  async waitingTexts(reader, fieldId, blocks, most) {
    const [from, to] = [textId(fieldId, 0), textId(fieldId + 1, 0)];
    const inBlocks = sql`id >= ${from} and id < ${to} and (id - ${from}) / ${sql.lit(blockSize)} in
      (select value from json_each(${listOf(blocks)}))`;
    const some = sql`select id from text_pending where ${inBlocks}
      union select id from word_pending where ${inBlocks} limit ${most + 1}`;
    const [row] = await all<{ ids: string | null }>(
      reader,
      sql`select ${joined(sql`id - ${from}`)} as ids from (${some})`,
    );
    const waiting = new IdSet();
    waiting.addList(row?.ids ?? '');
    return waiting.size > most ? undefined : waiting;
  },
  /** The last that was given: notes with it or with one before are known. */
  async wordTickets(reader) {
    const tickets = reader.sql.selectFrom('word_block').select('build').where('field_id', '=', 0);
    return [(await reader.first(tickets))?.build ?? 0];
  },
  async settleWords(tx, { fieldId, block }, [last = 0]) {
    const from = textId(fieldId, block * blockSize);
    const notes = tx.sql.deleteFrom('word_pending').where('ticket', '<=', last);
    await tx.run(notes.where('id', '>=', from).where('id', '<', from + blockSize));
  },
  pendWords,
};
