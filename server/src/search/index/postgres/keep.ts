import { second } from '../../../kernel/clock.ts';
import { type Database, sql } from '../../../storage/index.ts';
import { blockSize } from '../id-set.ts';
import { foldWords } from '../postings/index.ts';
import type { KeepingDeps, TextFolding } from '../search-index.ts';
import { all } from '../sql.ts';
import { postgresEngine } from './postings-engine.ts';

/**
 * A fold reads all postings of a block, and each search looks at all that is not folded in: so many notes for each block are folded in at
 * once, or so many in all, and fewer when the last look was so many milliseconds ago.
 */
const worthAFold = { ofBlock: 64, notes: 500, milliseconds: 5 * second };

/** When notes were last folded in, as far as this process knows. */
const foldedAt = new WeakMap<Database, number>();

async function areEnough(database: Database): Promise<boolean> {
  const { ofBlock, notes: most } = worthAFold;
  const [row] = await all<{ notes: number; blocks: number }>(
    database,
    sql`select count(*) as notes, count(distinct artifact_id / ${sql.lit(blockSize)}) as blocks
      from (select artifact_id from search_pending limit ${most}) as chosen`,
  );
  const { notes = 0, blocks = 0 } = row ?? {};
  return notes > 0 && notes >= Math.min(most, ofBlock * blocks);
}

export async function isFoldDue({ database }: KeepingDeps): Promise<boolean> {
  const now = performance.now();
  const isLate = now - (foldedAt.get(database) ?? Number.NEGATIVE_INFINITY) >= worthAFold.milliseconds;
  const isDue = isLate || (await areEnough(database));
  if (isDue) foldedAt.set(database, now);
  return isDue;
}

/** Notes of texts after which it is looked whether there are enough in one place. */
const worthALook = 64;

/**
 * As many texts that wait in one place are worth telling its words anew once so many milliseconds went by since that was last done. Where
 * more come in that time, `foldWords` says itself how many are enough.
 */
const calm = { texts: 128, milliseconds: 5 * second };

/** The last number of a note when somebody last looked, and when fewer texts than usual were last taken in. */
const looks = new WeakMap<Database, { readonly last: number; readonly calmAt: number }>();

/** Texts themselves the database knows; only their words are taken in. */
export async function foldTexts(deps: KeepingDeps, how: TextFolding): Promise<void> {
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
  await foldWords(deps, postgresEngine, { ...(isCalm ? { leastWaiting: calm.texts } : {}), ...how });
}
