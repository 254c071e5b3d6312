import { setImmediate as nextTurn } from 'node:timers/promises';
import { IdSet } from '../id-set.ts';
import type { PostedWord, SearchRun } from '../search-index.ts';
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

/** Blocks between two turns of the event loop. */
const blocksAtOnce = 8;

/** Asks the words of a field for a part; undefined where they cannot tell. */
export async function askWords(
  searchRun: SearchRun,
  sought: SoughtPart,
  within: IdSet,
): Promise<ToldByWords | undefined> {
  if (searchRun.limits.words === 0 || !isInsideWord(sought.part)) return undefined;
  const found = new IdSet();
  const told: number[] = [];
  const { readContext, limits, index } = searchRun;
  const { reader } = readContext;
  const { engine } = index;
  const rows = await engine.wordBlocks(reader, sought.fieldId, [...within.blocks.keys()]);
  const posted: PostedWord[] = [];
  for (const [looked, { block, words }] of rows.entries()) {
    searchRun.clock.check();
    // Where there is no thread for searches, this one answers requests as well.
    if (reader.isRemote && looked % blocksAtOnce === blocksAtOnce - 1) await nextTurn();
    const some = findWords(words, sought.part, limits.words);
    if (some === undefined) continue;
    told.push(block);
    found.addOffsets(block, Uint16Array.from(some.offsets));
    posted.push(...some.words.map((word): PostedWord => [block, word]));
  }
  if (told.length === 0) return undefined;
  for (const { block, ids } of await engine.postedWords(reader, sought.fieldId, posted))
    found.addStored(block, ids);
  const waiting = await engine.waitingTexts(reader, sought.fieldId, told, limits.pendingTexts);
  if (waiting === undefined) return undefined;
  const untold = new IdSet();
  for (const [block, ids] of within.blocks) if (!told.includes(block)) untold.blocks.set(block, ids);
  return { found: found.minus(waiting), waiting, untold };
}
