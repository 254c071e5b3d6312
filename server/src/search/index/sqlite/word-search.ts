import { sql } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { blockSize, IdSet } from '../id-set.ts';
import type { SearchRun } from '../search-index.ts';
import { all } from '../sql.ts';
import { findWords, isInsideWord } from './words.ts';

/** What words tell of a part. */
export interface ToldByWords {
  /** Artifacts that have the part. */
  readonly found: IdSet;
  /** Artifacts whose texts changed since: nothing is told of them. */
  readonly waiting: IdSet;
  /** Blocks of which nothing is told. */
  readonly untold: IdSet;
}

interface SoughtPart {
  readonly fieldId: number;
  readonly part: string;
}

interface BlockRow {
  readonly block: number;
  readonly words: string;
}

/** A word of a block that has a posting. */
type PostedWord = readonly [block: number, word: string];

/** Adds the artifacts that have these words. All are asked at once: asking takes longer than telling. */
async function addPosted(
  { readContext }: SearchRun,
  fieldId: number,
  words: readonly PostedWord[],
  found: IdSet,
): Promise<void> {
  const rows = await all<{ block: number; ids: Uint8Array }>(
    readContext.reader,
    sql`select word_posting.block as block, ids from json_each(${JSON.stringify(words)}) as posted
      cross join word_posting on field_id = ${fieldId}
        and word_posting.block = posted.value ->> 0 and word = posted.value ->> 1`,
  );
  for (const { block, ids } of rows) found.addStored(block, ids);
}

/** Artifacts whose texts the words of these blocks do not know; undefined when they are too many. */
async function waitingIn(
  { readContext, limits }: SearchRun,
  fieldId: number,
  blocks: readonly number[],
): Promise<IdSet | undefined> {
  const [from, to] = [textId(fieldId, 0), textId(fieldId + 1, 0)];
  const inBlocks = sql`id >= ${from} and id < ${to} and (id - ${from}) / ${sql.lit(blockSize)} in
    (select value from json_each(${JSON.stringify(blocks)}))`;
  const some = sql`select id from text_pending where ${inBlocks}
    union select id from word_pending where ${inBlocks} limit ${limits.pendingTexts + 1}`;
  const [row] = await all<{ ids: string | null }>(
    readContext.reader,
    sql`select group_concat(id - ${from}) as ids from (${some})`,
  );
  const waiting = new IdSet();
  waiting.addList(row?.ids ?? '');
  return waiting.size > limits.pendingTexts ? undefined : waiting;
}

/** Asks the words of a field for a part; undefined where they cannot tell. */
export async function askWords(
  searchRun: SearchRun,
  sought: SoughtPart,
  within: IdSet,
): Promise<ToldByWords | undefined> {
  if (searchRun.limits.words === 0 || !isInsideWord(sought.part)) return undefined;
  const found = new IdSet();
  const told: number[] = [];
  const list = JSON.stringify([...within.blocks.keys()]);
  const rows = await all<BlockRow>(
    searchRun.readContext.reader,
    sql`select block, words from word_block where field_id = ${sought.fieldId} and words is not null
      and block in (select value from json_each(${list}))`,
  );
  const posted: PostedWord[] = [];
  for (const { block, words } of rows) {
    searchRun.clock.check();
    const some = findWords(words, sought.part, searchRun.limits.words);
    if (some === undefined) continue;
    told.push(block);
    found.addOffsets(block, Uint16Array.from(some.offsets));
    posted.push(...some.words.map((word): PostedWord => [block, word]));
  }
  if (told.length === 0) return undefined;
  await addPosted(searchRun, sought.fieldId, posted, found);
  const waiting = await waitingIn(searchRun, sought.fieldId, told);
  if (waiting === undefined) return undefined;
  const untold = new IdSet();
  for (const [block, ids] of within.blocks) if (!told.includes(block)) untold.blocks.set(block, ids);
  return { found: found.minus(waiting), waiting, untold };
}
