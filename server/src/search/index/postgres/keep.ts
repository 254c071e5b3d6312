import { second } from '../../../kernel/clock.ts';
import { type Database, sql } from '../../../storage/index.ts';
import { foldWords } from '../postings/index.ts';
import type { KeepingDeps, TextFolding } from '../search-index.ts';
import { all } from '../sql.ts';
import { postgresEngine } from './postings-engine.ts';

/** So many notes are folded in at once, and fewer when the last look was so many milliseconds ago: a fold reads all postings of a block. */
const worthAFold = { notes: 500, milliseconds: 5 * second };

/** When notes were last folded in, as far as this process knows. */
const foldedAt = new WeakMap<Database, number>();

export async function isFoldDue({ database }: KeepingDeps): Promise<boolean> {
  const now = performance.now();
  const isLate = now - (foldedAt.get(database) ?? Number.NEGATIVE_INFINITY) >= worthAFold.milliseconds;
  const notes = database.sql.selectFrom('search_pending').select('artifact_id');
  const isDue = isLate || (await database.first(notes.limit(1).offset(worthAFold.notes))) !== undefined;
  if (isDue) foldedAt.set(database, now);
  return isDue;
}

/** Notes of texts after which it is looked whether there are enough in one place. */
const worthALook = 64;

/** The last number of a note when somebody last looked. */
const lookedAt = new WeakMap<Database, number>();

/** Texts themselves the database knows; only their words are taken in. */
export async function foldTexts(deps: KeepingDeps, how: TextFolding): Promise<void> {
  const { database } = deps;
  const [row] = await all<{ last: number }>(
    database,
    sql`select last_value as last from word_pending_ticket_seq`,
  );
  const last = row?.last ?? 0;
  const since = last - (lookedAt.get(database) ?? Number.NEGATIVE_INFINITY);
  if (since < worthALook && how.leastWaiting === undefined && !how.isFirst) return;
  lookedAt.set(database, last);
  await foldWords(deps, postgresEngine, how);
}
