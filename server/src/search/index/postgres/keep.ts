import { second } from '../../../kernel/clock.ts';
import { type Database, sql } from '../../../storage/index.ts';
import { blockSize } from '../id-set.ts';
import { mergeWords } from '../postings/index.ts';
import type { KeepingDeps, TextMerging } from '../search-index.ts';
import { all } from '../sql.ts';
import { postgresEngine } from './postings-engine.ts';

/**
 * A merge reads all postings of a block, and each search looks at all that is not merged: so many notes for each block are merged at
 * once, or so many in all, and fewer when the last look was so many milliseconds ago.
 */
const worthAMerge = { ofBlock: 64, notes: 500, milliseconds: 5 * second };

/** When notes were last merged, as far as this process knows. */
const mergedAt = new WeakMap<Database, number>();

async function areEnough(database: Database): Promise<boolean> {
  const { ofBlock, notes: most } = worthAMerge;
  const [row] = await all<{ notes: number; blocks: number }>(
    database,
    sql`select count(*) as notes, count(distinct artifact_id / ${sql.lit(blockSize)}) as blocks
      from (select artifact_id from search_pending limit ${most}) as chosen`,
  );
  const { notes = 0, blocks = 0 } = row ?? {};
  return notes > 0 && notes >= Math.min(most, ofBlock * blocks);
}

export async function isMergeDue({ database }: KeepingDeps): Promise<boolean> {
  const now = performance.now();
  const isLate = now - (mergedAt.get(database) ?? Number.NEGATIVE_INFINITY) >= worthAMerge.milliseconds;
  const isDue = isLate || (await areEnough(database));
  if (isDue) mergedAt.set(database, now);
  return isDue;
}

/** Notes of texts after which it is looked whether there are enough in one place. */
const worthALook = 64;

/**
 * As many texts that wait in one place are worth telling its words anew once so many milliseconds went by since that was last done. Where
 * more come in that time, `mergeWords` says itself how many are enough.
 */
const calm = { texts: 128, milliseconds: 5 * second };

/** The last number of a note when somebody last looked, and when fewer texts than usual were last taken in. */
const looks = new WeakMap<Database, { readonly last: number; readonly calmAt: number }>();

/** Texts themselves the database knows; only their words are taken in. */
export async function mergeTexts(deps: KeepingDeps, how: TextMerging): Promise<void> {
  const { database } = deps;
  const [row] = await all<{ last: number }>(
    database,
    sql`select last_value as last from word_pending_ticket_seq`,
  );
  const last = row?.last ?? 0;
  const before = looks.get(database) ?? { last: Number.NEGATIVE_INFINITY, calmAt: Number.NEGATIVE_INFINITY };
  if (last - before.last < worthALook && how.leastWaiting === undefined && !how.isFirst) return;
  const now = performance.now();
  const isCalm = now - before.calmAt >= calm.milliseconds;
  looks.set(database, { last, calmAt: isCalm ? now : before.calmAt });
  await mergeWords(deps, postgresEngine, { ...(isCalm ? { leastWaiting: calm.texts } : {}), ...how });
}
