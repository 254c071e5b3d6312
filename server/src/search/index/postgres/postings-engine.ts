import { isOneOf, sql } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { blockOf, blockSize, IdSet } from '../id-set.ts';
import type { PostingsEngine, StoredPosting } from '../search-index.ts';
import { all, prepared } from '../sql.ts';
import { leadingNumber } from './leading-number.ts';
import { pendBlock, pendWords, settle, settleWords } from './pending.ts';
import { findCommented, findContaining } from './text-search.ts';
import { wordBlocks } from './word-cache.ts';

const postings = prepared<{ keys: readonly string[] }, StoredPosting>(
  ({ keys }) => sql`select key, block, ids from posting where key = any(${keys}::text[])`,
);

/** How PostgreSQL is asked about postings. */
export const postgresEngine: PostingsEngine = {
  hasOwnAnswers: true,
  isOneOf: (column, numbers) => isOneOf(true, column, numbers),
  pairs: (pairs) =>
    sql`select * from unnest(${pairs.map(([left]) => left)}::bigint[], ${pairs.map(([, right]) => right)}::bigint[])`,
  postings: (reader, keys) => reader.all(postings, { keys }),
  leadingNumber,
  // Written out: how many notes there are the database does not know, and guesses wrong.
  isPending: (column, pending) => isOneOf(true, column, pending.all()),
  settle,
  pendBlock,
  findContaining,
  findCommented,
  wordBlocks,
  postedWords: (reader, fieldId, words) =>
    all(
      reader,
      sql`select word_posting.block, ids
        from unnest(${words.map(([block]) => block)}::bigint[], ${words.map(([, word]) => word)}::text[]) as posted (block, word)
        inner join word_posting on field_id = ${fieldId} and word_posting.block = posted.block
          and word_posting.word = posted.word collate "C"`,
    ),
  async waitingTexts(reader, fieldId, blocks, most) {
    const [from, to] = [textId(fieldId, 0), textId(fieldId + 1, 0)];
    const notes = await all<{ id: number }>(
      reader,
      sql`select id - ${from}::bigint as id from word_pending where id >= ${from} and id < ${to} limit ${most + 1}`,
    );
    if (notes.length > most) return undefined;
    const told = new Set(blocks);
    return IdSet.of(notes.map(({ id }) => id).filter((id) => told.has(blockOf(id))));
  },
  /** The numbers of all notes: words know of those that could be seen when they were read, and of no others. */
  async wordTickets(reader, { fieldId, block }) {
    const from = textId(fieldId, block * blockSize);
    const notes = reader.sql.selectFrom('word_pending').select('ticket');
    const rows = await reader.all(notes.where('id', '>=', from).where('id', '<', from + blockSize));
    return [...new Set(rows.map(({ ticket }) => ticket))];
  },
  settleWords,
  pendWords,
};
